// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/access_groups.h"

#include "compiler/analysis/address_base.h"
#include "compiler/ir/abi_builder.h"
#include "compiler/ir/work_item_params.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <algorithm>
#include <limits>

namespace heddle::compiler {
namespace {

// Accesses are compared with so many groups at most.
constexpr std::size_t kMaxGroups = 64;

bool is_number(const llvm::Value* value, std::uint64_t number) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  return constant != nullptr && constant->equalsInt(number);
}

} // namespace

llvm::Argument* only_argument(const llvm::Value& pointer) {
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(&pointer, objects, nullptr, 0);
  if (objects.size() != 1)
    return nullptr;
  return llvm::dyn_cast<llvm::Argument>(const_cast<llvm::Value*>(objects.front()));
}

AccessGroups::AccessGroups(llvm::Function& function, const Kernel* kernel,
                           llvm::DominatorTree& dominators, CheckCalls& calls)
    : function_(function), is_kernel_(kernel != nullptr), dominators_(dominators), calls_(calls),
      bounds_(function), loops_(dominators), names_(function.getParent()->getTargetTriple()),
      library_(names_), assumptions_(function),
      scev_(function, library_, assumptions_, dominators, loops_),
      known_offsets_(function, kernel, assumptions_, scev_) {}

// Whether that is so for all iterations but those after the kernel's end.
bool AccessGroups::executes_in_each_iteration(const llvm::BasicBlock& block,
                                              const llvm::Loop& loop) const {
  const auto* latch = loop.getLoopLatch();
  return loop.getLoopPreheader() != nullptr && latch != nullptr &&
         loop.getExitingBlock() == latch && dominators_.dominates(&block, latch);
}

AccessGroups::Place AccessGroups::place_of_check(const Access& access,
                                                 llvm::Instruction& instruction,
                                                 std::uint64_t misaligned_bits) {
  const auto* address = scev_.getSCEV(access.pointer);
  Place found{&instruction, address, address, nullptr, nullptr, false};
  const auto* block = instruction.getParent();
  for (const auto* loop = loops_.getLoopFor(block);
       loop != nullptr && executes_in_each_iteration(*block, *loop); loop = loop->getParentLoop()) {
    auto next = found;
    if (!scev_.isLoopInvariant(found.first, loop) || !scev_.isLoopInvariant(found.last, loop)) {
      const auto* steps = llvm::dyn_cast<llvm::SCEVAddRecExpr>(found.first);
      const auto* count = scev_.getBackedgeTakenCount(loop);
      if (found.step != nullptr || steps == nullptr || steps->getLoop() != loop ||
          !steps->isAffine() || llvm::isa<llvm::SCEVCouldNotCompute>(count) ||
          scev_.getTypeSizeInBits(count->getType()) > 64)
        break;
      next.step = steps->getStepRecurrence(scev_);
      if (misaligned_bits != 0 &&
          scev_.getMinTrailingZeros(next.step) < llvm::Log2_64(misaligned_bits + 1))
        break;
      auto* word = next.step->getType();
      const auto* repeated = scev_.getTruncateOrZeroExtend(count, word);
      next.iterations = scev_.getAddExpr(repeated, scev_.getOne(word));
      next.first = steps->getStart();
      next.last = steps->evaluateAtIteration(repeated, scev_);
    } else if (found.step != nullptr && (!scev_.isLoopInvariant(found.step, loop) ||
                                         !scev_.isLoopInvariant(found.iterations, loop))) {
      break;
    }
    auto* before = loop->getLoopPreheader()->getTerminator();
    if (access.object != nullptr && !dominators_.dominates(access.object, before))
      break;
    const llvm::SCEVExpander expander(scev_, "check");
    if (llvm::any_of(llvm::ArrayRef{next.first, next.last, next.step, next.iterations},
                     [&](const llvm::SCEV* value) {
                       return value != nullptr && !expander.isSafeToExpandAt(value, before);
                     }))
      break;
    next.before = before;
    next.is_hoisted = true;
    found = next;
    block = before->getParent();
  }
  return found;
}

