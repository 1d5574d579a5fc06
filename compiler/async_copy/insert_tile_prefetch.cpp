// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/async_copy/insert_tile_prefetch.h"

#include "compiler/async_copy/expand_copies.h"
#include "compiler/async_copy/insert_copy_prefetch.h"
#include "compiler/ir/address_space.h"
#include "compiler/ir/prefetch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {
namespace {

bool is_local(const llvm::Value& pointer) {
  return pointer.getType()->getPointerAddressSpace() == kLocal;
}

llvm::SmallVector<llvm::CallInst*, 4> copies_to_local(llvm::Function& function) {
  llvm::SmallVector<llvm::CallInst*, 4> copies;
  for (auto& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        call != nullptr && call->getCalledFunction() != nullptr &&
        (call->getCalledFunction()->getName() == kCopyBytes ||
         call->getCalledFunction()->getName() == kCopyAndPrefetch) &&
        is_local(*call->getArgOperand(0)->stripPointerCasts()))
      copies.push_back(call);
  return copies;
}

// A load of a vector from local memory at an offset from a loop-invariant address.
struct TileRead {
  llvm::LoadInst* load;
  llvm::GetElementPtrInst* address;
};

std::optional<TileRead> first_read(const llvm::Loop& loop, const llvm::DominatorTree& tree) {
  for (auto* block : loop.blocks()) {
    if (!tree.dominates(block, loop.getLoopLatch()))
      continue; // not in every iteration
    for (auto& instruction : *block) {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (load == nullptr || !load->isSimple() || !load->getType()->isVectorTy() ||
          !is_local(*load->getPointerOperand()))
        continue;
      auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(load->getPointerOperand());
      if (address != nullptr && address->getNumIndices() == 1 && loop.contains(address) &&
          loop.isLoopInvariant(address->getPointerOperand()))
        return TileRead{load, address};
    }
  }
  return std::nullopt;
}

// The terminator of the block that immediately dominates the loop.
llvm::Instruction* insertion_point(const llvm::Loop& loop, const llvm::DominatorTree& tree) {
  return tree.getNode(loop.getHeader())->getIDom()->getBlock()->getTerminator();
}

// A copy in the same parent loop, whose operands are available at the insertion point.
llvm::CallInst* find_copy(const llvm::Loop& loop, llvm::ArrayRef<llvm::CallInst*> copies,
                          const llvm::LoopInfo& loops, const llvm::DominatorTree& tree) {
  const auto* where = insertion_point(loop, tree);
  for (auto* copy : copies) {
    const auto is_available = [&](const llvm::Value* value) {
      const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
      return instruction == nullptr || tree.dominates(instruction, where);
    };
    if (loops.getLoopFor(copy->getParent()) == loop.getParentLoop() &&
        is_available(copy->getArgOperand(1)) && is_available(copy->getArgOperand(2)))
      return copy;
  }
  return nullptr;
}

void emit_prefetch(const llvm::Loop& loop, const TileRead& read, llvm::CallInst& copy,
                   const llvm::DominatorTree& tree) {
  if (copy.arg_size() > 3) // the prefetches of the copy itself would wait for memory
    copy.setArgOperand(3, llvm::Constant::getNullValue(copy.getArgOperand(3)->getType()));
  llvm::IRBuilder<> builder(insertion_point(loop, tree));
  auto* next = copy.getArgOperand(1);
  if (!tree.dominates(loop.getHeader(), copy.getParent())) // the copy is before the loop
    next = builder.CreateGEP(builder.getInt8Ty(), next, copy.getArgOperand(2), "next_tile");
  builder.SetInsertPoint(read.load);
  auto* address =
      builder.CreateGEP(read.address->getSourceElementType(), next, read.address->getOperand(1));
  const auto bytes = read.load->getDataLayout().getTypeStoreSize(read.load->getType());
  for (std::uint64_t at = 0; at < bytes; at += kCacheLine)
    prefetch(builder, builder.CreateConstGEP1_64(builder.getInt8Ty(), address, at),
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
    auto* copy = read ? find_copy(*loop, copies, loops, tree) : nullptr;
    if (copy != nullptr)
      emit_prefetch(*loop, *read, *copy, tree);
  }
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

} // namespace heddle::compiler
