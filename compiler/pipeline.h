// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a request to bitcode or an ELF shared object.
#pragma once

#include "compiler/pass_runner.h"

#include <cstddef>
#include <vector>

namespace heddle::compiler {

class Build;

enum class Outcome {
  ok,
  failed,
  invalid_input,
  needs_swapped_dimensions, // the kernel had better be built with them
};

// `output` is bitcode or an ELF shared object; build.metadata is complete for the latter. With
// `chooses_dimension`, the result may be Outcome::needs_swapped_dimensions.
Outcome run_pipeline(Build& build, std::vector<std::byte>& output, StageObserver observe = {},
                     bool chooses_dimension = false);

} // namespace heddle::compiler
