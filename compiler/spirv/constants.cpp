// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants and specialization constants.
#include "llvm/IR/Constants.h"

#include "compiler/spirv/readers.h"
#include "compiler/support/build.h"

#include <cstring>

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

llvm::Constant* number_constant(Translation& t, const Type& type, Words words) {
  const auto bits = type.llvm->getScalarSizeInBits();
  const std::size_t needed = bits > 32 ? 2 : 1;
  t.require(words.size() == needed, "a constant has as many words as its type");
  std::uint64_t number = words[0];
  if (needed == 2)
    number |= std::uint64_t{words[1]} << 32;
  auto value = llvm::APInt(64, number).zextOrTrunc(bits);
  if (type.odd_bits != 0)
    value.clearHighBits(bits - type.odd_bits);
  if (type.op == Op::OpTypeInt)
    return llvm::ConstantInt::get(t.context, value);
  t.require(type.op == Op::OpTypeFloat, "a constant's type is a number");
  return llvm::ConstantFP::get(t.context, llvm::APFloat(type.llvm->getFltSemantics(), value));
}

llvm::Constant* composite_constant(Translation& t, const Type& composite, Words members) {
  llvm::SmallVector<llvm::Constant*, 16> values;
  for (const auto member : members)
    values.push_back(t.constant(member, "a constituent"));
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(composite.llvm);
      structure != nullptr && composite.op == Op::OpTypeStruct) {
    t.require(values.size() == structure->getNumElements(),
              "there is a constituent for each member");
    for (unsigned i = 0; i < values.size(); ++i)
      t.require(values[i]->getType() == structure->getElementType(i),
                "a constituent has its member's type");
    return llvm::ConstantStruct::get(structure, values);
  }
  t.require(composite.op == Op::OpTypeArray || composite.op == Op::OpTypeVector,
            "a composite is a structure, an array or a vector");
  t.require(values.size() == composite.count, "there is a constituent for each element");
  auto* element = t.type(composite.element).llvm;
  for (auto* value : values)
    t.require(value->getType() == element, "a constituent has the element's type");
  if (composite.op == Op::OpTypeVector)
    return llvm::ConstantVector::get(values);
  return llvm::ConstantArray::get(llvm::cast<llvm::ArrayType>(composite.llvm), values);
}

// The value that the program has been given for the specialization constant, if any.
bool specialize(Translation& t, Word number, std::uint64_t& value, std::size_t bytes) {
  const auto* spec = t.decoration(number, spv::Decoration::SpecId);
  if (spec == nullptr || spec->operands.empty())
    return false;
  const auto& request = t.build.request;
  for (std::size_t i = 0; i < request.spec_constant_count; ++i) {
    const auto& given = request.spec_constants[i];
    if (given.id != spec->operands[0])
      continue;
    t.require(given.value.size == bytes, "a specialization constant is given with its type's size");
    value = 0;
    std::memcpy(&value, given.value.data, bytes);
    return true;
  }
  return false;
}

// Evaluates an instruction on constants: it is built at the end of a block that is thrown away, and
// whatever does not fold is refused.
void spec_constant_op(Translation& t, const Instruction& instruction) {
  const auto op = static_cast<Op>(instruction[3]);
  switch (op) {
  case Op::OpSConvert:
  case Op::OpUConvert:
  case Op::OpFConvert:
  case Op::OpSNegate:
  case Op::OpFNegate:
  case Op::OpNot:
  case Op::OpIAdd:
  case Op::OpISub:
  case Op::OpIMul:
  case Op::OpUDiv:
  case Op::OpSDiv:
  case Op::OpUMod:
  case Op::OpSRem:
  case Op::OpSMod:
  case Op::OpFAdd:
  case Op::OpFSub:
  case Op::OpFMul:
  case Op::OpFDiv:
  case Op::OpFRem:
  case Op::OpFMod:
  case Op::OpShiftRightLogical:
  case Op::OpShiftRightArithmetic:
  case Op::OpShiftLeftLogical:
  case Op::OpBitwiseOr:
  case Op::OpBitwiseXor:
  case Op::OpBitwiseAnd:
  case Op::OpVectorShuffle:
  case Op::OpCompositeExtract:
  case Op::OpCompositeInsert:
  case Op::OpLogicalOr:
  case Op::OpLogicalAnd:
  case Op::OpLogicalNot:
  case Op::OpLogicalEqual:
  case Op::OpLogicalNotEqual:
  case Op::OpSelect:
  case Op::OpIEqual:
  case Op::OpINotEqual:
  case Op::OpULessThan:
  case Op::OpSLessThan:
  case Op::OpUGreaterThan:
  case Op::OpSGreaterThan:
  case Op::OpULessThanEqual:
  case Op::OpSLessThanEqual:
  case Op::OpUGreaterThanEqual:
  case Op::OpSGreaterThanEqual:
  case Op::OpConvertFToS:
  case Op::OpConvertSToF:
  case Op::OpConvertFToU:
  case Op::OpConvertUToF:
  case Op::OpConvertPtrToU:
  case Op::OpConvertUToPtr:
  case Op::OpGenericCastToPtr:
  case Op::OpPtrCastToGeneric:
  case Op::OpBitcast:
  case Op::OpAccessChain:
  case Op::OpInBoundsAccessChain:
  case Op::OpPtrAccessChain:
  case Op::OpInBoundsPtrAccessChain:
    break;
  default:
    t.refuse("the operation is not one of OpSpecConstantOp's");
  }
  // The same words as the instruction would have.
  std::vector<Word> words = {static_cast<Word>((instruction.size() - 1) << 16) | instruction[3],
                             instruction[1], instruction[2]};
  words.insert(words.end(), instruction.words.begin() + 4, instruction.words.end());
  Instruction inner;
  inner.op = op;
  inner.at = instruction.at;
  inner.words = words;
  t.check_length(inner);
  const std::unique_ptr<llvm::BasicBlock> scratch(llvm::BasicBlock::Create(t.context));
  t.builder.SetInsertPoint(scratch.get());
  t.check_odd_integers(inner);
  read_instruction(t, inner);
  t.builder.ClearInsertionPoint();
  const auto& made = t.id(instruction[2]);
  if (made.kind != IdKind::value || !llvm::isa<llvm::Constant>(made.value))
    t.refuse("the operation has no constant value");
}

