// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/transform/merge_components.h"

#include "compiler/analysis/address_base.h"
#include "compiler/ir/address_space.h"
#include "compiler/ir/bounds_check.h"
#include "compiler/vectorize/analysis/analyses.h"
#include "compiler/vectorize/analysis/lane_access.h"
#include "compiler/vectorize/analysis/masked_blocks.h"
#include "compiler/vectorize/analysis/transposed_access.h"
#include "compiler/vectorize/analysis/vectorization_plan.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <array>

namespace heddle::compiler {
namespace {

constexpr unsigned kMaxComponents = 4;
constexpr unsigned kOffsetBits = 32;
constexpr unsigned kWordBits = 32;
// Each access is compared with all pending ones.
constexpr std::size_t kMaxGroups = 16, kMaxPending = 32;

// Whether a coordinate is converted to the address's index: neighboring lanes mostly access the
// same elements, which CoalesceGathersPass loads at once.
bool is_interpolated(const llvm::Value& address, unsigned depth = 0) {
  constexpr unsigned kMaxDepth = 8;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&address);
  return instruction != nullptr && depth < kMaxDepth &&
         (llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(instruction) ||
          (llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst,
                     llvm::MinMaxIntrinsic>(instruction) &&
           llvm::any_of(instruction->operands(), [&](const llvm::Use& operand) {
             return is_interpolated(*operand, depth + 1);
           })));
}

struct Component {
  llvm::Instruction* access;
  std::int64_t offset; // bytes from the base
};
using Components = llvm::SmallVector<Component, 8>;

// Loads or stores of one kind whose order does not matter: nothing since the first one may access
// the same memory. `period` is the number of elements from lane to lane; 0: lanes are far apart.
struct Group {
  AddressBase base;
  llvm::Type* type;
  unsigned period;
  bool are_loads;
  Components components;

  std::int64_t size(const llvm::DataLayout& layout) const {
    return static_cast<std::int64_t>(layout.getTypeStoreSize(type).getFixedValue());
  }
};

// An access, as the only one of its group.
using Access = Group;

class Merger {
 public:
  Merger(llvm::Function& kernel, const LaneShapes& shapes, const VectorPlan& plan)
      : shapes_(shapes), plan_(plan), layout_(kernel.getParent()->getDataLayout()) {}

  void run(llvm::BasicBlock& block, bool is_masked) {
    is_masked_ = is_masked;
    for (auto& instruction : block) {
      if (const auto access = access_of(instruction)) {
        add(*access);
        continue;
      }
      if (is_bounds_check(instruction))
        continue;
      if (instruction.mayWriteToMemory())
        end_groups([](const Group&) { return true; });
      else if (instruction.mayReadFromMemory())
        end_groups([](const Group& group) { return !group.are_loads; });
    }
    end_groups([](const Group&) { return true; });
    // Not before: the bases of others may be made of them.
    for (auto* instruction : merged_)
      instruction->eraseFromParent();
    merged_.clear();
  }

 private:
  std::optional<Access> access_of(llvm::Instruction& instruction) const {
    auto* address = llvm::getLoadStorePointerOperand(&instruction);
    if (address == nullptr || instruction.isVolatile() || instruction.isAtomic())
      return std::nullopt;
    auto* type = llvm::getLoadStoreType(&instruction);
    const auto space = address->getType()->getPointerAddressSpace();
    if (!(type->isIntegerTy() || type->isFloatingPointTy()) ||
        !llvm::isPowerOf2_32(type->getScalarSizeInBits()) || type->getScalarSizeInBits() < 8 ||
        (space != kGlobal && space != kConstant && space != kLocal) || shapes_.is_uniform(*address))
      return std::nullopt;
    const auto period = period_of(instruction);
    if (!period || is_transposed(instruction, shapes_))
      return std::nullopt;
    const auto [base, offset] = address_of(*address, layout_);
    if (!llvm::isIntN(kOffsetBits, static_cast<std::int64_t>(offset)))
      return std::nullopt;
    return Access{base,
                  type,
                  *period,
                  llvm::isa<llvm::LoadInst>(instruction),
                  {{&instruction, static_cast<std::int64_t>(offset)}}};
  }

