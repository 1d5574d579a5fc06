// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of small extensions: block reads and writes of SPV_INTEL_subgroups, clocks, split
// barriers, conversions, poison, multiplication with addition, functions of integers.
#include "compiler/ir/address_space.h"
#include "compiler/spirv/translator.h"
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

} // namespace

void Translator::poison_or_freeze(const Instruction& instruction) {
  auto* type = result_type(instruction).llvm;
  require(type->isSized(), "the result has a size");
  define_result(instruction,
                instruction.op == kPoison
                    ? static_cast<llvm::Value*>(llvm::PoisonValue::get(type))
                    : builder_.CreateFreeze(value_of(instruction[3], type, "the operand")));
}

void Translator::fused_multiply_add(const Instruction& instruction) {
  auto* type = result_type(instruction).llvm;
  require(type->isFPOrFPVectorTy(), "the operands are floating-point");
  llvm::SmallVector<Argument, 3> arguments;
  for (unsigned i = 3; i < 6; ++i)
    arguments.push_back(argument(value_of(instruction[i], type, "the operand"), Sign::is_signed));
  define_result(instruction, call_builtin("fma", type, arguments));
}

// The builtin library's function for data of a type.
std::string Translator::block_function(const llvm::Type* type, bool is_write) const {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  const auto count = vector != nullptr ? vector->getNumElements() : 1;
  const auto bits = type->getScalarSizeInBits();
  require(type->getScalarType()->isIntegerTy() && bits >= 8, "the data is an integer or a vector");
  require(count != 3 && (count != 16 || bits <= 16),
          "a block has 1, 2, 4 or 8 elements for each invocation, or 16 of at most 16 bits");
  return std::string("intel_sub_group_block_") + (is_write ? "write" : "read") +
         block_suffix(bits) + (count != 1 ? std::to_string(count) : "");
}

// By the builtin library's functions of cl_intel_subgroups.
void Translator::sub_group_block(const Instruction& instruction) {
  const bool is_write = instruction.op == spv::Op::OpSubgroupBlockWriteINTEL;
  auto* place = pointer(instruction[is_write ? 1 : 3], "the pointer");
  const auto space = place->getType()->getPointerAddressSpace();
  require(space == 1 || space == 3, "the pointer is CrossWorkgroup or Workgroup");
  auto* data = is_write ? value(instruction[2]) : nullptr;
  auto* type = is_write ? data->getType() : result_type(instruction).llvm;
  const auto name = block_function(type, is_write);
  const auto element = mangled(type->getScalarType(), Sign::is_unsigned);
  if (is_write)
    call_builtin(
        name, builder_.getVoidTy(),
        {{place, mangled_pointer(element, space)}, {data, mangled(type, Sign::is_unsigned)}},
        Effect::any);
  else
    define_result(
        instruction,
        call_builtin(name, type, {{place, mangled_pointer(element, space, "K")}}, Effect::any));
}

void Translator::sub_group_image_block(const Instruction& instruction) {
  const bool is_write = instruction.op == spv::Op::OpSubgroupImageBlockWriteINTEL;
  const auto image = image_argument(instruction[is_write ? 1 : 3]);
  const auto& image_type = image_of_value(instruction[is_write ? 1 : 3]);
  require(image_type.dim == spv::Dim::Dim2D && !image_type.is_array && !image_type.is_depth,
          "the image is 2D");
  require(image_type.access == 2 || image_type.access == (is_write ? 1u : 0u),
          "the image has the access that the instruction needs");
  auto* place = value_of(instruction[is_write ? 2 : 4],
                         llvm::FixedVectorType::get(builder_.getInt32Ty(), 2), "the coordinate");
  auto* data = is_write ? value(instruction[3]) : nullptr;
  auto* type = is_write ? data->getType() : result_type(instruction).llvm;
  const auto name = block_function(type, is_write);
  const auto coordinate = argument(place, Sign::is_signed);
  if (is_write)
    call_builtin(name, builder_.getVoidTy(),
                 {image, coordinate, {data, mangled(type, Sign::is_unsigned)}}, Effect::any);
  else
    define_result(instruction, call_builtin(name, type, {image, coordinate}, Effect::any));
}

