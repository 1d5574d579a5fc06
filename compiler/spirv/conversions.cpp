// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions between types, and between pointers and integers.
#include "compiler/spirv/readers.h"

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

// convert_T_sat_rtX: what LLVM's own conversions do not do.
llvm::Value* call_conversion(Translation& t, const Instruction& instruction, Sign from, Sign to,
                             bool saturated) {
  auto* type = t.result_type(instruction).llvm;
  auto name = "convert_" + type_name(type, to);
  if (saturated)
    name += "_sat";
  if (const auto mode = t.rounding(instruction[2]))
    name += rounding_suffix(*mode);
  return t.call_builtin(name, type, {t.argument(t.value(instruction[3]), from)});
}

void convert(Translation& t, const Instruction& instruction) {
  auto* to = t.sized_type(instruction[1], "the result");
  auto* operand = t.value(instruction[3]);
  auto* from = operand->getType();
  t.require(lanes_of(from) == lanes_of(to) && from->isVectorTy() == to->isVectorTy(),
            "the result has as many components as the operand");
  const bool saturated = t.saturates(instruction[2]);
  const bool rounded = t.rounding(instruction[2]).has_value();
  t.require((!saturated && !rounded) ||
                (t.odd_bits(t.result_type(instruction)) == 0 && t.odd_bits_of(instruction[3]) == 0),
            "integers that are rounded or saturated have 8, 16, 32 or 64 bits");
  if (instruction.op == Op::OpSConvert || instruction.op == Op::OpConvertSToF)
    operand = t.with_sign(instruction[3], operand);
  const auto u = Sign::is_unsigned;
  const auto s = Sign::is_signed;
  llvm::Value* made = nullptr;
  switch (instruction.op) {
  case Op::OpConvertFToU:
  case Op::OpConvertFToS: {
    t.require(from->isFPOrFPVectorTy() && is_integers(to), "floating-point becomes integers");
    const bool is_unsigned = instruction.op == Op::OpConvertFToU;
    if (saturated || rounded)
      made = call_conversion(t, instruction, s, is_unsigned ? u : s, saturated);
    else
      made =
          is_unsigned ? t.builder.CreateFPToUI(operand, to) : t.builder.CreateFPToSI(operand, to);
    break;
  }
  case Op::OpConvertSToF:
  case Op::OpConvertUToF: {
    t.require(is_integers(from) && to->isFPOrFPVectorTy(), "integers become floating-point");
    const bool is_unsigned = instruction.op == Op::OpConvertUToF;
    if (rounded)
      made = call_conversion(t, instruction, is_unsigned ? u : s, s, false);
    else
      made =
          is_unsigned ? t.builder.CreateUIToFP(operand, to) : t.builder.CreateSIToFP(operand, to);
    break;
  }
  case Op::OpUConvert:
  case Op::OpSConvert: {
    t.require(is_integers(from) && is_integers(to), "integers become integers");
    const auto sign = instruction.op == Op::OpUConvert ? u : s;
    if (saturated)
      made = call_conversion(t, instruction, sign, sign, true);
    else
      made = sign == u ? t.builder.CreateZExtOrTrunc(operand, to)
                       : t.builder.CreateSExtOrTrunc(operand, to);
    break;
  }
  default: // OpFConvert
    t.require(from->isFPOrFPVectorTy() && to->isFPOrFPVectorTy(),
              "floating-point becomes floating-point");
    t.builder.clearFastMathFlags();
    made = rounded ? call_conversion(t, instruction, s, s, false)
                   : t.builder.CreateFPCast(operand, to);
    break;
  }
  t.define_result(instruction, made);
}

// OpSatConvertSToU and OpSatConvertUToS.
void saturate(Translation& t, const Instruction& instruction) {
  auto* to = t.result_type(instruction).llvm;
  auto* from = t.value(instruction[3])->getType();
  t.require(is_integers(from) && is_integers(to) && lanes_of(from) == lanes_of(to) &&
                from->isVectorTy() == to->isVectorTy(),
            "integers become integers");
  const bool to_unsigned = instruction.op == Op::OpSatConvertSToU;
  t.define_result(instruction,
                  call_conversion(t, instruction, to_unsigned ? Sign::is_signed : Sign::is_unsigned,
                                  to_unsigned ? Sign::is_unsigned : Sign::is_signed, true));
}

