// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The address spaces of SPIR, in which modules are until the last passes.
#pragma once

namespace heddle::compiler {

inline constexpr unsigned kPrivate = 0, kGlobal = 1, kConstant = 2, kLocal = 3, kGeneric = 4;

} // namespace heddle::compiler
