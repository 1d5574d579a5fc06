// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Removes what the library decides about images and is known before the kernel runs.
#pragma once

#include "compiler/lower/image_descriptors.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Whether it is a function of the library in which SpecializeImagesPass finds much to remove: its
// size says little about what it adds to its callers.
bool is_image_access(llvm::StringRef name);

// Reads and writes of images are functions of the library that branch on the sampler, the format
// and the size of texels (builtins/image_*.h). For each combination of a constant sampler and a
// known format with which one is called, this pass makes a copy without these branches. Requires
// that image arguments are not in memory (SROA). What a copy calls out of line, because it is rare,
// is inlined if the format is known.
//
//   call @__heddle_image_sample_f_2(%image, i64 36, %place)
//
//   call @heddle.specialized(%image, i64 36, %place)
class SpecializeImagesPass : public llvm::PassInfoMixin<SpecializeImagesPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

// After inlining: loads of kernels from the descriptors of their images become constants, or loads
// that nothing changes, so that they can leave loops with stores. Arithmetic on vectors is split
// into components, because the vectorizer knows of scalars only that they are uniform or affine: in
// coordinates (x, y) often x is affine and y uniform.
class FoldImageDescriptorsPass : public llvm::PassInfoMixin<FoldImageDescriptorsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
