// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/fault_markers.h"

#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kFaultMarker = "heddle.note";

} // namespace

void emit_fault_marker(llvm::IRBuilderBase& builder, llvm::Value* value, llvm::Value* place) {
  auto& module = *builder.GetInsertBlock()->getModule();
  auto* type = llvm::FunctionType::get(builder.getVoidTy(),
                                       {builder.getInt64Ty(), builder.getPtrTy()}, false);
  auto callee = module.getOrInsertFunction(kFaultMarker, type);
  auto& function = *llvm::cast<llvm::Function>(callee.getCallee());
  for (const auto kind :
       {llvm::Attribute::NoUnwind, llvm::Attribute::WillReturn, llvm::Attribute::NoSync,
        llvm::Attribute::NoFree, llvm::Attribute::NoCallback})
    function.addFnAttr(kind);
  function.setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly(llvm::ModRefInfo::Mod));
  builder.CreateCall(callee, {value, place});
}

bool is_fault_marker(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto* function = call != nullptr ? call->getCalledFunction() : nullptr;
  return function != nullptr && function->getName() == kFaultMarker;
}

static void lower_fault_markers(llvm::Module& module) {
  auto* function = module.getFunction(kFaultMarker);
  if (function == nullptr)
    return;
  for (auto* user : llvm::make_early_inc_range(function->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<>(call).CreateAlignedStore(call->getArgOperand(0), call->getArgOperand(1),
                                               llvm::Align(8), true);
    call->eraseFromParent();
  }
  function->eraseFromParent();
}

llvm::PreservedAnalyses LowerFaultMarkersPass::run(llvm::Module& module,
                                                   llvm::ModuleAnalysisManager& /*analyses*/) {
  lower_fault_markers(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
