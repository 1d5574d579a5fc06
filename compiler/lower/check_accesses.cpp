// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/check_accesses.h"

#include "compiler/interface/check_record.h"
#include "compiler/ir/address_space.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/access_groups.h"
#include "compiler/lower/checked_calls.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

#include <optional>

namespace heddle::compiler {
namespace {

using abi::CheckedCall;

bool has_checked_bounds(const llvm::Value& pointer) {
  const auto space = pointer.getType()->getPointerAddressSpace();
  const auto* object = llvm::getUnderlyingObject(&pointer, 0);
  return space != kPrivate && !llvm::isa<llvm::GlobalVariable, llvm::AllocaInst>(object) &&
         (space != kLocal || only_argument(pointer) != nullptr);
}

class Checker {
 public:
  // `is_kernel`: the function is a kernel's body, whose arguments have known bounds.
  Checker(llvm::Function& function, bool is_kernel, CheckCalls& calls)
      : module_(*function.getParent()), calls_(calls), dominators_(function) {
    if (is_kernel)
      groups_.emplace(function, dominators_, calls);
  }

  void run() {
    // What has been checked on the way to a block is forgotten behind the blocks that it dominates.
    llvm::SmallVector<std::pair<llvm::DomTreeNode*, std::size_t>, 32> work;
    work.emplace_back(dominators_.getRootNode(), 0);
    while (!work.empty()) {
      const auto [node, known] = work.pop_back_val();
      while (undo_.size() > known) {
        checked_[undo_.back().first] = undo_.back().second;
        undo_.pop_back();
      }
      check(*node->getBlock());
      for (auto* child : node->children())
        work.emplace_back(child, undo_.size());
    }
    if (groups_)
      groups_->finish();
  }

 private:
  void check(llvm::BasicBlock& block) {
    for (auto& instruction : llvm::make_early_inc_range(block)) {
      if (groups_ && !instruction.willReturn())
        groups_->close();
      for (auto access : accesses(instruction)) {
        if (!has_checked_bounds(*access.pointer)) {
          if (is_aligned(access))
            continue;
          access.bytes = llvm::ConstantInt::get(access.bytes->getType(), 0);
        }
        if (!is_known(access))
          insert(access, instruction);
      }
    }
    if (groups_)
      groups_->close();
  }

  llvm::SmallVector<Access, 2> accesses(llvm::Instruction& instruction) const {
    auto* wide = llvm::Type::getInt64Ty(module_.getContext());
    const auto bytes_of = [&](llvm::Type* type) {
      return llvm::ConstantInt::get(wide, module_.getDataLayout().getTypeStoreSize(type));
    };
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return {{CheckedCall::load, load->getPointerOperand(), bytes_of(load->getType()),
               load->getAlign()}};
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return {{CheckedCall::store, store->getPointerOperand(),
               bytes_of(store->getValueOperand()->getType()), store->getAlign()}};
    if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      return {{CheckedCall::atomic, update->getPointerOperand(), bytes_of(update->getType()),
               update->getAlign()}};
    if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      return {{CheckedCall::atomic, exchange->getPointerOperand(),
               bytes_of(exchange->getNewValOperand()->getType()), exchange->getAlign()}};
    if (auto* copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(&instruction))
      return {{CheckedCall::load, copy->getRawSource(), copy->getLength(),
               copy->getSourceAlign().valueOrOne()},
              {CheckedCall::store, copy->getRawDest(), copy->getLength(),
               copy->getDestAlign().valueOrOne()}};
    if (auto* fill = llvm::dyn_cast<llvm::AnyMemSetInst>(&instruction))
      return {{CheckedCall::store, fill->getRawDest(), fill->getLength(),
               fill->getDestAlign().valueOrOne()}};
    return {};
  }

  bool is_aligned(const Access& access) const {
    return access.pointer->getType()->getPointerAddressSpace() == kPrivate ||
           llvm::getKnownAlignment(access.pointer, module_.getDataLayout()) >= access.alignment;
  }

  // Whether as many bytes and as much alignment have been checked there before; notes them
  // otherwise.
  bool is_known(const Access& access) {
    const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
    if (bytes == nullptr)
      return false;
    auto& known = checked_[access.pointer];
    auto& [before, alignment] = known;
    if (before >= bytes->getZExtValue() && alignment >= access.alignment)
      return true;
    undo_.emplace_back(access.pointer, known);
    before = std::max(before, bytes->getZExtValue());
    alignment = std::max(alignment, access.alignment);
    return false;
  }

  void insert(const Access& access, llvm::Instruction& before) {
    if (groups_)
      return groups_->add(access, before);
    llvm::IRBuilder<> builder(&before);
    calls_.insert(access.kind,
                  {access.pointer, access.bytes, builder.getInt64(access.alignment.value())},
                  before);
  }

  llvm::Module& module_;
  CheckCalls& calls_;
  llvm::DominatorTree dominators_;
  std::optional<AccessGroups> groups_;
  // Bytes from the pointer on, and its alignment.
  using Checked = std::pair<std::uint64_t, llvm::Align>;
  llvm::DenseMap<const llvm::Value*, Checked> checked_;
  llvm::SmallVector<std::pair<const llvm::Value*, Checked>, 32> undo_; // what was known before
};

} // namespace

llvm::PreservedAnalyses CheckAccessesPass::run(llvm::Module& module,
                                               llvm::ModuleAnalysisManager& /*analyses*/) {
  CheckCalls calls(module);
  for (auto& function : module)
    if (!function.isDeclaration() && has_work_item_params(function))
      Checker(function, compilation_.find_kernel(function) != nullptr, calls).run();
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
