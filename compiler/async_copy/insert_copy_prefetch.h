// Copies that a loop makes again and again, from one place after the other.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// void (to, from, bytes, next): __heddle_call_once_copy_bytes, which also asks for the lines of as
// many bytes from `next` (null: none) on. Without a body; inline_copies.h makes moves of it.
inline constexpr llvm::StringLiteral kCopyAndFetch = "__heddle_call_once_copy_and_fetch";

// Copies of known sizes from global memory, in a loop whose rounds take their sources from places a
// step apart, ask for a later round's source as they go: what processors ask for by themselves
// follows the loads of one copy and comes late for the next.
//
// For a kernel whose calls were inlined and whose loops have their simplest form, behind
// elide_local_copies and before the vectoriser, to which these are any copies.
class InsertCopyPrefetchPass : public llvm::PassInfoMixin<InsertCopyPrefetchPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
