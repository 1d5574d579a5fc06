// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/relax_alignment.h"

#include "compiler/ir/address_space.h"
#include "compiler/lower/specialize_images.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {
namespace {

bool may_be_misaligned(const llvm::Type& pointer) {
  return pointer.isPointerTy() && pointer.getPointerAddressSpace() != kPrivate;
}

// Those of images are Heddle's own.
void relax(llvm::Argument& parameter) {
  if (may_be_misaligned(*parameter.getType()) && !parameter.hasByValAttr() &&
      !parameter.hasAttribute(kImageAttribute))
    parameter.removeAttr(llvm::Attribute::Alignment);
}

void relax_pointers(llvm::Function& function) {
  for (auto& parameter : function.args())
    relax(parameter);
  if (may_be_misaligned(*function.getReturnType()))
    function.removeRetAttr(llvm::Attribute::Alignment);
}

void relax_pointers(llvm::Instruction& instruction) {
  if (may_be_misaligned(*instruction.getType()))
    instruction.setMetadata(llvm::LLVMContext::MD_align, nullptr);
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call))
    return;
  for (unsigned i = 0; i < call->arg_size(); ++i)
    if (may_be_misaligned(*call->getArgOperand(i)->getType()) && !call->isByValArgument(i))
      call->removeParamAttr(i, llvm::Attribute::Alignment);
  if (may_be_misaligned(*call->getType()))
    call->removeRetAttr(llvm::Attribute::Alignment);
}

void relax_access(llvm::Instruction& instruction) {
  const auto any = [](const llvm::Value* pointer, llvm::Align align) {
    return may_be_misaligned(*pointer->getType()) ? llvm::Align(1) : align;
  };
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && !load->isAtomic())
    load->setAlignment(any(load->getPointerOperand(), load->getAlign()));
  else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && !store->isAtomic())
    store->setAlignment(any(store->getPointerOperand(), store->getAlign()));
  else if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    memory->setDestAlignment(any(memory->getRawDest(), memory->getDestAlign().valueOrOne()));
    if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(memory))
      copy->setSourceAlignment(any(copy->getRawSource(), copy->getSourceAlign().valueOrOne()));
  }
}

} // namespace

llvm::PreservedAnalyses RelaxAlignmentPass::run(llvm::Module& module,
                                                llvm::ModuleAnalysisManager& /*analyses*/) {
  const bool of_pointers = which_ != Alignments::of_accesses;
  const bool of_accesses = which_ != Alignments::of_pointers;
  for (auto& function : module) {
    if (function.isIntrinsic())
      continue;
    if (of_pointers)
      relax_pointers(function);
    for (auto& instruction : llvm::instructions(function)) {
      if (of_pointers)
        relax_pointers(instruction);
      if (of_accesses)
        relax_access(instruction);
    }
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
