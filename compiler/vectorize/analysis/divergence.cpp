// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/divergence.h"

#include "compiler/ir/subgroup_intrinsics.h"
#include "llvm/ADT/GenericUniformityImpl.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {
namespace {

// Tells LLVM's uniformity analysis which values are sources of divergence.
class DivergenceSources : public llvm::TargetTransformInfoImplBase {
 public:
  DivergenceSources(const llvm::DataLayout& layout, llvm::SmallPtrSet<const llvm::Value*, 4> ids,
                    const AlignedId& aligned_id, bool between_rows)
      : TargetTransformInfoImplBase(layout), ids_(std::move(ids)), aligned_id_(aligned_id),
        between_rows_(between_rows) {}

  bool hasBranchDivergence(const llvm::Function*) const override { return true; }
  llvm::InstructionUniformity getInstructionUniformity(const llvm::Value* value) const override {
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(value))
      if (const auto function = subgroup_intrinsic(*call))
        return uniformity(*call, *function);
    // One reading of the clock is for all lanes.
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(value);
        intrinsic != nullptr && intrinsic->getIntrinsicID() == llvm::Intrinsic::readcyclecounter)
      return llvm::InstructionUniformity::AlwaysUniform;
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
        instruction != nullptr && aligned_id_.decides_by_upper_bits(*instruction))
      return llvm::InstructionUniformity::AlwaysUniform;
    return is_source(*value) ? llvm::InstructionUniformity::NeverUniform
                             : llvm::InstructionUniformity::Default;
  }

 private:
  bool is_source(const llvm::Value& value) const {
    if (llvm::isa<llvm::Argument>(value))
      return ids_.contains(&value);
    if (llvm::isa<llvm::AllocaInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(value))
      return true;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value))
      return load->isVolatile() || load->isAtomic();
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&value))
      return !call->getType()->isVoidTy() && !call->doesNotAccessMemory();
    return false;
  }

  llvm::InstructionUniformity uniformity(const llvm::CallBase& call,
                                         const SubgroupIntrinsic& function) const {
    if (between_rows_ && (function.kind == SubgroupIntrinsic::Kind::first ||
                          function.kind == SubgroupIntrinsic::Kind::id))
      return llvm::InstructionUniformity::Default;
    if (is_uniform(function))
      return llvm::InstructionUniformity::AlwaysUniform;
    if (function.kind != SubgroupIntrinsic::Kind::shuffle)
      return llvm::InstructionUniformity::NeverUniform;
    return llvm::isa<llvm::Constant>(call.getArgOperand(1))
               ? llvm::InstructionUniformity::AlwaysUniform
               : llvm::InstructionUniformity::Default;
  }

  llvm::SmallPtrSet<const llvm::Value*, 4> ids_;
  AlignedId aligned_id_;
  bool between_rows_; // divergence between rows, not between lanes
};
} // namespace

llvm::UniformityInfo compute_uniformity(llvm::Function& function, llvm::DominatorTree& dominators,
                                        llvm::CycleInfo& cycles,
                                        llvm::SmallPtrSet<const llvm::Value*, 4> ids,
                                        const AlignedId& aligned_id, bool between_rows) {
  const llvm::TargetTransformInfo info(std::make_unique<DivergenceSources>(
      function.getParent()->getDataLayout(), std::move(ids), aligned_id, between_rows));
  llvm::UniformityInfo result(dominators, cycles, &info);
  result.compute();
  return result;
}
} // namespace heddle::compiler
