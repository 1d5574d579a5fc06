// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named barriers: addresses of what builtins/named_barriers.cl keeps in local memory.
#include "compiler/ir/address_space.h"
#include "compiler/spirv/readers.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"

namespace heddle::compiler::spirv {
namespace {

constexpr unsigned kWords = 3; // of 32 bits

void initialize_named_barrier(Translation& t, const Instruction& instruction) {
  t.require(t.result_type(instruction).op == spv::Op::OpTypeNamedBarrier,
            "the result is a named barrier");
  auto* count = t.value_of(instruction[3], t.builder.getInt32Ty(), "the number of sub-groups");
  auto* type = llvm::ArrayType::get(t.builder.getInt32Ty(), kWords);
  auto* variable = new llvm::GlobalVariable(
      *t.module, type, false, llvm::GlobalValue::InternalLinkage, llvm::UndefValue::get(type),
      "named_barrier", nullptr, llvm::GlobalValue::NotThreadLocal, kLocal);
  variable->setAlignment(llvm::Align(4));
  t.call_named("__named_barrier_initialize", t.builder.getVoidTy(), {variable, count});
  t.define_result(instruction, variable);
}

void wait_at_named_barrier(Translation& t, const Instruction& instruction) {
  auto* barrier = t.value(instruction[1]);
  t.require(t.type(t.id(instruction[1]).type).op == spv::Op::OpTypeNamedBarrier,
            "the operand is a named barrier");
  memory_barrier(t, instruction[2], instruction[3]);
  t.call_named("__named_barrier_wait", t.builder.getVoidTy(), {barrier});
  memory_barrier(t, instruction[2], instruction[3]);
}

} // namespace

void add_named_barriers(Readers& readers) {
  readers.add(initialize_named_barrier, {spv::Op::OpNamedBarrierInitialize});
  readers.add(wait_at_named_barrier, {spv::Op::OpMemoryNamedBarrier});
}

} // namespace heddle::compiler::spirv