  // As in Group; none if the access is best left alone.
  std::optional<unsigned> period_of(const llvm::Instruction& access) const {
    const auto lanes = lane_access(access, shapes_);
    if (!lanes.has_stride() || std::abs(lanes.stride) > kMaxComponents * lanes.bytes)
      return 0;
    const auto period = lanes.stride / lanes.bytes;
    return lanes.stride % lanes.bytes == 0 && period > 1
               ? std::optional(static_cast<unsigned>(period))
               : std::nullopt;
  }

  static bool is_narrow(const llvm::Type& type) { return type.getScalarSizeInBits() < kWordBits; }

  // Whether lanes access so many adjacent elements as one integer.
  static bool is_integer(const llvm::Type& type, std::size_t count) {
    return is_narrow(type) && llvm::isPowerOf2_64(count);
  }

  // Whether vectors of these components, and of all that is between them, are accessed at once.
  bool is_vector(const Group& group, llvm::ArrayRef<Component> components) const {
    const auto span = place(group, components, components.back()) + 1;
    const bool is_whole = components.size() == span;
    const bool loads_three =
        group.are_loads && span == 3 && plan_.loads_three(group.type->getScalarSizeInBits());
    if (components.size() < 2)
      return false;
    if (group.period == 0)
      return is_whole && (span != 3 || loads_three) &&
             (is_integer(*group.type, span) || loads_three ||
              !is_interpolated(*llvm::getLoadStorePointerOperand(components.front().access)));
    // Masks of some components, or of three, take longer.
    if (is_masked_)
      return is_whole && span == group.period && llvm::isPowerOf2_64(span);
    if (!group.are_loads)
      return is_whole && span == group.period;
    return span == group.period || !is_narrow(*group.type) || loads_three;
  }

  // Merges what is in the group.
  void end(Group& group) {
    const auto size = group.size(layout_);
    llvm::sort(group.components,
               [](const Component& a, const Component& b) { return a.offset < b.offset; });
    llvm::ArrayRef<Component> rest = group.components;
    while (rest.size() > 1) {
      auto count = group.period == 0 ? kMaxComponents : group.period;
      for (; count > 1; --count) {
        const auto taken = rest.take_while([&](const Component& one) {
          return one.offset - rest.front().offset < static_cast<std::int64_t>(count) * size;
        });
        const bool are_elements = llvm::all_of(taken, [&](const Component& one) {
          return (one.offset - rest.front().offset) % size == 0;
        });
        if (are_elements && is_vector(group, taken)) {
          group.are_loads ? merge_loads(group, taken) : merge_stores(group, taken);
          rest = rest.drop_front(taken.size() - 1);
          break;
        }
      }
      rest = rest.drop_front();
    }
  }

  template <typename Predicate>
  void end_groups(const Predicate& ends) {
    for (auto* group = groups_.begin(); group != groups_.end();) {
      if (!ends(*group)) {
        ++group;
        continue;
      }
      end(*group);
      group = groups_.erase(group);
    }
  }

  static bool is_local(const Group& group) {
    return llvm::getLoadStoreAddressSpace(group.components.front().access) == kLocal;
  }

  // Whether a work-item may access the same memory by both, or by what is at most `around` bytes
  // before or behind a component of the group: not through two arguments of which one is noalias,
  // nor at different distances from a base.
  bool may_overlap(const Group& group, std::int64_t around, const Access& access) const {
    if (group.base == access.base)
      return llvm::any_of(group.components, [&](const Component& one) {
        const auto& other = access.components.front();
        return other.offset < one.offset + group.size(layout_) + around &&
               one.offset - around < other.offset + access.size(layout_);
      });
    if (is_local(group) != is_local(access))
      return false;
    const auto argument_of = [](const Group& one) {
      return llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(
          llvm::getLoadStorePointerOperand(one.components.front().access)));
    };
    const auto *first = argument_of(group), *second = argument_of(access);
    return first == nullptr || second == nullptr || first == second ||
           !(first->hasNoAliasAttr() || second->hasNoAliasAttr());
  }

  // Ends the groups that the access must not be moved across.
  void end_overlapping(const Access& access) {
    end_groups([&](const Group& group) {
      if (!group.are_loads)
        return may_overlap(group, 0, access);
      // What is loaded next to a load becomes part of it, before this store.
      const auto neighbors = (kMaxComponents - 1) * group.size(layout_);
      return !access.are_loads && may_overlap(group, neighbors, access);
    });
  }

