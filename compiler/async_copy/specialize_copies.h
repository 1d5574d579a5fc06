// Async copies of which sizes and strides are known.
#pragma once

#include "compiler/ir/target_info.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// How the names of versions begin that copy elements that lie apart.
constexpr llvm::StringLiteral kCopyOfElements = "__heddle_copy_elements";

// Loops that move an element in little more than a cycle begin where CPUs of today decode anew:
// ones that reach over such a place take up to twice as long.
constexpr llvm::StringLiteral kAlignLoop = "llvm.loop.align";
constexpr unsigned kLoopAlign = 64; // bytes

// Calls of the library's functions that copy lines, planes and elements apart
// (builtins/copy_lines.h, copy_strided.h) with numbers that are known call a version made for
// these: of all the ways to move there are, one is left, so that less code is generated. Comes
// behind vectorisation, which knows these functions by name.
class SpecializeCopiesPass : public llvm::PassInfoMixin<SpecializeCopiesPass> {
 public:
  explicit SpecializeCopiesPass(const TargetInfo& target) : target_(target) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  const TargetInfo& target_;
};

} // namespace heddle::compiler