// Private memory that lives until the function returns, or the memory that was saved before is
// restored. Private memory has a size that the compiler knows, so the length is a constant, mostly
// a specialization constant, and the array a variable like others: one, however often the
// instruction is executed, which is right between saving and restoring and in the first block.
void Translator::variable_length_array(const Instruction& instruction) {
  if (instruction.op == spv::Op::OpSaveMemoryINTEL) {
    saves_memory_ = true;
    const auto& result = result_type(instruction);
    require(result.op == spv::Op::OpTypePointer && result.storage == spv::StorageClass::Function,
            "the result is a pointer of the storage class Function");
    return define_result(instruction, llvm::Constant::getNullValue(result.llvm));
  }
  if (instruction.op == spv::Op::OpRestoreMemoryINTEL) {
    auto* saved = pointer(instruction[1], "the pointer");
    require(saved->getType()->getPointerAddressSpace() == kPrivate,
            "the pointer is of saved memory");
    return;
  }
  // The untyped instruction has the type of an element before the length.
  const bool is_untyped = static_cast<Word>(instruction.op) == 6244;
  const auto& result = result_type(instruction);
  require(result.op == spv::Op::OpTypePointer && result.is_untyped == is_untyped &&
              (is_untyped || result.element != 0) && result.storage == spv::StorageClass::Function,
          "the result is a pointer of the storage class Function");
  const auto element_type = is_untyped ? instruction[3] : result.element;
  auto* element = sized_type(element_type, "an element");
  const auto length =
      constant_number(instruction[is_untyped ? 4 : 3], "the length of an array on this device");
  require(length <= 0xFFFFFFFF / type(element_type).bytes, "an array has less than 4 GiB");
  const auto& function = *functions_[function_ - 1].llvm;
  require(saves_memory_ || builder_.GetInsertBlock() == &function.getEntryBlock(),
          "behind the first block of a function, memory is saved before an array is made");
  auto* made = llvm::cast<llvm::AllocaInst>(entry_alloca(llvm::ArrayType::get(element, length)));
  made->setAlignment(std::max(alignment(instruction[2]).valueOrOne(),
                              module_->getDataLayout().getABITypeAlign(element)));
  define_result(instruction, made);
}

void Translator::read_clock(const Instruction& instruction) {
  const auto* scope = llvm::dyn_cast<llvm::ConstantInt>(integer(instruction[3], "the scope"));
  require(scope != nullptr && (scope->equalsInt(static_cast<Word>(spv::Scope::Device)) ||
                               scope->equalsInt(static_cast<Word>(spv::Scope::Workgroup)) ||
                               scope->equalsInt(static_cast<Word>(spv::Scope::Subgroup))),
          "the scope is the device, the work-group or the sub-group");
  auto* type = result_type(instruction).llvm;
  auto* halves = llvm::FixedVectorType::get(builder_.getInt32Ty(), 2);
  require(type->isIntegerTy(64) || type == halves,
          "the result is an integer of 64 bits or two of 32");
  auto* time = builder_.CreateIntrinsic(llvm::Intrinsic::readcyclecounter,
                                        llvm::ArrayRef<llvm::Type*>(), {});
  define_result(instruction, builder_.CreateBitCast(time, type));
}

// The whole barrier is where the work-items wait: what they wrote before they arrived is visible
// then.
void Translator::split_barrier(const Instruction& instruction) {
  require(constant_number(instruction[1], "the execution scope") ==
              static_cast<Word>(spv::Scope::Workgroup),
          "a split barrier is of the work-group");
  if (instruction.op == kBarrierArrive)
    return memory_barrier(instruction[2], instruction[3]);
  barrier(instruction);
}

// Numbers of type bfloat16 are integers of 16 bits, the upper ones of a float. By arithmetic on
// these: few CPUs have an instruction, and LLVM calls a function on the others.
void Translator::bfloat16_conversion(const Instruction& instruction) {
  auto* type = result_type(instruction).llvm;
  auto* given = value(instruction[3]);
  const bool narrows = instruction.op == kFToBF16;
  auto* from = given->getType();
  require(narrows ? from->getScalarType()->isFloatTy() && type->getScalarType()->isIntegerTy(16)
                  : from->getScalarType()->isIntegerTy(16) && type->getScalarType()->isFloatTy(),
          "bfloat16 numbers are integers of 16 bits, the others floats");
  require(llvm::isa<llvm::VectorType>(from) == llvm::isa<llvm::VectorType>(type) &&
              (!llvm::isa<llvm::VectorType>(from) ||
               llvm::cast<llvm::VectorType>(from)->getElementCount() ==
                   llvm::cast<llvm::VectorType>(type)->getElementCount()),
          "operand and result have as many components");
  auto* words = from->getWithNewType(builder_.getInt32Ty());
  if (!narrows) {
    auto* upper = builder_.CreateShl(builder_.CreateZExt(given, words), 16);
    define_result(instruction, builder_.CreateBitCast(upper, type));
    return;
  }
  const auto number = [&](Word n) { return llvm::ConstantInt::get(words, n); };
  auto* bits = builder_.CreateBitCast(given, words);
  auto* odd = builder_.CreateAnd(builder_.CreateLShr(bits, 16), number(1));
  auto* rounded = builder_.CreateAdd(bits, builder_.CreateAdd(odd, number(0x7FFF)));
  auto* quiet = builder_.CreateOr(bits, number(0x400000));
  auto* is_nan = builder_.CreateFCmpUNO(given, given);
  auto* chosen = builder_.CreateSelect(is_nan, quiet, rounded);
  define_result(instruction, builder_.CreateTrunc(builder_.CreateLShr(chosen, 16), type));
}

