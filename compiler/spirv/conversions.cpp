// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions between types, and between pointers and integers.
#include "compiler/spirv/translator.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

unsigned lanes_of(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector != nullptr ? vector->getNumElements() : 1;
}

// "uint4"
std::string type_name(const llvm::Type* type, Sign sign) {
  const auto* scalar = type->getScalarType();
  std::string name;
  if (scalar->isHalfTy())
    name = "half";
  else if (scalar->isFloatTy())
    name = "float";
  else if (scalar->isDoubleTy())
    name = "double";
  else {
    const auto bits = scalar->getIntegerBitWidth();
    name = bits == 8 ? "char" : bits == 16 ? "short" : bits == 32 ? "int" : "long";
    if (sign == Sign::is_unsigned)
      name.insert(0, 1, 'u');
  }
  return lanes_of(type) > 1 ? name + std::to_string(lanes_of(type)) : name;
}

const char* rounding_suffix(spv::FPRoundingMode mode) {
  switch (mode) {
  case spv::FPRoundingMode::RTE:
    return "_rte";
  case spv::FPRoundingMode::RTZ:
    return "_rtz";
  case spv::FPRoundingMode::RTP:
    return "_rtp";
  default:
    return "_rtn";
  }
}

} // namespace

// convert_T_sat_rtX: what LLVM's own conversions do not do.
llvm::Value* Translator::call_conversion(const Instruction& instruction, Sign from, Sign to,
                                         bool saturated) {
  auto* type = result_type(instruction).llvm;
  auto name = "convert_" + type_name(type, to);
  if (saturated)
    name += "_sat";
  if (const auto mode = rounding(instruction[2]))
    name += rounding_suffix(*mode);
  return call_builtin(name, type, {argument(value(instruction[3]), from)});
}

void Translator::convert(const Instruction& instruction) {
  auto* to = sized_type(instruction[1], "the result");
  auto* operand = value(instruction[3]);
  auto* from = operand->getType();
  require(lanes_of(from) == lanes_of(to) && from->isVectorTy() == to->isVectorTy(),
          "the result has as many components as the operand");
  const bool saturated = saturates(instruction[2]);
  const bool rounded = rounding(instruction[2]).has_value();
  require((!saturated && !rounded) ||
              (odd_bits(result_type(instruction)) == 0 && odd_bits_of(instruction[3]) == 0),
          "integers that are rounded or saturated have 8, 16, 32 or 64 bits");
  if (instruction.op == Op::OpSConvert || instruction.op == Op::OpConvertSToF)
    operand = with_sign(instruction[3], operand);
  const auto u = Sign::is_unsigned;
  const auto s = Sign::is_signed;
  llvm::Value* made = nullptr;
  switch (instruction.op) {
  case Op::OpConvertFToU:
  case Op::OpConvertFToS: {
    require(from->isFPOrFPVectorTy() && is_integers(to), "floating-point becomes integers");
    const bool is_unsigned = instruction.op == Op::OpConvertFToU;
    if (saturated || rounded)
      made = call_conversion(instruction, s, is_unsigned ? u : s, saturated);
    else
      made = is_unsigned ? builder_.CreateFPToUI(operand, to) : builder_.CreateFPToSI(operand, to);
    break;
  }
  case Op::OpConvertSToF:
  case Op::OpConvertUToF: {
    require(is_integers(from) && to->isFPOrFPVectorTy(), "integers become floating-point");
    const bool is_unsigned = instruction.op == Op::OpConvertUToF;
    if (rounded)
      made = call_conversion(instruction, is_unsigned ? u : s, s, false);
    else
      made = is_unsigned ? builder_.CreateUIToFP(operand, to) : builder_.CreateSIToFP(operand, to);
    break;
  }
  case Op::OpUConvert:
  case Op::OpSConvert: {
    require(is_integers(from) && is_integers(to), "integers become integers");
    const auto sign = instruction.op == Op::OpUConvert ? u : s;
    if (saturated)
      made = call_conversion(instruction, sign, sign, true);
    else
      made = sign == u ? builder_.CreateZExtOrTrunc(operand, to)
                       : builder_.CreateSExtOrTrunc(operand, to);
    break;
  }
  default: // OpFConvert
    require(from->isFPOrFPVectorTy() && to->isFPOrFPVectorTy(),
            "floating-point becomes floating-point");
    builder_.clearFastMathFlags();
    made = rounded ? call_conversion(instruction, s, s, false) : builder_.CreateFPCast(operand, to);
    break;
  }
  define_result(instruction, made);
}

