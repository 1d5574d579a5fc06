// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named barriers: addresses of what builtins/named_barriers.cl keeps in local memory.
#include "compiler/ir/address_space.h"
#include "compiler/spirv/translator.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"

namespace heddle::compiler::spirv {
namespace {

constexpr unsigned kWords = 3; // of 32 bits

} // namespace

void Translator::initialize_named_barrier(const Instruction& instruction) {
  require(result_type(instruction).op == spv::Op::OpTypeNamedBarrier,
          "the result is a named barrier");
  auto* count = value_of(instruction[3], builder_.getInt32Ty(), "the number of sub-groups");
  auto* type = llvm::ArrayType::get(builder_.getInt32Ty(), kWords);
  auto* variable = new llvm::GlobalVariable(
      *module_, type, false, llvm::GlobalValue::InternalLinkage, llvm::UndefValue::get(type),
      "named_barrier", nullptr, llvm::GlobalValue::NotThreadLocal, kLocal);
  variable->setAlignment(llvm::Align(4));
  call_named("__named_barrier_initialize", builder_.getVoidTy(), {variable, count});
  define_result(instruction, variable);
}

void Translator::wait_at_named_barrier(const Instruction& instruction) {
  auto* barrier = value(instruction[1]);
  require(type(id(instruction[1]).type).op == spv::Op::OpTypeNamedBarrier,
          "the operand is a named barrier");
  memory_barrier(instruction[2], instruction[3]);
  call_named("__named_barrier_wait", builder_.getVoidTy(), {barrier});
  memory_barrier(instruction[2], instruction[3]);
}

} // namespace heddle::compiler::spirv
