#include "compiler/async_copy/insert_tile_prefetch.h"

#include "compiler/async_copy/expand_copies.h"
#include "compiler/async_copy/insert_copy_prefetch.h"
#include "compiler/ir/prefetch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kLocal = 3;

bool is_local(const llvm::Value& pointer) {
  return pointer.getType()->getPointerAddressSpace() == kLocal;
}

llvm::SmallVector<llvm::CallInst*, 4> copies_to_local(llvm::Function& function) {
  llvm::SmallVector<llvm::CallInst*, 4> copies;
  for (auto& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        call != nullptr && call->getCalledFunction() != nullptr &&
        (call->getCalledFunction()->getName() == kCopyBytes ||
         call->getCalledFunction()->getName() == kCopyAndFetch) &&
        is_local(*call->getArgOperand(0)->stripPointerCasts()))
      copies.push_back(call);
  return copies;
}

// A whole vector from a place in local memory that is counted from a fixed one.
struct TileRead {
  llvm::LoadInst* load;
  llvm::GetElementPtrInst* place;
};

std::optional<TileRead> first_read(const llvm::Loop& loop, const llvm::DominatorTree& tree) {
  for (auto* block : loop.blocks()) {
    if (!tree.dominates(block, loop.getLoopLatch()))
      continue; // not in every round
    for (auto& instruction : *block) {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (load == nullptr || !load->isSimple() || !load->getType()->isVectorTy() ||
          !is_local(*load->getPointerOperand()))
        continue;
      auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(load->getPointerOperand());
      if (place != nullptr && place->getNumIndices() == 1 && loop.contains(place) &&
          loop.isLoopInvariant(place->getPointerOperand()))
        return TileRead{load, place};
    }
  }
  return std::nullopt;
}

// A place that all ways into the loop pass.
llvm::Instruction* before(const llvm::Loop& loop, const llvm::DominatorTree& tree) {
  return tree.getNode(loop.getHeader())->getIDom()->getBlock()->getTerminator();
}

// A copy that is made where the loop is, by the same sub-group in the same step.
llvm::CallInst* copy_beside(const llvm::Loop& loop, llvm::ArrayRef<llvm::CallInst*> copies,
                            const llvm::LoopInfo& loops, const llvm::DominatorTree& tree) {
  const auto* where = before(loop, tree);
  for (auto* copy : copies) {
    const auto is_there = [&](const llvm::Value* value) {
      const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
      return instruction == nullptr || tree.dominates(instruction, where);
    };
    if (loops.getLoopFor(copy->getParent()) == loop.getParentLoop() &&
        is_there(copy->getArgOperand(1)) && is_there(copy->getArgOperand(2)))
      return copy;
  }
  return nullptr;
}

void fetch(const llvm::Loop& loop, const TileRead& read, llvm::CallInst& copy,
           const llvm::DominatorTree& tree) {
  if (copy.arg_size() > 3) // not by the copy itself, which would wait for memory
    copy.setArgOperand(3, llvm::Constant::getNullValue(copy.getArgOperand(3)->getType()));
  llvm::IRBuilder<> builder(before(loop, tree));
  auto* next = copy.getArgOperand(1);
  if (!tree.dominates(loop.getHeader(), copy.getParent())) // it was made before the loop
    next = builder.CreateGEP(builder.getInt8Ty(), next, copy.getArgOperand(2), "next_tile");
  builder.SetInsertPoint(read.load);
  auto* place =
      builder.CreateGEP(read.place->getSourceElementType(), next, read.place->getOperand(1));
  const auto bytes = read.load->getDataLayout().getTypeStoreSize(read.load->getType());
  for (std::uint64_t at = 0; at < bytes; at += kCacheLine)
    prefetch(builder, builder.CreateConstGEP1_64(builder.getInt8Ty(), place, at),
             Prefetch::to_read);
}

} // namespace

llvm::PreservedAnalyses InsertTilePrefetchPass::run(llvm::Function& function,
                                                    llvm::FunctionAnalysisManager& analyses) {
  const auto copies = copies_to_local(function);
  if (copies.empty())
    return llvm::PreservedAnalyses::all();
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  const auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  for (const auto* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || loop->getLoopLatch() == nullptr)
      continue;
    const auto read = first_read(*loop, tree);
    auto* copy = read ? copy_beside(*loop, copies, loops, tree) : nullptr;
    if (copy != nullptr)
      fetch(*loop, *read, *copy, tree);
  }
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

} // namespace heddle::compiler