void bitcast(Translation& t, const Instruction& instruction) {
  const auto& result = t.result_type(instruction);
  if (is_pointers(t, result) || is_pointers(t, t.type_of_value(instruction[3])))
    return cast_pointers(t, instruction);
  auto* operand = t.value(instruction[3]);
  auto* from = operand->getType();
  const auto is_bits = [](const llvm::Type* type) {
    return is_integers(type) || type->isFPOrFPVectorTy();
  };
  llvm::Value* made = nullptr;
  if (result.llvm->isPointerTy() && from->isPointerTy()) {
    t.require(from == result.llvm, "a pointer keeps its storage class");
    made = operand;
  } else if (result.llvm->isPointerTy()) {
    t.require(is_bits(from) && from->getPrimitiveSizeInBits() == 64, "a pointer has 64 bits");
    made = t.builder.CreateIntToPtr(t.builder.CreateBitCast(operand, t.builder.getInt64Ty()),
                                    result.llvm);
  } else if (from->isPointerTy()) {
    t.require(is_bits(result.llvm) && result.llvm->getPrimitiveSizeInBits() == 64,
              "a pointer has 64 bits");
    made = t.builder.CreateBitCast(t.builder.CreatePtrToInt(operand, t.builder.getInt64Ty()),
                                   result.llvm);
  } else {
    t.require(is_bits(from) && is_bits(result.llvm) &&
                  from->getPrimitiveSizeInBits() == result.llvm->getPrimitiveSizeInBits(),
              "the operand has as many bits as the result");
    made = t.builder.CreateBitCast(operand, result.llvm);
  }
  t.define_value(instruction[2], instruction[1], made);
}

void pointer_cast(Translation& t, const Instruction& instruction) {
  const auto& result = t.result_type(instruction);
  if (is_pointers(t, result) || is_pointers(t, t.type_of_value(instruction[3])))
    return cast_pointers(t, instruction);
  if (instruction.op == Op::OpConvertPtrToU) {
    auto* operand = t.pointer(instruction[3], "the operand");
    t.require(result.op == Op::OpTypeInt, "the result is an integer");
    auto* word = t.builder.CreatePtrToInt(operand, t.builder.getInt64Ty());
    t.define_result(instruction, t.builder.CreateZExtOrTrunc(word, result.llvm));
    return;
  }
  if (result.op == Op::OpTypeDeviceEvent || result.op == Op::OpTypeQueue) {
    // What translators write for CLK_NULL_EVENT and null queues, which they also cast to what they
    // are.
    if (instruction.op == Op::OpGenericCastToPtr) {
      auto* operand = t.value(instruction[3]);
      t.require(operand->getType() == result.llvm, "the operand has the result's type");
      t.define_result(instruction, operand);
      return;
    }
    t.require(instruction.op == Op::OpConvertUToPtr, "the result is a pointer");
    auto* word = t.builder.CreateZExtOrTrunc(t.integer(instruction[3], "the operand"),
                                             t.builder.getInt64Ty());
    auto* place = entry_alloca(t, result.llvm);
    t.builder.CreateStore(word, place);
    t.define_result(instruction, t.builder.CreateLoad(result.llvm, place));
    return;
  }
  t.require(result.op == Op::OpTypePointer, "the result is a pointer");
  if (instruction.op == Op::OpConvertUToPtr) {
    auto* operand = t.builder.CreateZExtOrTrunc(t.integer(instruction[3], "the operand"),
                                                t.builder.getInt64Ty());
    t.define_result(instruction, t.builder.CreateIntToPtr(operand, result.llvm));
    return;
  }
  auto* operand = t.pointer(instruction[3], "the operand");
  const auto from = operand->getType()->getPointerAddressSpace();
  const auto to = result.llvm->getPointerAddressSpace();
  if (instruction.op == Op::OpPtrCastToGeneric) {
    t.require(to == 4 && (from == 0 || from == 1 || from == 3),
              "Function, Workgroup and CrossWorkgroup pointers become Generic");
    t.define_result(instruction, t.builder.CreateAddrSpaceCast(operand, result.llvm));
    return;
  }
  t.require(from == 4 && (to == 0 || to == 1 || to == 3),
            "a Generic pointer becomes a Function, Workgroup or CrossWorkgroup one");
  if (instruction.op == Op::OpGenericCastToPtr) {
    t.define_result(instruction, t.builder.CreateAddrSpaceCast(operand, result.llvm));
    return;
  }
  t.require(instruction[4] == static_cast<Word>(result.storage),
            "the storage class is the result's");
  const char* function = to == 1 ? "__to_global" : to == 3 ? "__to_local" : "__to_private";
  t.define_result(instruction, t.call_named(function, result.llvm, {operand}, Effect::none));
}

// What a value is already.
void define_as_is(Translation& t, const Instruction& instruction) {
  t.define_result(instruction,
                  t.value_of(instruction[3], t.result_type(instruction).llvm, "the operand"));
}

} // namespace

void add_conversions(Readers& readers) {
  readers.add(convert, {Op::OpConvertFToU, Op::OpConvertFToS, Op::OpConvertSToF, Op::OpConvertUToF,
                        Op::OpUConvert, Op::OpSConvert, Op::OpFConvert});
  readers.add(saturate, {Op::OpSatConvertSToU, Op::OpSatConvertUToS});
  readers.add(bitcast, {Op::OpBitcast});
  readers.add(pointer_cast, {Op::OpConvertPtrToU, Op::OpConvertUToPtr, Op::OpPtrCastToGeneric,
                             Op::OpGenericCastToPtr, Op::OpGenericCastToPtrExplicit});
  readers.add(define_as_is,
              {op(5934), op(5938),
               op(5949)}); // Op[PtrCastToCrossWorkgroup|CrossWorkgroupCastToPtr|FPGAReg]ALTERA
}

} // namespace heddle::compiler::spirv
