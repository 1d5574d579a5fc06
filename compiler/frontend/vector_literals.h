// Vector literals that Clang 22 does not compile.
#pragma once

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace heddle::compiler {

// Changes every function and variable, so it has to come before what generates code from them.
//
// Clang takes swizzles in a literal for instructions that it has made itself, and puts them
// together with those of the elements before. Where these are constants it has made none: it
// crashes, builds for ever or takes other elements, as in `(float4)((float2)(0), (a + b).xy)`.
// Swizzles in parentheses are values like others to it.
std::unique_ptr<clang::ASTConsumer> put_swizzles_in_parentheses();

} // namespace heddle::compiler
