// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics, fences and barriers. Scopes are not used: everything is coherent with the whole system.
#include "compiler/ir/address_space.h"
#include "compiler/spirv/readers.h"
#include "llvm/IR/Constants.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

// Bits of memory semantics (SPIR-V specification, 3.25).
constexpr Word kAcquire = 0x2, kRelease = 0x4, kAcquireRelease = 0x8, kSequential = 0x10;
constexpr Word kWorkgroupMemory = 0x100, kCrossWorkgroupMemory = 0x200, kImageMemory = 0x800;

// memory_order as OpenCL C numbers it.
int order_number(llvm::AtomicOrdering ordering) { return static_cast<int>(llvm::toCABI(ordering)); }

// Semantics that are no constant are the strongest.
llvm::AtomicOrdering ordering(Translation& t, Word number) {
  const auto* given = llvm::dyn_cast<llvm::ConstantInt>(t.integer(number, "memory semantics"));
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

using Rmw = llvm::AtomicRMWInst;

// Updates of an integer by an operand.
constexpr std::pair<Op, Rmw::BinOp> kUpdates[] = {
    {Op::OpAtomicIAdd, Rmw::Add},  {Op::OpAtomicISub, Rmw::Sub}, {Op::OpAtomicSMin, Rmw::Min},
    {Op::OpAtomicUMin, Rmw::UMin}, {Op::OpAtomicSMax, Rmw::Max}, {Op::OpAtomicUMax, Rmw::UMax},
    {Op::OpAtomicAnd, Rmw::And},   {Op::OpAtomicOr, Rmw::Or},    {Op::OpAtomicXor, Rmw::Xor}};

void compare_exchange(Translation& t, const Instruction& instruction, llvm::Value* place,
                      const Type& content, llvm::AtomicOrdering order) {
  auto failure = ordering(t, instruction[6]);
  if (failure == llvm::AtomicOrdering::Release)
    failure = llvm::AtomicOrdering::Monotonic;
  else if (failure == llvm::AtomicOrdering::AcquireRelease)
    failure = llvm::AtomicOrdering::Acquire;
  auto* desired = t.value_of(instruction[7], content.llvm, "the value");
  auto* expected = t.value_of(instruction[8], content.llvm, "the value");
  auto* made = t.builder.CreateAtomicCmpXchg(place, expected, desired, llvm::Align(content.bytes),
                                             order, failure);
  t.define_result(instruction, t.builder.CreateExtractValue(made, 0));
}

void atomic(Translation& t, const Instruction& instruction) {
  const bool is_store =
      instruction.op == Op::OpAtomicStore || instruction.op == Op::OpAtomicFlagClear;
  const unsigned first = is_store ? 1 : 3; // the pointer
  auto* place = t.pointer(instruction[first], "the pointer");
  (void)t.integer(instruction[first + 1], "the scope");
  const auto order = ordering(t, instruction[first + 2]);
  // Flags have 32 bits, as scopes do.
  const bool is_flag =
      instruction.op == Op::OpAtomicFlagTestAndSet || instruction.op == Op::OpAtomicFlagClear;
  const auto& content = t.pointee(instruction[first], is_flag    ? t.id(instruction[first + 1]).type
                                                      : is_store ? t.id(instruction[4]).type
                                                                 : instruction[1]);
  auto* type = content.llvm;
  const bool is_integer = content.op == Op::OpTypeInt && content.bytes >= 4;
  const bool is_float = content.op == Op::OpTypeFloat;
  t.require(is_integer || is_float, "an atomic is of an integer of 32 or 64 bits, or of a float");
  const auto align = llvm::Align(content.bytes);
  // What is loaded, stored and exchanged are the bits.
  auto* word = t.builder.getIntNTy(static_cast<unsigned>(8 * content.bytes));
  const auto given = [&](unsigned index) {
    return t.value_of(instruction[index], type, "the value");
  };
  const auto update = [&](Rmw::BinOp op, llvm::Value* with) {
    t.require(is_integer, "the pointer is to an integer");
    t.require(t.result_type(instruction).llvm == type,
              "the result has the type that is pointed to");
    t.define_result(instruction, t.builder.CreateAtomicRMW(op, place, with, align, order));
  };
  switch (instruction.op) {
  case Op::OpAtomicLoad: {
    t.require(t.result_type(instruction).llvm == type,
              "the result has the type that is pointed to");
    auto* made = t.builder.CreateAlignedLoad(word, place, align);
    made->setAtomic(order == llvm::AtomicOrdering::Release ? llvm::AtomicOrdering::Monotonic
                    : order == llvm::AtomicOrdering::AcquireRelease ? llvm::AtomicOrdering::Acquire
                                                                    : order);
    t.define_result(instruction, t.builder.CreateBitCast(made, type));
    return;
  }
  case Op::OpAtomicStore: {
    auto* bits = t.builder.CreateBitCast(given(4), word);
    auto* made = t.builder.CreateAlignedStore(bits, place, align);
    made->setAtomic(order == llvm::AtomicOrdering::Acquire ? llvm::AtomicOrdering::Monotonic
                    : order == llvm::AtomicOrdering::AcquireRelease ? llvm::AtomicOrdering::Release
                                                                    : order);
    return;
  }
  case Op::OpAtomicExchange: {
    auto* with = given(6);
    t.require(t.result_type(instruction).llvm == type,
              "the result has the type that is pointed to");
    if (is_float) {
      auto* old = t.builder.CreateAtomicRMW(Rmw::Xchg, place, t.builder.CreateBitCast(with, word),
                                            align, order);
      t.define_result(instruction, t.builder.CreateBitCast(old, type));
      return;
    }
    return update(Rmw::Xchg, with);
  }
  case Op::OpAtomicCompareExchange:
  case Op::OpAtomicCompareExchangeWeak:
    t.require(is_integer, "the pointer is to an integer");
    return compare_exchange(t, instruction, place, content, order);
  case Op::OpAtomicIIncrement:
  case Op::OpAtomicIDecrement:
    return update(instruction.op == Op::OpAtomicIIncrement ? Rmw::Add : Rmw::Sub,
                  llvm::ConstantInt::get(is_integer ? type : t.builder.getInt32Ty(), 1));
  case Op::OpAtomicFlagTestAndSet: {
    t.require(is_integer && content.bytes == 4, "a flag has 32 bits");
    t.require(t.result_type(instruction).op == Op::OpTypeBool, "the result is boolean");
    auto* old =
        t.builder.CreateAtomicRMW(Rmw::Xchg, place, llvm::ConstantInt::get(type, 1), align, order);
    t.define_result(instruction, t.to_bool(old));
    return;
  }
  case Op::OpAtomicFlagClear: {
    t.require(is_integer && content.bytes == 4, "a flag has 32 bits");
    auto* made = t.builder.CreateAlignedStore(llvm::ConstantInt::get(type, 0), place, align);
    made->setAtomic(order == llvm::AtomicOrdering::Acquire ||
                            order == llvm::AtomicOrdering::AcquireRelease
                        ? llvm::AtomicOrdering::Release
                        : order);
    return;
  }
  default:
    for (const auto& [op, operation] : kUpdates)
      if (op == instruction.op)
        return update(operation, given(6));
    t.refuse("the atomic is not supported");
  }
}

// On floating-point numbers, by the builtin library's functions of cl_ext_float_atomics.
void atomic_float(Translation& t, const Instruction& instruction, llvm::StringRef function) {
  auto* place = t.pointer(instruction[3], "the pointer");
  const auto& content = t.pointee(instruction[3], instruction[1]);
  t.require(content.op == Op::OpTypeFloat, "the pointer is to a floating-point number");
  t.require(t.result_type(instruction).llvm == content.llvm,
            "the result has the type that is pointed to");
  (void)t.integer(instruction[4], "the scope");
  const auto order = ordering(t, instruction[5]);
  auto* with = t.value_of(instruction[6], content.llvm, "the value");
  auto space = place->getType()->getPointerAddressSpace();
  t.require(space == 0 || space == 1 || space == 3 || space == 4,
            "an atomic is not on constant memory");
  if (space == 0) {
    place = t.builder.CreateAddrSpaceCast(place, t.builder.getPtrTy(kGeneric));
    space = 4;
  }
  const auto number = t.mangled(content.llvm, Sign::is_signed);
  auto order_type = std::make_shared<MangledType>();
  order_type->kind = MangledType::Kind::named;
  order_type->text = "12memory_order";
  t.define_result(
      instruction,
      t.call_builtin(function, content.llvm,
                     {{place, t.mangled_pointer(number, space, "VU7_Atomic")},
                      {with, number},
                      {t.builder.getInt32(static_cast<Word>(order_number(order))), order_type}},
                     Effect::any));
}

} // namespace

