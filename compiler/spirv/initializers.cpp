// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/initializers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler::spirv {
namespace {

bool has_mode(const EntryPoint& entry, spv::ExecutionMode mode) {
  return llvm::any_of(entry.modes, [&](const auto& own) { return own.mode == mode; });
}

void make_plain(llvm::Function& kernel) {
  kernel.setCallingConv(llvm::CallingConv::SPIR_FUNC);
  kernel.setLinkage(llvm::GlobalValue::InternalLinkage);
  for (auto* user : kernel.users())
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(user))
      call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
}

// LLVM's list of what runs before or after everything else, as Clang makes it of constructors.
void add_list(llvm::Module& module, const char* name, llvm::ArrayRef<llvm::Function*> functions) {
  if (functions.empty())
    return;
  auto& context = module.getContext();
  auto* pointer = llvm::PointerType::get(context, 0);
  auto* priority = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 65535); // none
  llvm::SmallVector<llvm::Constant*, 2> entries;
  for (auto* function : functions)
    entries.push_back(llvm::ConstantStruct::getAnon(
        {priority, function, llvm::ConstantPointerNull::get(pointer)}));
  auto* type = llvm::ArrayType::get(entries.front()->getType(), entries.size());
  module.insertGlobalVariable(
      new llvm::GlobalVariable(type, false, llvm::GlobalValue::AppendingLinkage,
                               llvm::ConstantArray::get(type, entries), name));
}

} // namespace

bool Initializers::take(const EntryPoint& entry, llvm::Function& function) {
  const bool initializes = has_mode(entry, spv::ExecutionMode::Initializer);
  const bool finalizes = has_mode(entry, spv::ExecutionMode::Finalizer);
  if (initializes)
    initializers_.push_back(&function);
  if (finalizes)
    finalizers_.push_back(&function);
  if (initializes || finalizes)
    make_plain(function);
  return initializes || finalizes;
}

void Initializers::write(llvm::Module& module) const {
  add_list(module, "llvm.global_ctors", initializers_);
  add_list(module, "llvm.global_dtors", finalizers_);
}

} // namespace heddle::compiler::spirv