  void add(const Access& access) {
    end_overlapping(access);
    const auto& component = access.components.front();
    auto* group = llvm::find_if(groups_, [&](const Group& one) {
      return one.base == access.base && one.type == access.type && one.period == access.period &&
             one.are_loads == access.are_loads;
    });
    if (group == groups_.end()) {
      if (groups_.size() == kMaxGroups) {
        end(groups_.front());
        groups_.erase(groups_.begin());
      }
      groups_.push_back(access);
      return;
    }
    if (llvm::any_of(group->components,
                     [&](const Component& one) { return one.offset == component.offset; }))
      return;
    if (group->components.size() == kMaxPending) {
      end(*group);
      group->components.clear();
    }
    group->components.push_back(component);
  }

  // The address of the first component, from that of one whose address is there.
  llvm::Value* first_address(llvm::IRBuilder<>& builder, llvm::ArrayRef<Component> components,
                             const Component& known) const {
    auto* pointer = llvm::getLoadStorePointerOperand(known.access);
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(pointer->getType()), 0);
    pointer = pointer->stripAndAccumulateConstantOffsets(layout_, offset, true);
    return builder.CreateGEP(
        builder.getInt8Ty(), pointer,
        builder.getInt64(offset.getSExtValue() + components.front().offset - known.offset));
  }

  static void copy_metadata(llvm::ArrayRef<Component> components, llvm::Instruction& made) {
    auto known = components.front().access->getAAMetadata();
    for (const auto& component : components)
      known = known.merge(component.access->getAAMetadata());
    made.setAAMetadata(known);
  }

  // Of the components and what is between them.
  llvm::FixedVectorType* vector_type(const Group& group,
                                     llvm::ArrayRef<Component> components) const {
    return llvm::FixedVectorType::get(
        group.type, static_cast<unsigned>(place(group, components, components.back()) + 1));
  }
  std::uint64_t place(const Group& group, llvm::ArrayRef<Component> components,
                      const Component& component) const {
    return static_cast<std::uint64_t>(component.offset - components.front().offset) /
           static_cast<std::uint64_t>(group.size(layout_));
  }

  void merge_loads(const Group& group, llvm::ArrayRef<Component> components) {
    const auto* first = &components.front();
    for (const auto& component : components)
      if (component.access->comesBefore(first->access))
        first = &component;
    llvm::IRBuilder<> builder(first->access);
    auto* made = builder.CreateAlignedLoad(vector_type(group, components),
                                           first_address(builder, components, *first),
                                           llvm::getLoadStoreAlignment(components[0].access));
    copy_metadata(components, *made);
    for (const auto& component : components)
      component.access->replaceAllUsesWith(
          builder.CreateExtractElement(made, place(group, components, component)));
    for (const auto& component : components)
      merged_.push_back(component.access);
  }

  void merge_stores(const Group& group, llvm::ArrayRef<Component> components) {
    const auto* last = &components.front();
    for (const auto& component : components)
      if (last->access->comesBefore(component.access))
        last = &component;
    llvm::IRBuilder<> builder(last->access);
    llvm::Value* value = llvm::PoisonValue::get(vector_type(group, components));
    for (const auto& component : components)
      value = builder.CreateInsertElement(
          value, llvm::cast<llvm::StoreInst>(component.access)->getValueOperand(),
          place(group, components, component));
    auto* made = builder.CreateAlignedStore(value, first_address(builder, components, *last),
                                            llvm::getLoadStoreAlignment(components[0].access));
    copy_metadata(components, *made);
    for (const auto& component : components)
      merged_.push_back(component.access);
  }

  const LaneShapes& shapes_;
  const VectorPlan& plan_;
  const llvm::DataLayout& layout_;
  bool is_masked_ = false; // some lanes may execute the block without others
  llvm::SmallVector<Group, 8> groups_;
  llvm::SmallVector<llvm::Instruction*, 16> merged_;
};

} // namespace

static void merge_components(llvm::Function& kernel, const Analyses& analyses,
                             const VectorPlan& plan) {
  const auto masked = masked_blocks(kernel, analyses.shapes);
  Merger merger(kernel, analyses.shapes, plan);
  for (auto& block : kernel)
    merger.run(block, masked.contains(&block));
}

llvm::PreservedAnalyses
MergeComponentsPass::run_on_kernel(Kernel& kernel, llvm::FunctionAnalysisManager& /*analyses*/) {
  auto& body = *kernel.body;
  const auto plan = body_plan(kernel);
  if (kernel.plan->is_vectorized())
    merge_components(body, Analyses(body, plan), plan);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
