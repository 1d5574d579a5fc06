// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler's two libraries, each opened when it is first needed: libheddle-compiler.so has all
// of the compiler, libheddle-backend.so all but Clang. The smaller one takes half the time to open,
// for programs in SPIR-V and for units of programs that were found in the cache.
#pragma once

#include "compiler/interface/compiler_api.h"
#include "runtime/execution/fault_guard.h"

#include <string>

namespace heddle::compiler_library {

struct Library {
  const heddle_compiler_api* api = nullptr; // null: it cannot be opened
  std::string error;                        // why
  fault_guard::CodeRange code;              // its executable segment
};

// A library for a request that compiles OpenCL C, or for one that does not: for the latter the
// larger one as well if it is open already, or if the smaller one is absent. HEDDLE_COMPILER names
// one for both. Thread-safe.
const Library& library(bool compiles_source);

// Calls `stop`, which may be called several times, when the process exits: before destructors of
// the libraries' static objects run, if one is opened at all.
void stop_at_exit(void (*stop)()) noexcept;

// Identifies the libraries without opening them: version, sizes and modification times.
const std::string& identity();

} // namespace heddle::compiler_library
