// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/plan/coalesce_work_groups.h"

#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/vectorize/analysis/affine_id.h"
#include "compiler/vectorize/plan/loop_cost_model.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {
namespace {

class IdUses {
 public:
  IdUses(const WorkItemParams& params, std::uint64_t required_size, unsigned dimension)
      : params_(params), required_size_(required_size), dimension_(dimension),
        offset_(dimension * sizeof(std::uint64_t)) {}

  // Whether the local id is used for global ids only.
  bool has_global_ids_only() const {
    return llvm::all_of(params_.local_id[dimension_]->users(), [&](const llvm::User* user) {
      const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(user);
      return sum != nullptr && sum->getOpcode() == llvm::Instruction::Add && is_global_id(*sum);
    });
  }

  // Whether the kernel loads nothing from the group by which groups with the same ids in the other
  // dimensions differ, other than operands of global ids.
  bool hides_group() const {
    return llvm::all_of(params_.group->users(), [&](const llvm::User* user) {
      if (llvm::isa<llvm::LoadInst>(user))
        return true; // of the pointer to the launch
      const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
      llvm::APInt offset(64, 0);
      if (address == nullptr ||
          !address->accumulateConstantOffset(address->getModule()->getDataLayout(), offset))
        return false;
      return llvm::all_of(address->users(), [&](const llvm::User* access) {
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(access);
        return load != nullptr && is_allowed(*load, offset.getZExtValue());
      });
    });
  }

 private:
  bool is_allowed(const llvm::LoadInst& load, std::uint64_t offset) const {
    const auto is_of = [&](std::uint64_t first) {
      return offset >= first && offset < first + 3 * sizeof(std::uint64_t);
    };
    if (offset == offsetof(abi::Group, group_id) + offset_)
      return is_used_in_global_ids(load);
    return offset == offsetof(abi::Group, launch) || offset == offsetof(abi::Group, worker) ||
           is_of(offsetof(abi::Group, group_id)) ||
           (is_of(offsetof(abi::Group, local_size)) &&
            offset != offsetof(abi::Group, local_size) + offset_);
  }

  // Whether all sums and products of the group id are operands of global ids.
  bool is_used_in_global_ids(const llvm::Value& value) const {
    return llvm::all_of(value.users(), [&](const llvm::User* user) {
      const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(user);
      if (operation == nullptr)
        return false;
      const auto id = affine_id(*operation, params_, dimension_);
      return id && (id->factor == 0 ? is_used_in_global_ids(*operation) : is_global_id(*operation));
    });
  }

  bool is_global_id(const llvm::BinaryOperator& sum) const {
    const auto id = affine_id(sum, params_, dimension_);
    const IdTerm group{IdTerm::Kind::group, offsetof(abi::Group, group_id) + offset_};
    const IdTerm size{IdTerm::Kind::launch, offsetof(abi::Launch, local_size) + offset_};
    const IdTerm offset{IdTerm::Kind::launch, offsetof(abi::Launch, global_offset) + offset_};
    if (!id || id->factor != 1)
      return false;
    auto start = id->start;
    const auto from_offset = start.find({offset});
    if (from_offset != start.end() && from_offset->second == 1)
      start.erase(from_offset);
    return start == IdSum{{{group, size}, 1}} ||
           (required_size_ != 0 && start == IdSum{{{group}, required_size_}});
  }

  const WorkItemParams& params_;
  const std::uint64_t required_size_;
  const unsigned dimension_;
  const std::uint64_t offset_; // bytes, of what is of the dimension
};

// Groups that wait for each other, as through pipes, must not become lanes of one sub-group.
bool may_wait_for_other_groups(const llvm::Function& body) {
  return llvm::any_of(llvm::instructions(body), [](const llvm::Instruction& instruction) {
    if (llvm::isa<llvm::CallBase>(instruction))
      return !llvm::isa<llvm::IntrinsicInst>(instruction) && instruction.mayReadOrWriteMemory();
    return instruction.isAtomic() || instruction.isVolatile();
  });
}

// Whether the kernel calls operations of sub-groups, whose results depend on the group.
bool uses_subgroup_operations(const llvm::Function& body) {
  return llvm::any_of(llvm::instructions(body), [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call != nullptr && subgroup_intrinsic(*call);
  });
}

} // namespace

GroupCoalescing choose_group_coalescing(const Kernel& kernel, unsigned dimension) {
  auto& body = *kernel.body;
  const bool has_local_memory =
      kernel.metadata.local_bytes != 0 ||
      llvm::any_of(kernel.metadata.arguments, [](const KernelArgument& argument) {
        return argument.kind == ArgumentKind::local_pointer;
      });
  if (kernel.metadata.has_barrier || has_local_memory || uses_subgroup_operations(body) ||
      may_wait_for_other_groups(body))
    return GroupCoalescing::none;
  const auto params = work_item_params(body);
  const IdUses ids(params, kernel.metadata.required_group_size[dimension], dimension);
  if (!ids.has_global_ids_only() || !ids.hides_group())
    return GroupCoalescing::none;
  // The rows of a group may access the same memory in their loops: then locality is better if a
  // group finishes before the next one starts.
  const llvm::DominatorTree dominators(body);
  const llvm::LoopInfo loops(dominators);
  return accesses_memory_in_loops(body, loops) ? GroupCoalescing::single_rows
                                               : GroupCoalescing::all;
}

} // namespace heddle::compiler
