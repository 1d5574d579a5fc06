// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/replace_global.h"

#include "compiler/ir/work_item_params.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

void replace_global_uses(llvm::GlobalVariable& variable, AddressMaker make_address) {
  llvm::DenseMap<llvm::Function*, llvm::Value*> addresses;
  llvm::SmallVector<llvm::Use*, 16> uses;
  for (auto& use : variable.uses())
    uses.push_back(&use);
  for (auto* use : uses) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(use->getUser());
    if (instruction == nullptr)
      continue;
    auto& function = *instruction->getFunction();
    auto*& address = addresses[&function];
    if (address == nullptr) {
      auto& entry = function.getEntryBlock();
      llvm::IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
      AbiBuilder access(builder);
      address = make_address(access, work_item_params(function).group);
      address->setName(variable.getName());
    }
    use->set(address);
  }
}

} // namespace heddle::compiler