// The bits of three operands by a table of eight: the bit of a row says the result where the bits
// of the operands are that row's number, that of the first lowest.
void Translator::bitwise_function(const Instruction& instruction) {
  auto* type = result_type(instruction).llvm;
  require(type->isIntOrIntVectorTy() && !type->isIntOrIntVectorTy(1), "the operands are integers");
  llvm::Value* operands[3];
  for (unsigned i = 0; i < 3; ++i)
    operands[i] = value_of(instruction[3 + i], type, "an operand");
  const auto table = constant_number(instruction[6], "the table");
  auto* ones = llvm::Constant::getAllOnesValue(type);
  auto* zeros = llvm::Constant::getNullValue(type);
  // Where the operand is set, and where it is not.
  const auto choose = [&](llvm::Value* by, llvm::Value* set, llvm::Value* clear) -> llvm::Value* {
    if (set == clear)
      return set;
    if (set == ones && clear == zeros)
      return by;
    auto* inverse = builder_.CreateNot(by);
    if (set == zeros && clear == ones)
      return inverse;
    return builder_.CreateOr(builder_.CreateAnd(by, set), builder_.CreateAnd(inverse, clear));
  };
  llvm::Value* rows[8];
  for (unsigned i = 0; i < 8; ++i)
    rows[i] = (table >> i & 1) != 0 ? ones : zeros;
  for (unsigned operand = 0, count = 8; operand < 3; ++operand, count /= 2)
    for (unsigned i = 0; i < count / 2; ++i)
      rows[i] = choose(operands[operand], rows[2 * i + 1], rows[2 * i]);
  define_result(instruction, rows[0]);
}

// To 10 bits of the fraction, to nearest even; NaNs stay NaNs.
void Translator::round_to_tf32(const Instruction& instruction) {
  auto* type = result_type(instruction).llvm;
  require(type->getScalarType()->isFloatTy(), "the operand is of floats");
  auto* given = value_of(instruction[3], type, "the operand");
  auto* words = type->getWithNewType(builder_.getInt32Ty());
  const auto number = [&](Word n) { return llvm::ConstantInt::get(words, n); };
  auto* bits = builder_.CreateBitCast(given, words);
  auto* odd = builder_.CreateAnd(builder_.CreateLShr(bits, 13), number(1));
  auto* rounded = builder_.CreateAdd(bits, builder_.CreateAdd(odd, number(0xFFF)));
  auto* quiet = builder_.CreateOr(bits, number(0x400000));
  builder_.clearFastMathFlags();
  auto* is_nan = builder_.CreateFCmpUNO(given, given);
  auto* chosen = builder_.CreateSelect(is_nan, quiet, rounded);
  define_result(instruction,
                builder_.CreateBitCast(builder_.CreateAnd(chosen, number(0xFFFFE000)), type));
}

// A hint that the builtin library does not take either: caches fetch ahead of what is contiguous.
void Translator::prefetch_block(const Instruction& instruction) {
  const auto* place = pointer(instruction[1], "the pointer");
  require(place->getType()->getPointerAddressSpace() == kGlobal, "the pointer is CrossWorkgroup");
  (void)constant_number(instruction[2], "the number of bytes");
  (void)access(instruction.from(3));
}

// SPV_INTEL_shader_integer_functions2, by the functions of OpenCL C.
void Translator::integer_function(const Instruction& instruction) {
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
  auto* type = result_type(instruction).llvm;
  require(type->isIntOrIntVectorTy() && !type->isIntOrIntVectorTy(1), "the operands are integers");
  auto* first = value_of(instruction[3], type, "the first operand");
  if (which < 2)
    return define_result(instruction, call_builtin(name, type, {argument(first, sign)}));
  auto* second = value_of(instruction[4], type, "the second operand");
  if (*name != '\0')
    return define_result(instruction,
                         call_builtin(name, type, {argument(first, sign), argument(second, sign)}));
  // Of the second operand's lower halves.
  require(type->getScalarSizeInBits() == 32, "the operands have 32 bits");
  auto* half = type->getWithNewType(builder_.getInt16Ty());
  auto* low = builder_.CreateTrunc(second, half);
  define_result(instruction, builder_.CreateMul(first, sign == s ? builder_.CreateSExt(low, type)
                                                                 : builder_.CreateZExt(low, type)));
}

} // namespace heddle::compiler::spirv