// OpSatConvertSToU and OpSatConvertUToS.
void Translator::saturate(const Instruction& instruction) {
  auto* to = result_type(instruction).llvm;
  auto* from = value(instruction[3])->getType();
  require(is_integers(from) && is_integers(to) && lanes_of(from) == lanes_of(to) &&
              from->isVectorTy() == to->isVectorTy(),
          "integers become integers");
  const bool to_unsigned = instruction.op == Op::OpSatConvertSToU;
  define_result(instruction,
                call_conversion(instruction, to_unsigned ? Sign::is_signed : Sign::is_unsigned,
                                to_unsigned ? Sign::is_unsigned : Sign::is_signed, true));
}

void Translator::bitcast(const Instruction& instruction) {
  const auto& result = result_type(instruction);
  if (is_pointers(result) || is_pointers(type_of_value(instruction[3])))
    return cast_pointers(instruction);
  auto* operand = value(instruction[3]);
  auto* from = operand->getType();
  const auto is_bits = [](const llvm::Type* type) {
    return is_integers(type) || type->isFPOrFPVectorTy();
  };
  llvm::Value* made = nullptr;
  if (result.llvm->isPointerTy() && from->isPointerTy()) {
    require(from == result.llvm, "a pointer keeps its storage class");
    made = operand;
  } else if (result.llvm->isPointerTy()) {
    require(is_bits(from) && from->getPrimitiveSizeInBits() == 64, "a pointer has 64 bits");
    made = builder_.CreateIntToPtr(builder_.CreateBitCast(operand, builder_.getInt64Ty()),
                                   result.llvm);
  } else if (from->isPointerTy()) {
    require(is_bits(result.llvm) && result.llvm->getPrimitiveSizeInBits() == 64,
            "a pointer has 64 bits");
    made = builder_.CreateBitCast(builder_.CreatePtrToInt(operand, builder_.getInt64Ty()),
                                  result.llvm);
  } else {
    require(is_bits(from) && is_bits(result.llvm) &&
                from->getPrimitiveSizeInBits() == result.llvm->getPrimitiveSizeInBits(),
            "the operand has as many bits as the result");
    made = builder_.CreateBitCast(operand, result.llvm);
  }
  define_value(instruction[2], instruction[1], made);
}

void Translator::pointer_cast(const Instruction& instruction) {
  const auto& result = result_type(instruction);
  if (is_pointers(result) || is_pointers(type_of_value(instruction[3])))
    return cast_pointers(instruction);
  if (instruction.op == Op::OpConvertPtrToU) {
    auto* operand = pointer(instruction[3], "the operand");
    require(result.op == Op::OpTypeInt, "the result is an integer");
    auto* word = builder_.CreatePtrToInt(operand, builder_.getInt64Ty());
    define_result(instruction, builder_.CreateZExtOrTrunc(word, result.llvm));
    return;
  }
  if (result.op == Op::OpTypeDeviceEvent || result.op == Op::OpTypeQueue) {
    // What translators write for CLK_NULL_EVENT and null queues, which they also cast to what they
    // are.
    if (instruction.op == Op::OpGenericCastToPtr) {
      auto* operand = value(instruction[3]);
      require(operand->getType() == result.llvm, "the operand has the result's type");
      define_result(instruction, operand);
      return;
    }
    require(instruction.op == Op::OpConvertUToPtr, "the result is a pointer");
    auto* word =
        builder_.CreateZExtOrTrunc(integer(instruction[3], "the operand"), builder_.getInt64Ty());
    auto* place = entry_alloca(result.llvm);
    builder_.CreateStore(word, place);
    define_result(instruction, builder_.CreateLoad(result.llvm, place));
    return;
  }
  require(result.op == Op::OpTypePointer, "the result is a pointer");
  if (instruction.op == Op::OpConvertUToPtr) {
    auto* operand =
        builder_.CreateZExtOrTrunc(integer(instruction[3], "the operand"), builder_.getInt64Ty());
    define_result(instruction, builder_.CreateIntToPtr(operand, result.llvm));
    return;
  }
  auto* operand = pointer(instruction[3], "the operand");
  const auto from = operand->getType()->getPointerAddressSpace();
  const auto to = result.llvm->getPointerAddressSpace();
  if (instruction.op == Op::OpPtrCastToGeneric) {
    require(to == 4 && (from == 0 || from == 1 || from == 3),
            "Function, Workgroup and CrossWorkgroup pointers become Generic");
    define_result(instruction, builder_.CreateAddrSpaceCast(operand, result.llvm));
    return;
  }
  require(from == 4 && (to == 0 || to == 1 || to == 3),
          "a Generic pointer becomes a Function, Workgroup or CrossWorkgroup one");
  if (instruction.op == Op::OpGenericCastToPtr) {
    define_result(instruction, builder_.CreateAddrSpaceCast(operand, result.llvm));
    return;
  }
  require(instruction[4] == static_cast<Word>(result.storage), "the storage class is the result's");
  const char* function = to == 1 ? "__to_global" : to == 3 ? "__to_local" : "__to_private";
  define_result(instruction, call_named(function, result.llvm, {operand}, Effect::none));
}

} // namespace heddle::compiler::spirv
