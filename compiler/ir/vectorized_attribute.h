// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of the functions of kernels that were vectorized.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace heddle::compiler {

inline constexpr llvm::StringLiteral kVectorizedAttribute = "heddle-vectorized";
// Gathers and scatters stay as they are until PromoteLocalMemoryPass has run.
inline constexpr llvm::StringLiteral kDefersGathersAttribute = "heddle-defers-gathers";

} // namespace heddle::compiler
