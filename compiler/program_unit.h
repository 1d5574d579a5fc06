// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program and the units that its kernels are built in.
//
// clBuildProgram runs Clang and what finds all errors of the program; the result is bitcode and the
// declarations of the kernels. From the bitcode, each kernel is built later, by a request of its
// own: its unit.
#pragma once

#include "compiler/support/build.h"
#include "llvm/IR/Module.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace heddle::compiler {

// Finds the errors of the program, lays out its variables, and writes its bitcode and the metadata
// of the build. The module cannot be used afterwards. False, with errors in the log, on failure.
bool write_program(Build& build, llvm::Module& module, std::vector<std::byte>& output);

// The kernel that the request names, and what it needs, from the program that is the request's
// input. Null if the input is no such program.
std::unique_ptr<llvm::Module> read_unit(Build& build);

} // namespace heddle::compiler
