// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/optimize/expand_masked_loads.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace heddle::compiler {
namespace {

constexpr std::uint64_t kPageBytes = 4096;

bool has_instruction(const llvm::Type& element, const TargetInfo& target) {
  const auto bits = element.isPointerTy() ? 64 : element.getScalarSizeInBits();
  return bits < 32 ? target.has_masked_short_accesses : target.has_masked_accesses;
}

bool is_to_be_expanded(const llvm::Instruction& instruction, const TargetInfo& target) {
  const auto* load = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (load == nullptr || load->getIntrinsicID() != llvm::Intrinsic::masked_load)
    return false;
  const auto* type = llvm::cast<llvm::FixedVectorType>(load->getType());
  const auto& layout = load->getDataLayout();
  auto* element = type->getElementType();
  return type->getNumElements() > 1 && !llvm::isa<llvm::Constant>(load->getArgOperand(1)) &&
         layout.getTypeSizeInBits(element) == layout.getTypeAllocSizeInBits(element) &&
         layout.getTypeStoreSize(load->getType()).getFixedValue() <= kPageBytes &&
         !has_instruction(*element, target);
}

void expand_load(llvm::IntrinsicInst& load) {
  llvm::IRBuilder<> builder(&load);
  auto *address = load.getArgOperand(0), *mask = load.getArgOperand(1);
  auto* type = llvm::cast<llvm::FixedVectorType>(load.getType());
  const auto bytes = load.getDataLayout().getTypeStoreSize(type).getFixedValue();
  const auto alignment = load.getParamAlign(0).valueOrOne();
  auto* lanes = builder.CreateBitCast(mask, builder.getIntNTy(type->getNumElements()));
  auto* is_safe = builder.CreateIsNotNull(lanes);
  if (alignment.value() < bytes || !llvm::isPowerOf2_64(bytes)) {
    auto* place = builder.CreateAnd(builder.CreatePtrToInt(address, builder.getInt64Ty()),
                                    builder.getInt64(kPageBytes - 1));
    is_safe = builder.CreateAnd(is_safe,
                                builder.CreateICmpULE(place, builder.getInt64(kPageBytes - bytes)));
  }
  llvm::Instruction *all = nullptr, *each = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(is_safe, &load, &all, &each);
  builder.SetInsertPoint(all);
  auto* loaded = builder.CreateAlignedLoad(type, address, alignment);
  loaded->setAAMetadata(load.getAAMetadata());
  auto* after = load.getParent();
  builder.SetInsertPoint(after, after->begin());
  auto* result = builder.CreatePHI(type, 2);
  load.replaceAllUsesWith(result);
  llvm::Value* selected = loaded;
  if (auto* inactive = load.getArgOperand(2); !llvm::isa<llvm::UndefValue>(inactive)) {
    builder.SetInsertPoint(all);
    selected = builder.CreateSelect(mask, loaded, inactive);
  }
  load.moveBefore(each->getIterator());
  result->addIncoming(selected, all->getParent());
  result->addIncoming(&load, each->getParent());
}

} // namespace

llvm::PreservedAnalyses ExpandMaskedLoadsPass::run(llvm::Module& module,
                                                   llvm::ModuleAnalysisManager& /*analyses*/) {
  llvm::SmallVector<llvm::IntrinsicInst*, 16> loads;
  for (auto& function : module)
    for (auto& instruction : llvm::instructions(function))
      if (is_to_be_expanded(instruction, target_))
        loads.push_back(llvm::cast<llvm::IntrinsicInst>(&instruction));
  for (auto* load : loads)
    expand_load(*load);
  return loads.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
