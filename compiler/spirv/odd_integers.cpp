// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers of any width, of SPV_ALTERA_arbitrary_precision_integers (once INTEL's). Each is kept in
// the next wider integer of 8, 16, 32 or 64 bits, in memory and as a value, with zeros above its
// bits: define_value() cuts what an instruction gives, and those to which a sign matters extend
// their operands.
#include "compiler/spirv/grammar.h"
#include "compiler/spirv/readers.h"
#include "llvm/IR/Constants.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

// Instructions that take such integers, or do not look at them.
bool takes_odd_integers(Op op) {
  switch (op) {
  case Op::OpUndef:
  case Op::OpVariable:
  case Op::OpLoad:
  case Op::OpStore:
  case Op::OpAccessChain:
  case Op::OpInBoundsAccessChain:
  case Op::OpPtrAccessChain:
  case Op::OpInBoundsPtrAccessChain:
  case Op::OpCopyMemory:
  case Op::OpLifetimeStart:
  case Op::OpLifetimeStop:
  case Op::OpSizeOf:
  case Op::OpFunctionCall:
  case Op::OpReturnValue:
  case Op::OpPhi:
  case Op::OpSwitch:
  case Op::OpSelect:
  case Op::OpCopyObject:
  case Op::OpCopyLogical:
  case Op::OpCompositeConstruct:
  case Op::OpCompositeExtract:
  case Op::OpCompositeInsert:
  case Op::OpVectorShuffle:
  case Op::OpVectorExtractDynamic:
  case Op::OpVectorInsertDynamic:
  case Op::OpIAdd:
  case Op::OpISub:
  case Op::OpIMul:
  case Op::OpUDiv:
  case Op::OpSDiv:
  case Op::OpUMod:
  case Op::OpSRem:
  case Op::OpSMod:
  case Op::OpSNegate:
  case Op::OpNot:
  case Op::OpShiftLeftLogical:
  case Op::OpShiftRightLogical:
  case Op::OpShiftRightArithmetic:
  case Op::OpBitwiseAnd:
  case Op::OpBitwiseOr:
  case Op::OpBitwiseXor:
  case Op::OpBitCount:
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
  case Op::OpUConvert:
  case Op::OpSConvert:
  case Op::OpConvertFToU:
  case Op::OpConvertFToS:
  case Op::OpConvertUToF:
  case Op::OpConvertSToF:
  case Op::OpConvertPtrToU:
  case Op::OpConvertUToPtr:
  case Op::OpPtrDiff:
  case Op::OpExpectKHR:
    return true;
  default:
    break;
  }
  switch (static_cast<Word>(op)) {
  case 4419: // OpUntypedAccessChainKHR and its kin
  case 4420:
  case 4423:
  case 4424:
  case 4461: // OpConstantCompositeReplicateEXT and its kin
  case 4462:
  case 4463:
  case 5121: // OpAbortKHR
  case 5949: // OpFPGARegALTERA
  case 5158: // OpPoisonKHR
  case 5159: // OpFreezeKHR
  case 6242: // OpBitwiseFunctionINTEL
  case 6258: // OpPredicatedLoadINTEL
  case 6259: // OpPredicatedStoreINTEL
  case 6428: // OpMaskedGatherINTEL
  case 6429: // OpMaskedScatterINTEL
    return true;
  default:
    return false;
  }
}

} // namespace

// Of an integer or a vector of them; 0: as many as the LLVM type has.
unsigned Translation::odd_bits(const Type& whole) const {
  return whole.op == Op::OpTypeVector ? type(whole.element).odd_bits : whole.odd_bits;
}

unsigned Translation::odd_bits_of(Word number) const {
  const auto& found = id(number);
  return has_odd_integers && found.kind == IdKind::value && id(found.type).kind == IdKind::type
             ? odd_bits(type(found.type))
             : 0;
}

llvm::Value* Translation::cut(llvm::Value* value, unsigned bits) {
  const auto width = value->getType()->getScalarSizeInBits();
  return builder.CreateAnd(
      value, llvm::ConstantInt::get(value->getType(), llvm::APInt::getLowBitsSet(width, bits)));
}

llvm::Value* Translation::with_sign(Word number, llvm::Value* value) {
  const auto bits = odd_bits_of(number);
  if (bits == 0)
    return value;
  const auto above = value->getType()->getScalarSizeInBits() - bits;
  return builder.CreateAShr(builder.CreateShl(value, above), above);
}

void Translation::check_odd_integers(const Instruction& instruction) const {
  if (!has_odd_integers || takes_odd_integers(instruction.op))
    return;
  const auto* grammar = find_instruction(static_cast<Word>(instruction.op));
  if (grammar == nullptr)
    return;
  const auto check = [&](bool is_odd) {
    require(!is_odd, "the instruction takes integers of 8, 16, 32 or 64 bits only");
  };
  if (grammar->has_type && id(instruction[1]).kind == IdKind::type)
    check(odd_bits(type(instruction[1])) != 0);
  const auto operands =
      instruction.from(1u + (grammar->has_type ? 1 : 0) + (grammar->has_result ? 1 : 0));
  for (unsigned i = 0; i < operands.size(); ++i)
    if (i >= 32 || (grammar->literals & (1u << i)) == 0)
      check(odd_bits_of(operands[i]) != 0);
}

} // namespace heddle::compiler::spirv