std::optional<std::int64_t> AccessGroups::distance(const Group& from_group, const Group& to_group) {
  const auto& from = from_group.place;
  const auto& to = to_group.place;
  if (from.is_hoisted != to.is_hoisted || from.step != to.step ||
      from.iterations != to.iterations || (from.is_hoisted && from.before != to.before))
    return std::nullopt;
  if (!from.is_hoisted && from_group.object == nullptr) {
    // Also where ScalarEvolution cannot tell that sums do not overflow.
    const auto& layout = function_.getDataLayout();
    const auto [from_base, from_offset] = address_of(*from_group.pointer, layout);
    const auto [to_base, to_offset] = address_of(*to_group.pointer, layout);
    const auto bytes = static_cast<std::int64_t>(to_offset - from_offset);
    if (from_base == to_base && llvm::isInt<32>(bytes))
      return bytes;
  }
  const auto* difference =
      llvm::dyn_cast<llvm::SCEVConstant>(scev_.getMinusSCEV(to.first, from.first));
  if (difference == nullptr || difference->getAPInt().getSignificantBits() > 32)
    return std::nullopt;
  return difference->getAPInt().getSExtValue();
}

// Whether the access, the only one of its group, is checked with those of the other group.
bool AccessGroups::join(Group& group, const Group& added) {
  if (group.argument != added.argument || group.object != added.object ||
      group.is_unknown != added.is_unknown || group.dynamic_bytes != nullptr ||
      added.dynamic_bytes != nullptr ||
      group.place.first->getType() != added.place.first->getType())
    return false;
  const auto from_first = distance(group, added);
  if (!from_first)
    return false;
  auto access = added.accesses.front();
  access.offset = static_cast<std::uint64_t>(*from_first);
  // Whether one is aligned tells of all.
  const auto bits = group.misaligned_bits | added.misaligned_bits;
  if ((access.offset & bits) != 0 ||
      (bits != group.misaligned_bits &&
       llvm::any_of(group.accesses, [&](const auto& one) { return (one.offset & bits) != 0; })))
    return false;
  group.misaligned_bits = bits;
  group.alignment = std::max(group.alignment, added.alignment);
  group.accesses.push_back(access);
  return true;
}

void AccessGroups::add(const Access& access, llvm::Instruction& instruction) {
  if (access.object != nullptr &&
      known_offsets_.are_inside(*access.pointer, *access.bytes, access.object_bytes, instruction))
    return;
  const bool has_bounds = !is_number(access.bytes, 0);
  auto* argument = has_bounds && access.object == nullptr && is_kernel_
                       ? only_argument(*access.pointer)
                       : nullptr;
  if (argument != nullptr && argument->getArgNo() + kWorkItemParams >= function_.arg_size())
    argument = nullptr;
  const bool is_unknown = has_bounds && argument == nullptr && access.object == nullptr;
  const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
  auto misaligned_bits = is_unknown ? 0 : access.alignment.value() - 1;
  llvm::Align of_argument;
  if (argument != nullptr) {
    const auto* from_argument =
        scev_.getMinusSCEV(scev_.getSCEV(access.pointer), scev_.getSCEV(argument));
    if (!llvm::isa<llvm::SCEVCouldNotCompute>(from_argument) &&
        scev_.getMinTrailingZeros(from_argument) >= llvm::Log2(access.alignment)) {
      of_argument = access.alignment;
      misaligned_bits = 0;
    }
  }
  Group added{bytes != nullptr ? place_of_check(access, instruction, misaligned_bits)
                               : Place{&instruction, scev_.getSCEV(access.pointer), nullptr,
                                       nullptr, nullptr, false},
              access.pointer,
              argument,
              access.object,
              access.object_bytes,
              is_unknown,
              misaligned_bits,
              of_argument,
              {{access.kind, access.place != nullptr ? access.place : calls_.place(instruction), 0,
                bytes != nullptr ? bytes->getZExtValue() : 0, access.alignment}},
              bytes != nullptr ? nullptr : access.bytes};
  auto& groups = added.place.is_hoisted ? before_loops_ : in_block_;
  const auto searched = std::min(groups.size(), kMaxGroups);
  for (auto& group : llvm::MutableArrayRef(groups).take_back(searched))
    if (join(group, added))
      return;
  groups.push_back(std::move(added));
}

