// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/transform/canonicalize.h"

#include "compiler/vectorize/analysis/interleave_private_arrays.h"
#include "compiler/vectorize/analysis/vectorization_plan.h"
#include "compiler/vectorize/transform/simplify_local_ids.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/BreakCriticalEdges.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

namespace heddle::compiler {
namespace {

// InstCombine multiplies by a constant and shifts at once where a product is made narrower, as the
// index 3 * i of an int i: (x * (3 << 32)) >> 32. Strides are found in (x * 3) << 32 >> 32.
void separate_narrow_products(llvm::Function& kernel) {
  using namespace llvm::PatternMatch;
  for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    llvm::Value* factor = nullptr;
    const llvm::APInt *product = nullptr, *shift = nullptr;
    if (!match(&instruction,
               m_Shr(m_OneUse(m_Mul(m_Value(factor), m_APInt(product))), m_APInt(shift))) ||
        factor->getType()->isVectorTy() || shift->uge(product->countr_zero() + 1))
      continue;
    llvm::IRBuilder<> builder(&instruction);
    auto* wide = instruction.getOperand(0);
    auto* narrow =
        builder.CreateMul(factor, llvm::ConstantInt::get(factor->getType(), product->lshr(*shift)));
    instruction.setOperand(
        0, builder.CreateShl(narrow, llvm::ConstantInt::get(factor->getType(), *shift)));
    llvm::cast<llvm::Instruction>(wide)->eraseFromParent();
  }
}

bool is_only_read(const llvm::Value& pointer) {
  return llvm::all_of(pointer.users(), [](const llvm::User* user) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user))
      return !load->isVolatile();
    return (llvm::isa<llvm::GetElementPtrInst>(user) || llvm::isa<llvm::AddrSpaceCastInst>(user)) &&
           is_only_read(*user);
  });
}

// Merges all returns; unreachable becomes a return, since other lanes may not reach it.
void merge_returns(llvm::Function& kernel) {
  auto* end = llvm::BasicBlock::Create(kernel.getContext(), "return");
  llvm::SmallVector<llvm::Instruction*, 4> ends;
  for (auto& block : kernel)
    if (llvm::isa<llvm::ReturnInst, llvm::UnreachableInst>(block.getTerminator()))
      ends.push_back(block.getTerminator());
  if (ends.size() == 1 && llvm::isa<llvm::ReturnInst>(ends.front())) {
    delete end;
    return;
  }
  end->insertInto(&kernel);
  for (auto* terminator : ends) {
    llvm::IRBuilder<> builder(terminator);
    builder.CreateBr(end);
    terminator->eraseFromParent();
  }
  llvm::IRBuilder<>(end).CreateRetVoid();
}

// Replaces loads and stores of vectors of less than a byte for each element, such as <8 x i1>, by
// accesses of integers: lanes cannot address bits.
void widen_bit_vectors(llvm::Function& kernel) {
  const auto& layout = kernel.getParent()->getDataLayout();
  const auto as_bits = [&](llvm::Type* type) -> llvm::IntegerType* {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    if (vector == nullptr || !vector->getElementType()->isIntegerTy() ||
        vector->getScalarSizeInBits() % 8 == 0)
      return nullptr;
    return llvm::IntegerType::get(kernel.getContext(),
                                  static_cast<unsigned>(layout.getTypeSizeInBits(type)));
  };
  for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    llvm::IRBuilder<> builder(&instruction);
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      if (auto* bits = as_bits(load->getType())) {
        auto* bytes = builder.getIntNTy(
            static_cast<unsigned>(layout.getTypeStoreSizeInBits(bits).getFixedValue()));
        auto* integer = builder.CreateAlignedLoad(bytes, load->getPointerOperand(),
                                                  load->getAlign(), load->isVolatile());
        load->replaceAllUsesWith(
            builder.CreateBitCast(builder.CreateTrunc(integer, bits), load->getType()));
        load->eraseFromParent();
      }
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      if (auto* bits = as_bits(store->getValueOperand()->getType())) {
        auto* bytes = builder.getIntNTy(
            static_cast<unsigned>(layout.getTypeStoreSizeInBits(bits).getFixedValue()));
        builder.CreateAlignedStore(
            builder.CreateZExt(builder.CreateBitCast(store->getValueOperand(), bits), bytes),
            store->getPointerOperand(), store->getAlign(), store->isVolatile());
        store->eraseFromParent();
      }
    }
  }
}

