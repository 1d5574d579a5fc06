// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Works around vector literals that Clang 22 does not compile.
#pragma once

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace heddle::compiler {

// Changes all functions and variables, so it has to precede the consumer that generates code.
//
// In a vector literal, Clang treats swizzles as shuffles that it has emitted itself, and merges
// them with those of the elements before. If these are constants, there are none: Clang crashes,
// does not terminate or takes other elements, as in `(float4)((float2)(0), (a + b).xy)`. A swizzle
// in parentheses is treated like any other value.
std::unique_ptr<clang::ASTConsumer> put_swizzles_in_parentheses();

} // namespace heddle::compiler
