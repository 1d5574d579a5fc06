// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefetches the sources of async copies in loops.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// void (to, from, bytes, next): __heddle_call_once_copy_bytes, which also prefetches the lines of
// `bytes` bytes from `next` (null: none) on. It has no body: expand_copies.h expands it.
inline constexpr llvm::StringLiteral kCopyAndPrefetch = "__heddle_call_once_copy_and_prefetch";

// Replaces copies of constant size from global memory by kCopyAndPrefetch of a later iteration's
// source, if that is affine in the loop's induction variables. Hardware prefetchers follow the
// loads of one copy and are late for the next one.
//
// For the body of a kernel whose calls were inlined and whose loops are in simplified form. Runs
// after ElideLocalCopiesPass and before vectorization, which treats the calls as copies.
class InsertCopyPrefetchPass : public llvm::PassInfoMixin<InsertCopyPrefetchPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
