// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Composites that a module writes in few words: of one constituent (SPV_EXT_replicated_composites)
// and of literal data (SPV_KHR_constant_data).
#include "compiler/spirv/readers.h"
#include "compiler/support/build.h"
#include "llvm/IR/Constants.h"

#include <cstring>

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

constexpr std::uint64_t kMaxReplicas = 1 << 16; // bounds what a few words of a module make

std::uint64_t constituents_of(const Type& composite) {
  return composite.op == Op::OpTypeStruct ? composite.members.size() : composite.count;
}

void replicated_constant(Translation& t, const Instruction& instruction) {
  const auto& result = t.result_type(instruction);
  t.require(result.op == Op::OpTypeStruct || result.op == Op::OpTypeArray ||
                result.op == Op::OpTypeVector,
            "a composite is a structure, an array or a vector");
  auto* constituent = t.constant(instruction[3], "the constituent");
  const auto count = constituents_of(result);
  for (std::uint64_t i = 0; i < (result.op == Op::OpTypeStruct ? count : 1); ++i)
    t.require(member_index(t, &result, static_cast<Word>(i))->llvm == constituent->getType(),
              "the constituent has each member's type");
  if (constituent->isNullValue())
    return t.define_value(instruction[2], instruction[1],
                          llvm::Constant::getNullValue(result.llvm));
  t.require(count <= kMaxReplicas,
            "a constituent that is not null is repeated 65,536 times at most");
  const llvm::SmallVector<llvm::Constant*, 16> all(count, constituent);
  llvm::Constant* made = nullptr;
  if (result.op == Op::OpTypeStruct)
    made = llvm::ConstantStruct::get(llvm::cast<llvm::StructType>(result.llvm), all);
  else if (result.op == Op::OpTypeVector)
    made = llvm::ConstantVector::get(all);
  else
    made = llvm::ConstantArray::get(llvm::cast<llvm::ArrayType>(result.llvm), all);
  t.define_value(instruction[2], instruction[1], made);
}

void construct_replicated(Translation& t, const Instruction& instruction) {
  const auto& result = t.result_type(instruction);
  auto* constituent = t.value(instruction[3]);
  if (result.op == Op::OpTypeVector) {
    t.require(constituent->getType() == result.llvm->getScalarType(),
              "the constituent has the component's type");
    return t.define_result(
        instruction, t.builder.CreateVectorSplat(static_cast<unsigned>(result.count), constituent));
  }
  t.require(result.op == Op::OpTypeStruct || result.op == Op::OpTypeArray,
            "a composite is a structure, an array or a vector");
  const auto count = constituents_of(result);
  t.require(count <= kMaxReplicas, "a constituent is repeated 65,536 times at most");
  llvm::Value* made = llvm::PoisonValue::get(t.sized_type(instruction[1], "the result"));
  for (unsigned i = 0; i < count; ++i) {
    t.require(member_index(t, &result, i)->llvm == constituent->getType(),
              "the constituent has each member's type");
    made = t.builder.CreateInsertValue(made, constituent, i);
  }
  t.define_result(instruction, made);
}

// OpConstantDataKHR and OpSpecConstantDataKHR: the bytes of an array of integers.
void data_constant(Translation& t, const Instruction& instruction) {
  const auto& result = t.result_type(instruction);
  t.require(result.op == Op::OpTypeArray && t.type(result.element).op == Op::OpTypeInt &&
                t.type(result.element).odd_bits == 0,
            "the data is of an array of integers");
  const auto words = instruction.from(3);
  t.require(words.size() == (result.bytes + 3) / 4, "there are as many words as the array has");
  llvm::StringRef bytes(reinterpret_cast<const char*>(words.data()), result.bytes);
  if (static_cast<Word>(instruction.op) == 5148)
    if (const auto* spec = t.decoration(instruction[2], spv::Decoration::SpecId);
        spec != nullptr && !spec->operands.empty())
      for (std::size_t i = 0; i < t.build.request.spec_constant_count; ++i)
        if (const auto& given = t.build.request.spec_constants[i]; given.id == spec->operands[0]) {
          t.require(given.value.size == result.bytes,
                    "a specialization constant is given with its type's size");
          bytes = {reinterpret_cast<const char*>(given.value.data), given.value.size};
        }
  t.define_value(instruction[2], instruction[1],
                 llvm::ConstantDataArray::getRaw(bytes, result.count, t.type(result.element).llvm));
}

} // namespace

void add_literal_data(Readers& readers) {
  readers.add(construct_replicated, {op(4463)}); // OpCompositeConstructReplicateEXT
  readers.add_outside(replicated_constant,
                      {op(4461), op(4462)});                // Op[Spec]ConstantCompositeReplicateEXT
  readers.add_outside(data_constant, {op(5147), op(5148)}); // Op[Spec]ConstantDataKHR
}

} // namespace heddle::compiler::spirv
