// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides which calls are inlined.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Marks all functions alwaysinline but recursive ones, library functions that are better called,
// and those with which the program would grow without bound: the sum of inlined sizes is limited.
// Straight code on variables of its caller counts only with what is left of it in registers.
// Functions of numbers stay calls first, since a sub-group may call these once for all lanes
// (vectorize/emit/vector_forms.h).
class ApplyInlinePolicyPass : public llvm::PassInfoMixin<ApplyInlinePolicyPass> {
 public:
  // Plain units, which are to be built soon, have less code than this for each kernel if functions
  // stay calls. Those that reach a barrier are inlined all the same, since work-items would be
  // fibers otherwise, and accesses to images, of which little is left.
  explicit ApplyInlinePolicyPass(bool is_plain = false) : is_plain_(is_plain) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) const;

 private:
  bool is_plain_;
};

// Whether it has parameters and a result that are single numbers (of at least a byte, not halves).
bool is_function_of_numbers(const llvm::Function& function);
// Whether it is a library function that is better called. Calls stay; the vectorizer may know a
// variant for all lanes.
bool is_kept_out_of_line(const llvm::Function& function);
// Whether one call serves a whole sub-group, whose lanes all pass the same arguments.
bool is_called_once_per_subgroup(const llvm::Function& function);
// One of these copies for the group: (to, from, bytes, ...), and strided ones, which have the size
// of elements in their names, (to, from, count, ...).
inline constexpr llvm::StringLiteral kCopyPrefix = "__heddle_call_once_copy_";
inline bool is_group_copy(const llvm::Function& function) {
  return function.getName().starts_with(kCopyPrefix);
}

} // namespace heddle::compiler