void constant_instruction(Translation& t, const Instruction& instruction) {
  const auto& result = t.result_type(instruction);
  const auto number = instruction[2];
  llvm::Constant* made = nullptr;
  std::uint64_t given = 0;
  switch (instruction.op) {
  case Op::OpUndef:
    t.require(result.bytes != 0, "an undefined value has a type with a size");
    t.require(!result.is_image(), "an image is never undefined");
    made = llvm::isa<llvm::TargetExtType>(result.llvm) || t.odd_bits(result) != 0
               ? llvm::Constant::getNullValue(result.llvm)
               : llvm::cast<llvm::Constant>(llvm::UndefValue::get(result.llvm));
    break;
  case Op::OpConstantTrue:
  case Op::OpConstantFalse:
  case Op::OpSpecConstantTrue:
  case Op::OpSpecConstantFalse: {
    t.require(result.op == Op::OpTypeBool, "the type is boolean");
    bool is_true = instruction.op == Op::OpConstantTrue || instruction.op == Op::OpSpecConstantTrue;
    if (instruction.op == Op::OpSpecConstantTrue || instruction.op == Op::OpSpecConstantFalse)
      if (specialize(t, number, given, 1))
        is_true = given != 0;
    made = llvm::ConstantInt::getBool(t.context, is_true);
    break;
  }
  case Op::OpConstant:
    made = number_constant(t, result, instruction.from(3));
    break;
  case Op::OpSpecConstant:
    made = number_constant(t, result, instruction.from(3));
    if (specialize(t, number, given, result.bytes)) {
      const Word words[] = {static_cast<Word>(given), static_cast<Word>(given >> 32)};
      made = number_constant(t, result, Words(words, result.bytes > 4 ? 2 : 1));
    }
    break;
  case Op::OpConstantComposite:
  case Op::OpSpecConstantComposite:
    made = composite_constant(t, result, instruction.from(3));
    break;
  case Op::OpConstantNull:
    t.require(result.bytes != 0, "a null value has a type with a size");
    t.require(result.op != Op::OpTypePipe, "a pipe is never null");
    t.require(!result.is_image(), "an image is never null");
    made = llvm::Constant::getNullValue(result.llvm);
    break;
  case Op::OpSpecConstantOp:
    return spec_constant_op(t, instruction);
  default:
    t.refuse("the constant is not supported");
  }
  t.define_value(number, instruction[1], made);
}

} // namespace

void add_constants(Readers& readers) {
  readers.add(constant_instruction, {Op::OpUndef});
  readers.add_outside(constant_instruction,
                      {Op::OpConstantTrue, Op::OpConstantFalse, Op::OpConstant,
                       Op::OpConstantComposite, Op::OpConstantNull, Op::OpSpecConstantTrue,
                       Op::OpSpecConstantFalse, Op::OpSpecConstant, Op::OpSpecConstantComposite,
                       Op::OpSpecConstantOp, Op::OpUndef});
}

} // namespace heddle::compiler::spirv
