// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/builtin_local_memory.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

struct Place {
  llvm::StringLiteral function; // gives its address
  llvm::StringLiteral name;
  unsigned words; // of 64 bits
};

constexpr Place kPlaces[] = {
    // The id of a work-group's reservation.
    {"__heddle_group_reservation", "heddle.group_reservation", 1},
    // Partial results of the sub-groups.
    {"__heddle_group_results", "heddle.group_results", 3},
};

} // namespace

bool is_builtin_local_memory(llvm::StringRef name) {
  return llvm::any_of(kPlaces, [&](const Place& place) { return place.function == name; });
}

static void lower_builtin_local_memory(llvm::Module& module) {
  for (const auto& place : kPlaces) {
    auto* function = module.getFunction(place.function);
    if (function == nullptr)
      continue;
    auto* type = llvm::ArrayType::get(llvm::Type::getInt64Ty(module.getContext()), place.words);
    auto* variable = new llvm::GlobalVariable(
        module, type, false, llvm::GlobalValue::InternalLinkage, llvm::PoisonValue::get(type),
        place.name, nullptr, llvm::GlobalValue::NotThreadLocal,
        function->getReturnType()->getPointerAddressSpace());
    variable->setAlignment(llvm::Align(8));
    llvm::SmallVector<llvm::User*, 8> users(function->users());
    for (auto* user : users)
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) {
        call->replaceAllUsesWith(variable);
        call->eraseFromParent();
      }
    if (function->use_empty())
      function->eraseFromParent();
  }
}

llvm::PreservedAnalyses
LowerBuiltinLocalMemoryPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  lower_builtin_local_memory(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