void memory_barrier(Translation& t, Word scope, Word semantics) {
  (void)t.integer(scope, "the memory scope");
  const auto order = ordering(t, semantics);
  if (order != llvm::AtomicOrdering::Monotonic)
    t.builder.CreateFence(order);
}

void barrier(Translation& t, const Instruction& instruction) {
  const auto* scope =
      llvm::dyn_cast<llvm::ConstantInt>(t.integer(instruction[1], "the execution scope"));
  t.require(scope != nullptr, "the execution scope is a constant");
  (void)t.integer(instruction[2], "the memory scope");
  const auto* semantics =
      llvm::dyn_cast<llvm::ConstantInt>(t.integer(instruction[3], "memory semantics"));
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
    t.call_named("_Z7barrierj", t.builder.getVoidTy(), {t.builder.getInt32(flags)});
    break;
  case static_cast<Word>(spv::Scope::Subgroup):
    t.call_named("_Z17sub_group_barrierj", t.builder.getVoidTy(), {t.builder.getInt32(flags)});
    break;
  case static_cast<Word>(spv::Scope::Invocation):
    memory_barrier(t, instruction[2], instruction[3]);
    break;
  default:
    t.refuse("a barrier is of the work-group or the sub-group");
  }
}

void add_atomics(Readers& readers) {
  readers.add(atomic,
              {Op::OpAtomicLoad, Op::OpAtomicStore, Op::OpAtomicExchange,
               Op::OpAtomicCompareExchange, Op::OpAtomicCompareExchangeWeak, Op::OpAtomicIIncrement,
               Op::OpAtomicIDecrement, Op::OpAtomicIAdd, Op::OpAtomicISub, Op::OpAtomicSMin,
               Op::OpAtomicUMin, Op::OpAtomicSMax, Op::OpAtomicUMax, Op::OpAtomicAnd,
               Op::OpAtomicOr, Op::OpAtomicXor, Op::OpAtomicFlagTestAndSet, Op::OpAtomicFlagClear});
  readers.add(
      [](Translation& t, const Instruction& instruction) {
        atomic_float(t, instruction, "atomic_fetch_add_explicit");
      },
      {Op::OpAtomicFAddEXT});
  readers.add(
      [](Translation& t, const Instruction& instruction) {
        atomic_float(t, instruction, "atomic_fetch_min_explicit");
      },
      {Op::OpAtomicFMinEXT});
  readers.add(
      [](Translation& t, const Instruction& instruction) {
        atomic_float(t, instruction, "atomic_fetch_max_explicit");
      },
      {Op::OpAtomicFMaxEXT});
  readers.add(barrier, {Op::OpControlBarrier});
  readers.add(
      [](Translation& t, const Instruction& instruction) {
        memory_barrier(t, instruction[1], instruction[2]);
      },
      {Op::OpMemoryBarrier});
}

} // namespace heddle::compiler::spirv
