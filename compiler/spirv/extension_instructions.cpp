// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of small extensions: block reads and writes of SPV_INTEL_subgroups, clocks, split
// barriers, conversions, poison, multiplication with addition, functions of integers.
#include "compiler/ir/address_space.h"
#include "compiler/spirv/readers.h"
#include "llvm/IR/Constants.h"

namespace heddle::compiler::spirv {
namespace {

// Newer than the SPIRV-Headers that Heddle is built with may be.
constexpr auto kPoison = static_cast<spv::Op>(5158);
constexpr auto kFToBF16 = static_cast<spv::Op>(6116);
constexpr auto kBarrierArrive = static_cast<spv::Op>(6142);

// The suffix of intel_sub_group_block_read and _write for elements of this size.
const char* block_suffix(unsigned bits) {
  return bits == 8 ? "_uc" : bits == 16 ? "_us" : bits == 32 ? "_ui" : "_ul";
}

void poison_or_freeze(Translation& t, const Instruction& instruction) {
  auto* type = t.result_type(instruction).llvm;
  t.require(type->isSized(), "the result has a size");
  t.define_result(instruction,
                  instruction.op == kPoison
                      ? static_cast<llvm::Value*>(llvm::PoisonValue::get(type))
                      : t.builder.CreateFreeze(t.value_of(instruction[3], type, "the operand")));
}

void fused_multiply_add(Translation& t, const Instruction& instruction) {
  auto* type = t.result_type(instruction).llvm;
  t.require(type->isFPOrFPVectorTy(), "the operands are floating-point");
  llvm::SmallVector<Argument, 3> arguments;
  for (unsigned i = 3; i < 6; ++i)
    arguments.push_back(
        t.argument(t.value_of(instruction[i], type, "the operand"), Sign::is_signed));
  t.define_result(instruction, t.call_builtin("fma", type, arguments));
}

// The builtin library's function for data of a type.
std::string block_function(const Translation& t, const llvm::Type* type, bool is_write) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  const auto count = vector != nullptr ? vector->getNumElements() : 1;
  const auto bits = type->getScalarSizeInBits();
  t.require(type->getScalarType()->isIntegerTy() && bits >= 8,
            "the data is an integer or a vector");
  t.require(count != 3 && (count != 16 || bits <= 16),
            "a block has 1, 2, 4 or 8 elements for each invocation, or 16 of at most 16 bits");
  return std::string("intel_sub_group_block_") + (is_write ? "write" : "read") +
         block_suffix(bits) + (count != 1 ? std::to_string(count) : "");
}

// By the builtin library's functions of cl_intel_subgroups.
void sub_group_block(Translation& t, const Instruction& instruction) {
  const bool is_write = instruction.op == spv::Op::OpSubgroupBlockWriteINTEL;
  auto* place = t.pointer(instruction[is_write ? 1 : 3], "the pointer");
  const auto space = place->getType()->getPointerAddressSpace();
  t.require(space == 1 || space == 3, "the pointer is CrossWorkgroup or Workgroup");
  auto* data = is_write ? t.value(instruction[2]) : nullptr;
  auto* type = is_write ? data->getType() : t.result_type(instruction).llvm;
  const auto name = block_function(t, type, is_write);
  const auto element = t.mangled(type->getScalarType(), Sign::is_unsigned);
  if (is_write)
    t.call_builtin(
        name, t.builder.getVoidTy(),
        {{place, t.mangled_pointer(element, space)}, {data, t.mangled(type, Sign::is_unsigned)}},
        Effect::any);
  else
    t.define_result(
        instruction,
        t.call_builtin(name, type, {{place, t.mangled_pointer(element, space, "K")}}, Effect::any));
}

void sub_group_image_block(Translation& t, const Instruction& instruction) {
  const bool is_write = instruction.op == spv::Op::OpSubgroupImageBlockWriteINTEL;
  const auto image = image_argument(t, instruction[is_write ? 1 : 3]);
  const auto& image_type = image_of_value(t, instruction[is_write ? 1 : 3]);
  t.require(image_type.dim == spv::Dim::Dim2D && !image_type.is_array && !image_type.is_depth,
            "the image is 2D");
  t.require(image_type.access == 2 || image_type.access == (is_write ? 1u : 0u),
            "the image has the access that the instruction needs");
  auto* place = t.value_of(instruction[is_write ? 2 : 4],
                           llvm::FixedVectorType::get(t.builder.getInt32Ty(), 2), "the coordinate");
  auto* data = is_write ? t.value(instruction[3]) : nullptr;
  auto* type = is_write ? data->getType() : t.result_type(instruction).llvm;
  const auto name = block_function(t, type, is_write);
  const auto coordinate = t.argument(place, Sign::is_signed);
  if (is_write)
    t.call_builtin(name, t.builder.getVoidTy(),
                   {image, coordinate, {data, t.mangled(type, Sign::is_unsigned)}}, Effect::any);
  else
    t.define_result(instruction, t.call_builtin(name, type, {image, coordinate}, Effect::any));
}

// Private memory that lives until the function returns, or the memory that was saved before is
// restored. Private memory has a size that the compiler knows, so the length is a constant, mostly
// a specialization constant, and the array a variable like others: one, however often the
// instruction is executed, which is right between saving and restoring and in the first block.
void variable_length_array(Translation& t, const Instruction& instruction) {
  if (instruction.op == spv::Op::OpSaveMemoryINTEL) {
    t.body.saves_memory = true;
    const auto& result = t.result_type(instruction);
    t.require(result.op == spv::Op::OpTypePointer && result.storage == spv::StorageClass::Function,
              "the result is a pointer of the storage class Function");
    return t.define_result(instruction, llvm::Constant::getNullValue(result.llvm));
  }
  if (instruction.op == spv::Op::OpRestoreMemoryINTEL) {
    auto* saved = t.pointer(instruction[1], "the pointer");
    t.require(saved->getType()->getPointerAddressSpace() == kPrivate,
              "the pointer is of saved memory");
    return;
  }
  // The untyped instruction has the type of an element before the length.
  const bool is_untyped = static_cast<Word>(instruction.op) == 6244;
  const auto& result = t.result_type(instruction);
  t.require(result.op == spv::Op::OpTypePointer && result.is_untyped == is_untyped &&
                (is_untyped || result.element != 0) &&
                result.storage == spv::StorageClass::Function,
            "the result is a pointer of the storage class Function");
  const auto element_type = is_untyped ? instruction[3] : result.element;
  auto* element = t.sized_type(element_type, "an element");
  const auto length =
      t.constant_number(instruction[is_untyped ? 4 : 3], "the length of an array on this device");
  t.require(length <= 0xFFFFFFFF / t.type(element_type).bytes, "an array has less than 4 GiB");
  const auto& function = *t.functions[t.function_number - 1].llvm;
  t.require(t.body.saves_memory || t.builder.GetInsertBlock() == &function.getEntryBlock(),
            "behind the first block of a function, memory is saved before an array is made");
  auto* made = llvm::cast<llvm::AllocaInst>(entry_alloca(t, llvm::ArrayType::get(element, length)));
  made->setAlignment(std::max(t.alignment(instruction[2]).valueOrOne(),
                              t.module->getDataLayout().getABITypeAlign(element)));
  t.define_result(instruction, made);
}

void read_clock(Translation& t, const Instruction& instruction) {
  const auto* scope = llvm::dyn_cast<llvm::ConstantInt>(t.integer(instruction[3], "the scope"));
  t.require(scope != nullptr && (scope->equalsInt(static_cast<Word>(spv::Scope::Device)) ||
                                 scope->equalsInt(static_cast<Word>(spv::Scope::Workgroup)) ||
                                 scope->equalsInt(static_cast<Word>(spv::Scope::Subgroup))),
            "the scope is the device, the work-group or the sub-group");
  auto* type = t.result_type(instruction).llvm;
  auto* halves = llvm::FixedVectorType::get(t.builder.getInt32Ty(), 2);
  t.require(type->isIntegerTy(64) || type == halves,
            "the result is an integer of 64 bits or two of 32");
  auto* time = t.builder.CreateIntrinsic(llvm::Intrinsic::readcyclecounter,
                                         llvm::ArrayRef<llvm::Type*>(), {});
  t.define_result(instruction, t.builder.CreateBitCast(time, type));
}

// The whole barrier is where the work-items wait: what they wrote before they arrived is visible
// then.
void split_barrier(Translation& t, const Instruction& instruction) {
  t.require(t.constant_number(instruction[1], "the execution scope") ==
                static_cast<Word>(spv::Scope::Workgroup),
            "a split barrier is of the work-group");
  if (instruction.op == kBarrierArrive)
    return memory_barrier(t, instruction[2], instruction[3]);
  barrier(t, instruction);
}

// Numbers of type bfloat16 are integers of 16 bits, the upper ones of a float. By arithmetic on
// these: few CPUs have an instruction, and LLVM calls a function on the others.
void bfloat16_conversion(Translation& t, const Instruction& instruction) {
  auto* type = t.result_type(instruction).llvm;
  auto* given = t.value(instruction[3]);
  const bool narrows = instruction.op == kFToBF16;
  auto* from = given->getType();
  t.require(narrows ? from->getScalarType()->isFloatTy() && type->getScalarType()->isIntegerTy(16)
                    : from->getScalarType()->isIntegerTy(16) && type->getScalarType()->isFloatTy(),
            "bfloat16 numbers are integers of 16 bits, the others floats");
  t.require(llvm::isa<llvm::VectorType>(from) == llvm::isa<llvm::VectorType>(type) &&
                (!llvm::isa<llvm::VectorType>(from) ||
                 llvm::cast<llvm::VectorType>(from)->getElementCount() ==
                     llvm::cast<llvm::VectorType>(type)->getElementCount()),
            "operand and result have as many components");
  auto* words = from->getWithNewType(t.builder.getInt32Ty());
  if (!narrows) {
    auto* upper = t.builder.CreateShl(t.builder.CreateZExt(given, words), 16);
    t.define_result(instruction, t.builder.CreateBitCast(upper, type));
    return;
  }
  const auto number = [&](Word n) { return llvm::ConstantInt::get(words, n); };
  auto* bits = t.builder.CreateBitCast(given, words);
  auto* odd = t.builder.CreateAnd(t.builder.CreateLShr(bits, 16), number(1));
  auto* rounded = t.builder.CreateAdd(bits, t.builder.CreateAdd(odd, number(0x7FFF)));
  auto* quiet = t.builder.CreateOr(bits, number(0x400000));
  auto* is_nan = t.builder.CreateFCmpUNO(given, given);
  auto* chosen = t.builder.CreateSelect(is_nan, quiet, rounded);
  t.define_result(instruction, t.builder.CreateTrunc(t.builder.CreateLShr(chosen, 16), type));
}

// The bits of three operands by a table of eight: the bit of a row says the result where the bits
// of the operands are that row's number, that of the first lowest.
void bitwise_function(Translation& t, const Instruction& instruction) {
  auto* type = t.result_type(instruction).llvm;
  t.require(type->isIntOrIntVectorTy() && !type->isIntOrIntVectorTy(1),
            "the operands are integers");
  llvm::Value* operands[3];
  for (unsigned i = 0; i < 3; ++i)
    operands[i] = t.value_of(instruction[3 + i], type, "an operand");
  const auto table = t.constant_number(instruction[6], "the table");
  auto* ones = llvm::Constant::getAllOnesValue(type);
  auto* zeros = llvm::Constant::getNullValue(type);
  // Where the operand is set, and where it is not.
  const auto choose = [&](llvm::Value* by, llvm::Value* set, llvm::Value* clear) -> llvm::Value* {
    if (set == clear)
      return set;
    if (set == ones && clear == zeros)
      return by;
    auto* inverse = t.builder.CreateNot(by);
    if (set == zeros && clear == ones)
      return inverse;
    return t.builder.CreateOr(t.builder.CreateAnd(by, set), t.builder.CreateAnd(inverse, clear));
  };
  llvm::Value* rows[8];
  for (unsigned i = 0; i < 8; ++i)
    rows[i] = (table >> i & 1) != 0 ? ones : zeros;
  for (unsigned operand = 0, count = 8; operand < 3; ++operand, count /= 2)
    for (unsigned i = 0; i < count / 2; ++i)
      rows[i] = choose(operands[operand], rows[2 * i + 1], rows[2 * i]);
  t.define_result(instruction, rows[0]);
}

// To 10 bits of the fraction, to nearest even; NaNs stay NaNs.
void round_to_tf32(Translation& t, const Instruction& instruction) {
  auto* type = t.result_type(instruction).llvm;
  t.require(type->getScalarType()->isFloatTy(), "the operand is of floats");
  auto* given = t.value_of(instruction[3], type, "the operand");
  auto* words = type->getWithNewType(t.builder.getInt32Ty());
  const auto number = [&](Word n) { return llvm::ConstantInt::get(words, n); };
  auto* bits = t.builder.CreateBitCast(given, words);
  auto* odd = t.builder.CreateAnd(t.builder.CreateLShr(bits, 13), number(1));
  auto* rounded = t.builder.CreateAdd(bits, t.builder.CreateAdd(odd, number(0xFFF)));
  auto* quiet = t.builder.CreateOr(bits, number(0x400000));
  t.builder.clearFastMathFlags();
  auto* is_nan = t.builder.CreateFCmpUNO(given, given);
  auto* chosen = t.builder.CreateSelect(is_nan, quiet, rounded);
  t.define_result(instruction,
                  t.builder.CreateBitCast(t.builder.CreateAnd(chosen, number(0xFFFFE000)), type));
}

// A hint that the builtin library does not take either: caches fetch ahead of what is contiguous.
void prefetch_block(Translation& t, const Instruction& instruction) {
  const auto* place = t.pointer(instruction[1], "the pointer");
  t.require(place->getType()->getPointerAddressSpace() == kGlobal, "the pointer is CrossWorkgroup");
  (void)t.constant_number(instruction[2], "the number of bytes");
  (void)access(t, instruction.from(3));
}

// SPV_INTEL_shader_integer_functions2, by the functions of OpenCL C.
void integer_function(Translation& t, const Instruction& instruction) {
  struct Entry {
    const char* name;
    Sign sign;
  };
  const auto s = Sign::is_signed;
  const auto u = Sign::is_unsigned;
  // From OpUCountLeadingZerosINTEL on.
  const Entry entries[] = {{"clz", u},     {"ctz", u},     {"abs_diff", s}, {"abs_diff", u},
                           {"add_sat", s}, {"add_sat", u}, {"hadd", s},     {"hadd", u},
                           {"rhadd", s},   {"rhadd", u},   {"sub_sat", s},  {"sub_sat", u},
                           {"", s},        {"", u}};
  const auto which = static_cast<Word>(instruction.op) - 5585;
  const auto& [name, sign] = entries[which];
  auto* type = t.result_type(instruction).llvm;
  t.require(type->isIntOrIntVectorTy() && !type->isIntOrIntVectorTy(1),
            "the operands are integers");
  auto* first = t.value_of(instruction[3], type, "the first operand");
  if (which < 2)
    return t.define_result(instruction, t.call_builtin(name, type, {t.argument(first, sign)}));
  auto* second = t.value_of(instruction[4], type, "the second operand");
  if (*name != '\0')
    return t.define_result(
        instruction,
        t.call_builtin(name, type, {t.argument(first, sign), t.argument(second, sign)}));
  // Of the second operand's lower halves.
  t.require(type->getScalarSizeInBits() == 32, "the operands have 32 bits");
  auto* half = type->getWithNewType(t.builder.getInt16Ty());
  auto* low = t.builder.CreateTrunc(second, half);
  t.define_result(instruction,
                  t.builder.CreateMul(first, sign == s ? t.builder.CreateSExt(low, type)
                                                       : t.builder.CreateZExt(low, type)));
}

} // namespace

