// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics, fences and barriers. Scopes are not used: everything is coherent with the whole system.
#include "compiler/ir/address_space.h"
#include "compiler/spirv/translator.h"
#include "llvm/IR/Constants.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

// Bits of memory semantics (SPIR-V specification, 3.25).
constexpr Word kAcquire = 0x2, kRelease = 0x4, kAcquireRelease = 0x8, kSequential = 0x10;
constexpr Word kWorkgroupMemory = 0x100, kCrossWorkgroupMemory = 0x200, kImageMemory = 0x800;

// memory_order as OpenCL C numbers it.
int order_number(llvm::AtomicOrdering ordering) { return static_cast<int>(llvm::toCABI(ordering)); }

} // namespace

// Semantics that are no constant are the strongest.
llvm::AtomicOrdering Translator::ordering(Word number) {
  const auto* given = llvm::dyn_cast<llvm::ConstantInt>(integer(number, "memory semantics"));
  if (given == nullptr)
    return llvm::AtomicOrdering::SequentiallyConsistent;
  const auto bits = given->getZExtValue();
  if ((bits & kSequential) != 0)
    return llvm::AtomicOrdering::SequentiallyConsistent;
  if ((bits & kAcquireRelease) != 0 || (bits & (kAcquire | kRelease)) == (kAcquire | kRelease))
    return llvm::AtomicOrdering::AcquireRelease;
  if ((bits & kAcquire) != 0)
    return llvm::AtomicOrdering::Acquire;
  if ((bits & kRelease) != 0)
    return llvm::AtomicOrdering::Release;
  return llvm::AtomicOrdering::Monotonic;
}

void Translator::atomic(const Instruction& instruction) {
  using Rmw = llvm::AtomicRMWInst;
  const bool is_store =
      instruction.op == Op::OpAtomicStore || instruction.op == Op::OpAtomicFlagClear;
  const unsigned first = is_store ? 1 : 3; // the pointer
  auto* place = pointer(instruction[first], "the pointer");
  (void)integer(instruction[first + 1], "the scope");
  const auto order = ordering(instruction[first + 2]);
  // Flags have 32 bits, as scopes do.
  const bool is_flag =
      instruction.op == Op::OpAtomicFlagTestAndSet || instruction.op == Op::OpAtomicFlagClear;
  const auto& content = pointee(instruction[first], is_flag    ? id(instruction[first + 1]).type
                                                    : is_store ? id(instruction[4]).type
                                                               : instruction[1]);
  auto* type = content.llvm;
  const bool is_integer = content.op == Op::OpTypeInt && content.bytes >= 4;
  const bool is_float = content.op == Op::OpTypeFloat;
  require(is_integer || is_float, "an atomic is of an integer of 32 or 64 bits, or of a float");
  const auto align = llvm::Align(content.bytes);
  // What is loaded, stored and exchanged are the bits.
  auto* word = builder_.getIntNTy(static_cast<unsigned>(8 * content.bytes));
  const auto given = [&](unsigned index) {
    return value_of(instruction[index], type, "the value");
  };
  const auto update = [&](Rmw::BinOp op, llvm::Value* with) {
    require(is_integer, "the pointer is to an integer");
    require(result_type(instruction).llvm == type, "the result has the type that is pointed to");
    define_result(instruction, builder_.CreateAtomicRMW(op, place, with, align, order));
  };
  switch (instruction.op) {
  case Op::OpAtomicLoad: {
    require(result_type(instruction).llvm == type, "the result has the type that is pointed to");
    auto* made = builder_.CreateAlignedLoad(word, place, align);
    made->setAtomic(order == llvm::AtomicOrdering::Release ? llvm::AtomicOrdering::Monotonic
                    : order == llvm::AtomicOrdering::AcquireRelease ? llvm::AtomicOrdering::Acquire
                                                                    : order);
    define_result(instruction, builder_.CreateBitCast(made, type));
    return;
  }
  case Op::OpAtomicStore: {
    auto* bits = builder_.CreateBitCast(given(4), word);
    auto* made = builder_.CreateAlignedStore(bits, place, align);
    made->setAtomic(order == llvm::AtomicOrdering::Acquire ? llvm::AtomicOrdering::Monotonic
                    : order == llvm::AtomicOrdering::AcquireRelease ? llvm::AtomicOrdering::Release
                                                                    : order);
    return;
  }
  case Op::OpAtomicExchange: {
    auto* with = given(6);
    require(result_type(instruction).llvm == type, "the result has the type that is pointed to");
    if (is_float) {
      auto* old = builder_.CreateAtomicRMW(Rmw::Xchg, place, builder_.CreateBitCast(with, word),
                                           align, order);
      define_result(instruction, builder_.CreateBitCast(old, type));
      return;
    }
    return update(Rmw::Xchg, with);
  }
  case Op::OpAtomicCompareExchange:
  case Op::OpAtomicCompareExchangeWeak: {
    require(is_integer, "the pointer is to an integer");
    auto failure = ordering(instruction[6]);
    if (failure == llvm::AtomicOrdering::Release)
      failure = llvm::AtomicOrdering::Monotonic;
    else if (failure == llvm::AtomicOrdering::AcquireRelease)
      failure = llvm::AtomicOrdering::Acquire;
    auto* desired = given(7);
    auto* expected = given(8);
    auto* made = builder_.CreateAtomicCmpXchg(place, expected, desired, align, order, failure);
    define_result(instruction, builder_.CreateExtractValue(made, 0));
    return;
  }
  case Op::OpAtomicIIncrement:
    return update(Rmw::Add, llvm::ConstantInt::get(is_integer ? type : builder_.getInt32Ty(), 1));
  case Op::OpAtomicIDecrement:
    return update(Rmw::Sub, llvm::ConstantInt::get(is_integer ? type : builder_.getInt32Ty(), 1));
  case Op::OpAtomicIAdd:
    return update(Rmw::Add, given(6));
  case Op::OpAtomicISub:
    return update(Rmw::Sub, given(6));
  case Op::OpAtomicSMin:
    return update(Rmw::Min, given(6));
  case Op::OpAtomicUMin:
    return update(Rmw::UMin, given(6));
  case Op::OpAtomicSMax:
    return update(Rmw::Max, given(6));
  case Op::OpAtomicUMax:
    return update(Rmw::UMax, given(6));
  case Op::OpAtomicAnd:
    return update(Rmw::And, given(6));
  case Op::OpAtomicOr:
    return update(Rmw::Or, given(6));
  case Op::OpAtomicXor:
    return update(Rmw::Xor, given(6));
  case Op::OpAtomicFlagTestAndSet: {
    require(is_integer && content.bytes == 4, "a flag has 32 bits");
    require(result_type(instruction).op == Op::OpTypeBool, "the result is boolean");
    auto* old =
        builder_.CreateAtomicRMW(Rmw::Xchg, place, llvm::ConstantInt::get(type, 1), align, order);
    define_result(instruction, to_bool(old));
    return;
  }
  case Op::OpAtomicFlagClear: {
    require(is_integer && content.bytes == 4, "a flag has 32 bits");
    auto* made = builder_.CreateAlignedStore(llvm::ConstantInt::get(type, 0), place, align);
    made->setAtomic(order == llvm::AtomicOrdering::Acquire ||
                            order == llvm::AtomicOrdering::AcquireRelease
                        ? llvm::AtomicOrdering::Release
                        : order);
    return;
  }
  default:
    refuse("the atomic is not supported");
  }
}