void simplify_branches(llvm::Function& kernel) {
  for (auto& block : kernel)
    if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
        branch != nullptr && branch->isConditional() &&
        branch->getSuccessor(0) == branch->getSuccessor(1)) {
      auto* next = branch->getSuccessor(0);
      next->removePredecessor(&block, true);
      llvm::IRBuilder<>(branch).CreateBr(next);
      branch->eraseFromParent();
    }
}

// Hoists loop-invariant index arithmetic: LaneShapes does not find strides through the LCSSA phis
// of divergent loops.
void hoist_index_arithmetic(llvm::Function& kernel) {
  llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  const auto is_index = [](const llvm::Instruction& instruction) {
    return !instruction.getType()->isVectorTy() &&
           (llvm::isa<llvm::GetElementPtrInst, llvm::TruncInst, llvm::SExtInst, llvm::ZExtInst>(
                instruction) ||
            (llvm::isa<llvm::BinaryOperator>(instruction) && instruction.getType()->isIntegerTy() &&
             !instruction.isIntDivRem()));
  };
  const auto outer_first = loops.getLoopsInPreorder();
  for (auto* loop : llvm::reverse(outer_first)) {
    auto* preheader = loop->getLoopPreheader();
    if (preheader == nullptr)
      continue;
    llvm::LoopBlocksRPO order(loop);
    order.perform(&loops);
    for (auto* block : order)
      for (auto& instruction : llvm::make_early_inc_range(*block))
        if (is_index(instruction) && loop->hasLoopInvariantOperands(&instruction))
          instruction.moveBefore(preheader->getTerminator()->getIterator());
  }
}

bool has_irreducible_cycle(llvm::Function& function) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&function);
  return llvm::containsIrreducibleCFG<const llvm::BasicBlock*>(order, loops);
}

} // namespace

void copy_written_parameters(llvm::Function& kernel) {
  const auto& layout = kernel.getParent()->getDataLayout();
  for (auto& argument : kernel.args()) {
    if (!argument.hasByValAttr() || is_only_read(argument))
      continue;
    auto* type = argument.getParamByValType();
    auto& entry = kernel.getEntryBlock();
    llvm::IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    const auto align = argument.getParamAlign().valueOrOne();
    auto* copy = builder.CreateAlloca(type, nullptr, argument.getName());
    copy->setAlignment(std::max(align, layout.getPrefTypeAlign(type)));
    argument.replaceAllUsesWith(copy);
    builder.CreateMemCpy(copy, copy->getAlign(), &argument, align,
                         layout.getTypeAllocSize(type).getFixedValue());
  }
}

void canonicalize(llvm::Function& kernel, unsigned width, llvm::FunctionAnalysisManager& analyses) {
  copy_written_parameters(kernel);
  widen_bit_vectors(kernel);
  separate_narrow_products(kernel);
  simplify_local_ids(kernel);
  interleave_private_arrays(kernel, width);
  llvm::removeUnreachableBlocks(kernel);
  merge_returns(kernel);
  // Not by a pass manager, which would skip them where the build is past a limit, or vector code of
  // another function was too long: what follows relies on them.
  const auto run = [&](auto pass) {
    analyses.invalidate(kernel, llvm::PreservedAnalyses::none());
    pass.run(kernel, analyses);
    analyses.invalidate(kernel, llvm::PreservedAnalyses::none());
  };
  run(llvm::LowerSwitchPass());
  if (has_irreducible_cycle(kernel)) {
    // FixIrreducible loses the values of phis on an edge to one header of a cycle if the same block
    // has another edge to the header that it moves; without critical edges there is no such block.
    run(llvm::BreakCriticalEdgesPass());
    run(llvm::FixIrreduciblePass());
  }
  run(llvm::LoopSimplifyPass());
  hoist_index_arithmetic(kernel);
  run(llvm::LCSSAPass());
  simplify_branches(kernel);
}

llvm::PreservedAnalyses CanonicalizePass::run_on_kernel(Kernel& kernel,
                                                        llvm::FunctionAnalysisManager& analyses) {
  auto& body = *kernel.body;
  const auto& plan = *kernel.plan;
  if (!plan.is_vectorized())
    return llvm::PreservedAnalyses::all();
  canonicalize(body, plan.width.width, analyses);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
