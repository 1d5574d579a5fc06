// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Specializes the builtin library's strided and multi-dimensional copies.
#pragma once

#include "compiler/target/target_info.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Prefix of the names of specialized strided copies.
constexpr llvm::StringLiteral kStridedCopyPrefix = "__heddle_copy_elements";

// Loop metadata: the alignment of the loop's header. A loop that moves an element in little more
// than a cycle takes up to twice as long if it crosses a boundary of kLoopAlign bytes, at which
// CPUs fetch and decode.
constexpr llvm::StringLiteral kAlignLoop = "llvm.loop.align";
constexpr unsigned kLoopAlign = 64; // bytes

// Replaces calls of the functions that copy lines, planes and strided elements
// (builtins/copy_lines.h, copy_strided.h) with constant sizes or strides by calls of clones for
// these constants, in which one way to move the data is left: less code is generated. Expands the
// target-dependent functions that the library's copies call. Runs after vectorization, which knows
// the library's functions by name.
class SpecializeCopiesPass : public llvm::PassInfoMixin<SpecializeCopiesPass> {
 public:
  explicit SpecializeCopiesPass(const TargetInfo& target) : target_(target) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  const TargetInfo& target_;
};

} // namespace heddle::compiler
