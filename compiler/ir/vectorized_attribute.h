// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks the functions of kernels that were vectorized.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace heddle::compiler {

inline constexpr llvm::StringLiteral kVectorizedAttribute = "heddle-vectorized";

} // namespace heddle::compiler
