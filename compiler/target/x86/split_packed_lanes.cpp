// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/x86/split_packed_lanes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

namespace heddle::compiler {
namespace {

using namespace llvm::PatternMatch;

// The lane that the instruction extracts from the i64, completely or in part; null if it extracts
// another part.
llvm::Value* lane_of(llvm::Instruction& taken, llvm::BitCastInst& word) {
  llvm::IRBuilder<> builder(&taken);
  const auto lane = [&](std::uint64_t number) {
    return builder.CreateZExt(builder.CreateExtractElement(word.getOperand(0), number),
                              word.getType());
  };
  const llvm::APInt* bits = nullptr;
  if (match(&taken, m_And(m_Specific(&word), m_APInt(bits))) && bits->isIntN(32))
    return bits->isMask(32) ? lane(0) : builder.CreateAnd(lane(0), *bits);
  if (match(&taken, m_LShr(m_Specific(&word), m_SpecificInt(32))))
    return lane(1);
  return nullptr;
}

} // namespace

static void split_packed_lanes(llvm::Function& function) {
  auto& context = function.getContext();
  auto* lanes = llvm::FixedVectorType::get(llvm::Type::getInt32Ty(context), 2);
  auto* integer = llvm::Type::getInt64Ty(context);
  llvm::SmallVector<llvm::WeakTrackingVH, 4> words; // null: deleted with another one
  for (auto& instruction : llvm::instructions(function))
    if (auto* word = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
        word != nullptr && word->getType() == integer && word->getSrcTy() == lanes)
      words.push_back(word);
  for (const auto& handle : words) {
    auto* word = llvm::dyn_cast_or_null<llvm::BitCastInst>(handle);
    if (word == nullptr)
      continue;
    for (auto* user : llvm::make_early_inc_range(word->users())) {
      auto* taken = llvm::cast<llvm::Instruction>(user);
      if (auto* lane = lane_of(*taken, *word)) {
        taken->replaceAllUsesWith(lane);
        taken->eraseFromParent();
      }
    }
    llvm::RecursivelyDeleteTriviallyDeadInstructions(word);
  }
}

llvm::PreservedAnalyses SplitPackedLanesPass::run(llvm::Module& module,
                                                  llvm::ModuleAnalysisManager& /*analyses*/) {
  for (auto& function : module)
    split_packed_lanes(function);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
