// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies that are made only if reads of their destination are not forwarded to the source.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler {

// (to, from, bytes, is_elided, state, value): stands for a copy until LowerElidedCopiesPass. The
// i64 value is stored to `state`, unless that is null.
constexpr llvm::StringLiteral kCopyUnlessElided = "__heddle_call_once_copy_unless_elided";
void emit_copy_unless_elided(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::Value*> arguments);

// Whether a copy is elided: `may_elide` is set, and `from` is aligned to cache lines or has the
// same offset in its line as `to`. Loops that load whole lines from unaligned addresses take twice
// as long, so such a source is copied. `source` is the argument that `from` is based on.
llvm::Value* emit_is_elided(llvm::IRBuilder<>& builder, llvm::Value* may_elide, llvm::Value* from,
                            llvm::Value* to, llvm::Argument& source);

llvm::Value* cast_to_generic(llvm::IRBuilder<>& builder, llvm::Value* address);

} // namespace heddle::compiler
