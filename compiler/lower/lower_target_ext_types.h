// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers the opaque types of OpenCL C.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Clang represents event_t, images, samplers and similar types by target extension types of SPIR-V,
// which the X86 backend does not support. Functions that use them are rewritten: an image is a
// pointer to its descriptor in constant memory, a sampler a word of 64 bits, and everything else a
// pointer. Calls by which the library converts them (is_image_conversion) are replaced by their
// argument.
//
//   define target("spirv.Event") @f(...)         define ptr @f(...)
class LowerTargetExtTypesPass : public llvm::PassInfoMixin<LowerTargetExtTypesPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

// Whether it is a function that this pass removes: of builtins/image.h, or Clang's that makes a
// sampler of a constant.
bool is_image_conversion(llvm::StringRef name);

} // namespace heddle::compiler
