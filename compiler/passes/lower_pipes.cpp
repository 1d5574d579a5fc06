#include "compiler/passes/lower_pipes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kGroupReservation = "__heddle_group_reservation";

} // namespace

bool is_pipe_hook(llvm::StringRef name) { return name == kGroupReservation; }

void lower_pipes(llvm::Module& module) {
  auto* hook = module.getFunction(kGroupReservation);
  if (hook == nullptr)
    return;
  auto* type = llvm::Type::getInt64Ty(module.getContext());
  auto* place = new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::InternalLinkage,
                                         llvm::PoisonValue::get(type), "heddle.group_reservation",
                                         nullptr, llvm::GlobalValue::NotThreadLocal,
                                         hook->getReturnType()->getPointerAddressSpace());
  place->setAlignment(llvm::Align(8));
  llvm::SmallVector<llvm::User*, 8> users(hook->users());
  for (auto* user : users)
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) {
      call->replaceAllUsesWith(place);
      call->eraseFromParent();
    }
  if (hook->use_empty())
    hook->eraseFromParent();
}

} // namespace heddle::compiler
