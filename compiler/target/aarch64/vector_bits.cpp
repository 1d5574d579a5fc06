// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/vector_bits.h"

#include "compiler/target/aarch64/vector_length.h"

namespace heddle::compiler {

// Code generation then uses SVE for vectors with a fixed number of elements.
void declare_vector_bits(llvm::Function& function, unsigned bits) {
  const unsigned granules = bits / aarch64::kGranuleBits;
  function.addFnAttr(
      llvm::Attribute::getWithVScaleRangeArgs(function.getContext(), granules, granules));
}

} // namespace heddle::compiler
