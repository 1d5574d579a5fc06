// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expands async copies of constant size.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

inline constexpr llvm::StringLiteral kCopyBytes = "__heddle_call_once_copy_bytes";
// Copies of more bytes are no slower as a call of memcpy, which has more ways to choose from
// (SHORT_COPY in builtins/copy_lines.h).
inline constexpr std::uint64_t kMaxInlineCopyBytes = 16384;

// Replaces calls of __heddle_call_once_copy_bytes (builtins/copy_lines.h) with a constant size of
// less than two cache lines by llvm.memcpy, which code generation expands to moves. Runs after
// vectorization, which assumes that a kernel with memcpy fills vector registers by itself.
class ExpandSmallCopiesPass : public llvm::PassInfoMixin<ExpandSmallCopiesPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

// Replaces other such calls by moves of cache lines up to 1 KiB, and up to the limit above by a
// loop of moves. Across a call the kernel would spill its values to
// the stack, and the reloads would wait for the copy's stores, since the low bits of their
// addresses, which the CPU compares first, are often equal. Larger copies become calls of memcpy.
// Small specializations of strided copies (specialize_copies.h) are inlined.
//
// Runs after all passes that transform loops.
class ExpandCopyLoopsPass : public llvm::PassInfoMixin<ExpandCopyLoopsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
