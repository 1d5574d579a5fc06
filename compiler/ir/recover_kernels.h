// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the kernels of IR that was printed and parsed.
#pragma once

#include "compiler/ir/kernel.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

// "heddle-kernel"="NAME" on a kernel's body and variants; "heddle-variant"="KIND WIDTH" on
// variants.
inline constexpr llvm::StringLiteral kKernelAttribute = "heddle-kernel";
inline constexpr llvm::StringLiteral kVariantAttribute = "heddle-variant";

llvm::StringRef variant_name(VariantKind kind);

// Appends the kernels that the module's functions belong to: name, body, variants and vector width.
// Barrier regions and the launch policy are not in the IR; passes that need them run in one
// pipeline with the passes that find them.
void recover_kernels(llvm::Module& module, Kernels& kernels);

} // namespace heddle::compiler
