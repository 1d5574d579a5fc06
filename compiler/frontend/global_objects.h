// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Corrects what Clang 22 generates for objects with constructors and destructors in C++ for OpenCL.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle::compiler {

// Runs on Clang's output, which is not valid IR before. Requires -fno-use-cxa-atexit.
//
// - The entries of llvm.global_ctors for templates and inline variables name the variable by a
//   pointer to global memory in a list of other pointers: it is cast.
// - The function of a translation unit that calls its constructors is a kernel: it becomes a plain
//   function, which the program's initializer calls (lower/lower_global_objects.h).
// - Clang passes null in place of an object in global memory to its destructor. The function that
//   it registers with atexit, "__dtor_" and the variable's name, gets the variable.
void correct_global_objects(llvm::Module& module);

} // namespace heddle::compiler
