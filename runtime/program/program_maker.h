// From source or bitcode to a program that can run: out of the cache, or through the compiler and
// into the cache.
#pragma once

#include "runtime/program/build_options.h"
#include "runtime/program/compiler_host.h"
#include "runtime/program/image.h"
#include "runtime/program/program_file.h"

#include <optional>
#include <string>

namespace heddle {

struct MadeProgram {
  std::optional<ProgramFile> file; // nothing if it could not be made: the log says why
  std::string log;
  Ref<Image> image; // of executables
};

// `request` has the source and headers, or the inputs; goal and options are filled in from `kind`
// and `options`.
MadeProgram make_program(CompileRequest request, const BuildOptions& options, ProgramKind kind,
                         bool allows_non_uniform_groups);

} // namespace heddle
