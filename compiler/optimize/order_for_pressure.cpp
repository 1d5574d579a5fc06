// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/optimize/order_for_pressure.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {
namespace {

constexpr std::size_t kMinInstructions = 32;
constexpr std::size_t kMaxOrderedInstructions = 4096;
constexpr std::size_t kMinAlive = 12;

using Order = llvm::SmallVector<llvm::Instruction*, 64>;

bool may_move(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isSimple();
  return !instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects() &&
         !instruction.isTerminator() && !llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) &&
         (!llvm::isa<llvm::CallBase>(instruction) || llvm::isa<llvm::IntrinsicInst>(instruction));
}

// Values that are computed and used in a run of instructions.
class Run {
 public:
  explicit Run(llvm::ArrayRef<llvm::Instruction*> run)
      : run_(run), members_(run.begin(), run.end()) {}

  // The largest number of floating-point values, which are what loads wait for, alive at once.
  std::size_t most_alive(llvm::ArrayRef<llvm::Instruction*> order) const {
    llvm::SmallPtrSet<const llvm::Instruction*, 32> alive;
    std::size_t most = 0;
    for (const auto* instruction : llvm::reverse(order)) {
      alive.erase(instruction);
      for (const auto& operand : instruction->operands())
        if (const auto* used = llvm::dyn_cast<llvm::Instruction>(operand);
            used != nullptr && members_.contains(used) && is_counted(*used))
          alive.insert(used);
      most = std::max<std::size_t>(most, alive.size());
    }
    return most;
  }

  Order depth_first() {
    // Operands come first in the run.
    for (const auto* instruction : run_)
      need_[instruction] = need_of(*instruction);
    Order order;
    for (auto* instruction : run_)
      if (!has_user_in_run(*instruction))
        append(*instruction, order);
    return order;
  }

 private:
  static bool is_counted(const llvm::Instruction& instruction) {
    return instruction.getType()->isFPOrFPVectorTy();
  }

  bool has_user_in_run(const llvm::Instruction& instruction) const {
    return llvm::any_of(instruction.users(), [&](const llvm::User* user) {
      return members_.contains(llvm::cast<llvm::Instruction>(user));
    });
  }

  llvm::SmallVector<llvm::Instruction*, 4> operands(const llvm::Instruction& instruction) const {
    llvm::SmallVector<llvm::Instruction*, 4> used;
    for (const auto& operand : instruction.operands())
      if (auto* one = llvm::dyn_cast<llvm::Instruction>(operand);
          one != nullptr && members_.contains(one))
        used.push_back(one);
    llvm::stable_sort(
        used, [&](const auto* a, const auto* b) { return need_.lookup(a) > need_.lookup(b); });
    return used;
  }

  // As Sethi and Ullman count registers: each operand waits while the next is computed.
  std::pair<unsigned, unsigned> need_of(const llvm::Instruction& instruction) const {
    std::pair<unsigned, unsigned> need{1, 1};
    unsigned waiting = 0;
    for (const auto* operand : operands(instruction)) {
      const auto own = need_.lookup(operand);
      need.first = std::max(need.first, own.first + waiting);
      need.second += own.second; // of equal ones, the longest first
      waiting += is_counted(*operand);
    }
    need.second = std::min(need.second, 1U << 20);
    return need;
  }

  void append(llvm::Instruction& root, Order& order) {
    // Of values to append, and whether their operands have been appended.
    llvm::SmallVector<std::pair<llvm::Instruction*, bool>, 32> stack{{&root, false}};
    while (!stack.empty()) {
      const auto [instruction, is_ready] = stack.pop_back_val();
      if (appended_.contains(instruction))
        continue;
      if (is_ready) {
        appended_.insert(instruction);
        order.push_back(instruction);
        continue;
      }
      stack.emplace_back(instruction, true);
      for (auto* operand : llvm::reverse(operands(*instruction)))
        stack.emplace_back(operand, false);
    }
  }

  llvm::ArrayRef<llvm::Instruction*> run_;
  llvm::SmallPtrSet<const llvm::Instruction*, 32> members_;
  llvm::DenseMap<const llvm::Instruction*, std::pair<unsigned, unsigned>> need_;
  llvm::SmallPtrSet<const llvm::Instruction*, 32> appended_;
};

bool reorder(llvm::ArrayRef<llvm::Instruction*> instructions) {
  if (instructions.size() < kMinInstructions || instructions.size() > kMaxOrderedInstructions)
    return false;
  Run run(instructions);
  const auto before = run.most_alive(instructions);
  if (before < kMinAlive)
    return false;
  const auto order = run.depth_first();
  if (run.most_alive(order) * 4 > before * 3)
    return false;
  auto* end = instructions.back()->getNextNode();
  for (auto* instruction : order)
    instruction->moveBefore(end->getIterator());
  return true;
}

} // namespace

llvm::PreservedAnalyses OrderForPressurePass::run(llvm::Function& function,
                                                  llvm::FunctionAnalysisManager& /*analyses*/) {
  bool changed = false;
  for (auto& block : function) {
    llvm::SmallVector<llvm::Instruction*, 64> run;
    for (auto& instruction : llvm::make_early_inc_range(block)) {
      if (may_move(instruction)) {
        run.push_back(&instruction);
        continue;
      }
      changed |= reorder(run);
      run.clear();
    }
  }
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

} // namespace heddle::compiler
