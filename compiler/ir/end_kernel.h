// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that ends the kernel with an error and a message.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler {

// A declaration like that of printf, which LowerPrintfPass lowers as that. It does not return: the
// command fails, with the text as the reason.
inline constexpr llvm::StringLiteral kEndKernelFunction = "__heddle_end_kernel";

void end_kernel(llvm::IRBuilder<>& builder, llvm::StringRef format,
                llvm::ArrayRef<llvm::Value*> values);

} // namespace heddle::compiler