void add_extensions(Readers& readers) {
  // OpUCountLeadingZerosINTEL and the others of SPV_INTEL_shader_integer_functions2
  for (Word number = 5585; number <= 5598; ++number)
    readers.add(integer_function, {op(number)});
  readers.add(prefetch_block, {op(6221)});             // OpSubgroupBlockPrefetchINTEL
  readers.add(bitwise_function, {op(6242)});           // OpBitwiseFunctionINTEL
  readers.add(round_to_tf32, {op(6426)});              // OpRoundFToTF32INTEL
  readers.add(fused_multiply_add, {op(4427)});         // OpFmaKHR
  readers.add(poison_or_freeze, {op(5158), op(5159)}); // OpPoisonKHR, OpFreezeKHR
  readers.add(read_clock, {op(5056)});                 // OpReadClockKHR
  readers.add(variable_length_array,
              {op(5818), op(5819), op(5820),
               op(6244)}); // OpVariableLengthArrayINTEL, Op[Save|Restore]MemoryINTEL,
                           // OpUntypedVariableLengthArrayINTEL
  readers.add(sub_group_image_block, {op(5577), op(5578)}); // OpSubgroupImageBlock[Read|Write]INTEL
  readers.add(sub_group_block, {op(5575), op(5576)});       // OpSubgroupBlock[Read|Write]INTEL
  readers.add(bfloat16_conversion, {op(6116), op(6117)});   // OpConvertFToBF16INTEL and back
  readers.add(split_barrier, {op(6142), op(6143)});         // OpControlBarrier[Arrive|Wait]INTEL
}

} // namespace heddle::compiler::spirv
