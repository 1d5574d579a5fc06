// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Composites that a module writes in few words: of one constituent (SPV_EXT_replicated_composites)
// and of literal data (SPV_KHR_constant_data).
#include "compiler/spirv/translator.h"
#include "compiler/support/build.h"
#include "llvm/IR/Constants.h"

#include <cstring>

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

constexpr std::uint64_t kMostReplicas = 1 << 16; // bounds what a few words of a module make

std::uint64_t constituents_of(const Type& composite) {
  return composite.op == Op::OpTypeStruct ? composite.members.size() : composite.count;
}

} // namespace

void Translator::replicated_constant(const Instruction& instruction) {
  const auto& result = result_type(instruction);
  require(result.op == Op::OpTypeStruct || result.op == Op::OpTypeArray ||
              result.op == Op::OpTypeVector,
          "a composite is a structure, an array or a vector");
  auto* constituent = constant(instruction[3], "the constituent");
  const auto count = constituents_of(result);
  for (std::uint64_t i = 0; i < (result.op == Op::OpTypeStruct ? count : 1); ++i)
    require(member_index(&result, static_cast<Word>(i))->llvm == constituent->getType(),
            "the constituent has each member's type");
  if (constituent->isNullValue())
    return define_value(instruction[2], instruction[1], llvm::Constant::getNullValue(result.llvm));
  require(count <= kMostReplicas,
          "a constituent that is not null is repeated 65,536 times at most");
  const llvm::SmallVector<llvm::Constant*, 16> all(count, constituent);
  llvm::Constant* made = nullptr;
  if (result.op == Op::OpTypeStruct)
    made = llvm::ConstantStruct::get(llvm::cast<llvm::StructType>(result.llvm), all);
  else if (result.op == Op::OpTypeVector)
    made = llvm::ConstantVector::get(all);
  else
    made = llvm::ConstantArray::get(llvm::cast<llvm::ArrayType>(result.llvm), all);
  define_value(instruction[2], instruction[1], made);
}

void Translator::construct_replicated(const Instruction& instruction) {
  const auto& result = result_type(instruction);
  auto* constituent = value(instruction[3]);
  if (result.op == Op::OpTypeVector) {
    require(constituent->getType() == result.llvm->getScalarType(),
            "the constituent has the component's type");
    return define_result(
        instruction, builder_.CreateVectorSplat(static_cast<unsigned>(result.count), constituent));
  }
  require(result.op == Op::OpTypeStruct || result.op == Op::OpTypeArray,
          "a composite is a structure, an array or a vector");
  const auto count = constituents_of(result);
  require(count <= kMostReplicas, "a constituent is repeated 65,536 times at most");
  llvm::Value* made = llvm::PoisonValue::get(sized_type(instruction[1], "the result"));
  for (unsigned i = 0; i < count; ++i) {
    require(member_index(&result, i)->llvm == constituent->getType(),
            "the constituent has each member's type");
    made = builder_.CreateInsertValue(made, constituent, i);
  }
  define_result(instruction, made);
}

// OpConstantDataKHR and OpSpecConstantDataKHR: the bytes of an array of integers.
void Translator::data_constant(const Instruction& instruction) {
  const auto& result = result_type(instruction);
  require(result.op == Op::OpTypeArray && type(result.element).op == Op::OpTypeInt &&
              type(result.element).odd_bits == 0,
          "the data is of an array of integers");
  const auto words = instruction.from(3);
  require(words.size() == (result.bytes + 3) / 4, "there are as many words as the array has");
  llvm::StringRef bytes(reinterpret_cast<const char*>(words.data()), result.bytes);
  if (static_cast<Word>(instruction.op) == 5148)
    if (const auto* spec = decoration(instruction[2], spv::Decoration::SpecId);
        spec != nullptr && !spec->operands.empty())
      for (std::size_t i = 0; i < build_.request.spec_constant_count; ++i)
        if (const auto& given = build_.request.spec_constants[i]; given.id == spec->operands[0]) {
          require(given.value.size == result.bytes,
                  "a specialization constant is given with its type's size");
          bytes = {reinterpret_cast<const char*>(given.value.data), given.value.size};
        }
  define_value(instruction[2], instruction[1],
               llvm::ConstantDataArray::getRaw(bytes, result.count, type(result.element).llvm));
}

} // namespace heddle::compiler::spirv