// On floating-point numbers, by the builtin library's functions of cl_ext_float_atomics.
void Translator::atomic_float(const Instruction& instruction, llvm::StringRef function) {
  auto* place = pointer(instruction[3], "the pointer");
  const auto& content = pointee(instruction[3], instruction[1]);
  require(content.op == Op::OpTypeFloat, "the pointer is to a floating-point number");
  require(result_type(instruction).llvm == content.llvm,
          "the result has the type that is pointed to");
  (void)integer(instruction[4], "the scope");
  const auto order = ordering(instruction[5]);
  auto* with = value_of(instruction[6], content.llvm, "the value");
  auto space = place->getType()->getPointerAddressSpace();
  require(space == 0 || space == 1 || space == 3 || space == 4,
          "an atomic is not on constant memory");
  if (space == 0) {
    place = builder_.CreateAddrSpaceCast(place, builder_.getPtrTy(kGeneric));
    space = 4;
  }
  const auto number = mangled(content.llvm, Sign::is_signed);
  auto order_type = std::make_shared<MangledType>();
  order_type->kind = MangledType::Kind::named;
  order_type->text = "12memory_order";
  define_result(
      instruction,
      call_builtin(function, content.llvm,
                   {{place, mangled_pointer(number, space, "VU7_Atomic")},
                    {with, number},
                    {builder_.getInt32(static_cast<Word>(order_number(order))), order_type}},
                   Effect::any));
}

void Translator::memory_barrier(Word scope, Word semantics) {
  (void)integer(scope, "the memory scope");
  const auto order = ordering(semantics);
  if (order != llvm::AtomicOrdering::Monotonic)
    builder_.CreateFence(order);
}

void Translator::barrier(const Instruction& instruction) {
  const auto* scope =
      llvm::dyn_cast<llvm::ConstantInt>(integer(instruction[1], "the execution scope"));
  require(scope != nullptr, "the execution scope is a constant");
  (void)integer(instruction[2], "the memory scope");
  const auto* semantics =
      llvm::dyn_cast<llvm::ConstantInt>(integer(instruction[3], "memory semantics"));
  Word flags = 0;
  const auto bits = semantics != nullptr ? semantics->getZExtValue() : ~std::uint64_t{0};
  if ((bits & kWorkgroupMemory) != 0)
    flags |= 1;
  if ((bits & kCrossWorkgroupMemory) != 0)
    flags |= 2;
  if ((bits & kImageMemory) != 0)
    flags |= 4;
  switch (scope->getZExtValue()) {
  case static_cast<Word>(spv::Scope::Workgroup):
    call_named("_Z7barrierj", builder_.getVoidTy(), {builder_.getInt32(flags)});
    break;
  case static_cast<Word>(spv::Scope::Subgroup):
    call_named("_Z17sub_group_barrierj", builder_.getVoidTy(), {builder_.getInt32(flags)});
    break;
  case static_cast<Word>(spv::Scope::Invocation):
    memory_barrier(instruction[2], instruction[3]);
    break;
  default:
    refuse("a barrier is of the work-group or the sub-group");
  }
}

} // namespace heddle::compiler::spirv
