// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/end_kernel.h"

#include "compiler/ir/address_space.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

// Not marked as one that never returns: what comes behind it keeps its place among barriers.
void end_kernel(llvm::IRBuilder<>& builder, llvm::StringRef format,
                llvm::ArrayRef<llvm::Value*> values) {
  auto& module = *builder.GetInsertBlock()->getModule();
  const auto callee = module.getOrInsertFunction(
      kEndKernelFunction,
      llvm::FunctionType::get(builder.getInt32Ty(), {builder.getPtrTy(kConstant)}, true));
  llvm::SmallVector<llvm::Value*, 16> arguments = {
      builder.CreateGlobalString(format, "reason", 2, &module)};
  arguments.append(values.begin(), values.end());
  auto* call = builder.CreateCall(callee, arguments);
  call->setDoesNotThrow();
  call->addFnAttr(llvm::Attribute::Cold);
}

} // namespace heddle::compiler