// `bytes`: from the first to the last one that the group accesses.
void AccessGroups::limit_to_object(BoundsCheck& check, const Group& group, llvm::Value& bytes,
                                   llvm::IRBuilderBase& builder) const {
  auto* word = builder.getInt64Ty();
  check.base = builder.CreatePtrToInt(group.object, word);
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&bytes);
  if (llvm::isa<llvm::Constant>(group.object) && number != nullptr) {
    const llvm::APInt offsets(64, group.object_bytes + 1);
    check.count =
        llvm::ConstantInt::get(builder.getContext(), offsets.usub_sat(number->getValue()));
    return;
  }
  auto* object_bytes =
      llvm::isa<llvm::Constant>(group.object)
          ? static_cast<llvm::Value*>(builder.getInt64(group.object_bytes))
          : AbiBuilder(builder).load_invariant(group.object, offsetof(abi::CheckedObject, bytes),
                                               word, "object.bytes");
  check.count = builder.CreateBinaryIntrinsic(
      llvm::Intrinsic::usub_sat, builder.CreateAdd(object_bytes, builder.getInt64(1)), &bytes);
}

void AccessGroups::emit(const Group& group) {
  const auto& place = group.place;
  llvm::IRBuilder<> builder(place.before);
  builder.SetCurrentDebugLocation(place.before->getDebugLoc());
  llvm::Value* first = group.pointer;
  llvm::Value* last = first;
  llvm::Value* step = builder.getInt64(0);
  llvm::Value* iterations = builder.getInt64(1);
  if (place.is_hoisted) {
    llvm::SCEVExpander expander(scev_, "check");
    auto* word = builder.getInt64Ty();
    first = expander.expandCodeFor(place.first, group.pointer->getType(), place.before);
    last = place.last == place.first
               ? first
               : expander.expandCodeFor(place.last, group.pointer->getType(), place.before);
    if (place.step != nullptr) {
      step = expander.expandCodeFor(place.step, word, place.before);
      iterations = expander.expandCodeFor(place.iterations, word, place.before);
    }
  }
  // Objects begin with address 0.
  if (group.object != nullptr) {
    const bool is_one = last == first;
    auto* zero = llvm::ConstantPointerNull::get(builder.getPtrTy());
    first = builder.CreatePtrAdd(zero, first);
    last = is_one ? first : builder.CreatePtrAdd(zero, last);
  }
  auto low = std::numeric_limits<std::int64_t>::max();
  auto high = std::numeric_limits<std::int64_t>::min();
  for (const auto& access : group.accesses) {
    const auto offset = static_cast<std::int64_t>(access.offset);
    low = std::min(low, offset);
    high = std::max(high, offset + static_cast<std::int64_t>(access.bytes));
  }
  auto accesses = group.accesses;
  for (auto& access : accesses)
    access.offset -= static_cast<std::uint64_t>(low);
  if (low != 0) {
    const bool is_one = last == first;
    const auto move = [&](llvm::Value* pointer) {
      return builder.CreatePtrAdd(pointer, builder.getInt64(static_cast<std::uint64_t>(low)));
    };
    first = move(first);
    last = is_one ? first : move(last);
  }
  BoundsCheck check{first,
                    last,
                    builder.getInt64(0),
                    builder.getInt64(group.is_unknown ? 0 : ~std::uint64_t{0}),
                    group.misaligned_bits,
                    bounds_.worker(),
                    accesses,
                    builder.getInt64(0),
                    step,
                    iterations,
                    group.dynamic_bytes != nullptr
                        ? builder.CreateZExtOrTrunc(group.dynamic_bytes, builder.getInt64Ty())
                        : builder.getInt64(0)};
  auto* bytes = group.dynamic_bytes != nullptr
                    ? builder.CreateZExtOrTrunc(group.dynamic_bytes, builder.getInt64Ty())
                    : builder.getInt64(static_cast<std::uint64_t>(high - low));
  if (group.object != nullptr)
    limit_to_object(check, group, *bytes, builder);
  if (group.argument != nullptr) {
    check.begin = bounds_.begin_of(*group.argument);
    check.count = bounds_.count_of(*group.argument, *bytes, group.alignment, builder);
    check.base = builder.getInt64(group.argument->getArgNo() + 1);
  }
  create_bounds_check(builder, check);
}

void AccessGroups::flush(Groups& groups) {
  for (const auto& group : groups)
    emit(group);
  groups.clear();
}

} // namespace heddle::compiler
