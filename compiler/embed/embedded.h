// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files embedded in the compiler library. Each is followed by a zero byte that its size does not
// include.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace heddle::compiler::embedded {

// The builtin library (builtin_pack.h).
llvm::StringRef builtins_pack();
llvm::StringRef opencl_c_base_header();
llvm::StringRef extra_builtins_header();

} // namespace heddle::compiler::embedded
