// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds a program from source or bitcode: loads it from the cache, or compiles and stores it.
#pragma once

#include "runtime/program/build_options.h"
#include "runtime/program/compiler_host.h"
#include "runtime/program/loaded_program.h"
#include "runtime/program/program_file.h"

#include <memory>
#include <string>

namespace heddle {

struct BuiltProgram {
  std::shared_ptr<const ProgramFile> file; // null on failure: see the log
  std::string log;
  Ref<LoadedProgram> loaded; // of executables
};

// `request` has the source and headers, or the inputs; its goal and options are set from `kind` and
// `options`.
BuiltProgram build_program(CompileRequest request, const BuildOptions& options, ProgramKind kind,
                           bool allows_non_uniform_groups);

} // namespace heddle
