// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/check_accesses.h"

#include "compiler/interface/check_record.h"
#include "compiler/ir/address_space.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/access_groups.h"
#include "compiler/lower/checked_calls.h"
#include "compiler/lower/checked_objects.h"
#include "compiler/lower/memory_accesses.h"
#include "compiler/lower/shadow_memory.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

namespace heddle::compiler {
namespace {

using abi::CheckedCall;

// Those of variables are checked by their offsets (checked_objects.h).
bool has_checked_bounds(const llvm::Value& pointer, bool is_kernel) {
  const auto space = pointer.getType()->getPointerAddressSpace();
  const auto* object = llvm::getUnderlyingObject(&pointer, 0);
  if (is_kernel && is_program_variable(*object))
    return false;
  return space != kPrivate && !llvm::isa<llvm::GlobalVariable, llvm::AllocaInst>(object) &&
         (space != kLocal || only_argument(pointer) != nullptr);
}

class Checker {
 public:
  // `kernel`: the one whose body the function is; null if it is none, and its arguments have no
  // known bounds.
  Checker(llvm::Function& function, const Kernel* kernel, CheckCalls& calls)
      : module_(*function.getParent()), calls_(calls), dominators_(function),
        is_kernel_(kernel != nullptr), groups_(function, kernel, dominators_, calls) {}

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
    groups_.finish();
    for (auto* check : object_checks_)
      check->eraseFromParent();
  }

 private:
  void check(llvm::BasicBlock& block) {
    for (auto& instruction : llvm::make_early_inc_range(block)) {
      if (const auto check = object_check(instruction)) {
        const Access access{check->kind,  check->offset, check->bytes,       llvm::Align(1),
                            check->place, check->object, check->object_bytes};
        if (!is_known(access))
          insert(access, instruction);
        object_checks_.push_back(&instruction);
        continue;
      }
      if (!instruction.willReturn())
        groups_.close();
      for (auto access : accesses_of(instruction)) {
        if (is_shadow_address(*access.pointer))
          continue;
        if (!has_checked_bounds(*access.pointer, is_kernel_)) {
          if (is_aligned(access))
            continue;
          access.bytes = llvm::ConstantInt::get(access.bytes->getType(), 0);
        }
        if (!is_known(access))
          insert(access, instruction);
      }
    }
    groups_.close();
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
    const Key key{access.pointer, access.object};
    auto& known = checked_[key];
    auto& [before, alignment] = known;
    if (before >= bytes->getZExtValue() && alignment >= access.alignment)
      return true;
    undo_.emplace_back(key, known);
    before = std::max(before, bytes->getZExtValue());
    alignment = std::max(alignment, access.alignment);
    return false;
  }

  void insert(const Access& access, llvm::Instruction& before) {
    if (is_kernel_ || access.object != nullptr)
      return groups_.add(access, before);
    llvm::IRBuilder<> builder(&before);
    calls_.insert(access.kind,
                  {access.pointer, access.bytes, builder.getInt64(access.alignment.value())},
                  before);
  }

  llvm::Module& module_;
  CheckCalls& calls_;
  llvm::DominatorTree dominators_;
  const bool is_kernel_;
  AccessGroups groups_;
  // Bytes from the pointer on, and its alignment.
  using Checked = std::pair<std::uint64_t, llvm::Align>;
  using Key = std::pair<const llvm::Value*, const llvm::Value*>; // pointer or offset, object
  llvm::DenseMap<Key, Checked> checked_;
  llvm::SmallVector<std::pair<Key, Checked>, 32> undo_; // what was known before
  llvm::SmallVector<llvm::Instruction*, 16> object_checks_;
};

} // namespace

llvm::PreservedAnalyses CheckAccessesPass::run(llvm::Module& module,
                                               llvm::ModuleAnalysisManager& /*analyses*/) {
  CheckCalls calls(module);
  for (auto& function : module)
    if (!function.isDeclaration() && has_work_item_params(function))
      Checker(function, compilation_.find_kernel(function), calls).run();
  lower_program_variables(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
