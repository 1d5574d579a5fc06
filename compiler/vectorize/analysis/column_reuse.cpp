// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/column_reuse.h"

#include "compiler/interface/kernel_abi.h"
#include "compiler/ir/address_space.h"
#include "compiler/ir/work_item_params.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kMaxSteps = 400; // from an address to what it is computed from

struct Dependences {
  bool on_x = false, on_y = false;
  bool on_iteration = false; // of the loop, or of loops in it
  bool on_others = false;    // on what is loaded, or too much
};

class GroupIdDependences {
 public:
  explicit GroupIdDependences(llvm::Function& kernel)
      : params_(work_item_params(kernel)), layout_(kernel.getParent()->getDataLayout()) {}

  Dependences of_address(const llvm::Value& address, const llvm::Loop& loop) const {
    Dependences found;
    llvm::SmallPtrSet<const llvm::Value*, 32> seen{&address};
    llvm::SmallVector<const llvm::Value*, 32> waiting{&address};
    while (!waiting.empty() && !found.on_others) {
      const auto* instruction = llvm::dyn_cast<llvm::Instruction>(waiting.pop_back_val());
      if (instruction == nullptr)
        continue;
      if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
        add(*load, found);
        continue;
      }
      found.on_iteration |= llvm::isa<llvm::PHINode>(instruction) && loop.contains(instruction);
      found.on_others |= seen.size() > kMaxSteps || instruction->mayReadFromMemory();
      for (const auto& operand : instruction->operands())
        if (seen.insert(operand.get()).second)
          waiting.push_back(operand.get());
    }
    return found;
  }

 private:
  void add(const llvm::LoadInst& load, Dependences& found) const {
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
    const auto* base =
        load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true);
    constexpr auto kX = offsetof(abi::Group, group_id), kY = kX + sizeof(std::uint64_t);
    found.on_x |= base == params_.group && offset == kX;
    found.on_y |= base == params_.group && offset == kY;
    // Sizes of the launch are loaded by way of the group.
    const auto* launch = llvm::dyn_cast<llvm::LoadInst>(base);
    found.on_others |=
        base != params_.group &&
        (launch == nullptr ||
         launch->getPointerOperand()->stripInBoundsConstantOffsets() != params_.group);
  }

  const WorkItemParams params_;
  const llvm::DataLayout& layout_;
};

// Whether groups may wait for others that were begun before, as programs expect row by row.
bool may_wait_for_earlier_groups(const llvm::Function& kernel) {
  return llvm::any_of(llvm::instructions(kernel), [](const llvm::Instruction& instruction) {
    const auto* address = llvm::getPointerOperand(&instruction);
    return instruction.isAtomic() || (instruction.isVolatile() && address != nullptr &&
                                      address->getType()->getPointerAddressSpace() != kPrivate);
  });
}

} // namespace

bool reuses_columns(llvm::Function& kernel) {
  if (!has_work_item_params(kernel) || may_wait_for_earlier_groups(kernel))
    return false;
  const llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  const GroupIdDependences dependences(kernel);
  for (const auto* loop : loops) {
    bool reads_column = false, reads_row = false;
    for (const auto* block : loop->blocks())
      for (const auto& instruction : *block) {
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        if (load == nullptr || load->getPointerAddressSpace() != kGlobal)
          continue;
        const auto found = dependences.of_address(*load->getPointerOperand(), *loop);
        if (!found.on_iteration || found.on_others)
          continue;
        reads_column |= found.on_x && !found.on_y;
        reads_row |= found.on_y && !found.on_x;
      }
    if (reads_column && reads_row)
      return true;
  }
  return false;
}

} // namespace heddle::compiler
