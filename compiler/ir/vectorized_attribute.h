// Marks the functions of kernels that were vectorized.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace heddle::compiler {

inline constexpr llvm::StringLiteral kVectorizedAttribute = "heddle-vectorised";

} // namespace heddle::compiler
