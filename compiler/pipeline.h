// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a request to bitcode or an ELF shared object.
#pragma once

#include "compiler/pass_runner.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace heddle::compiler {

enum class Outcome {
  ok,
  failed,
  invalid_input,
  needs_swapped_dimensions, // the kernel had better be built with them
  needs_scalar_kernels,     // some have too long vector code
};

// Builds what `request` asks for. `output` is bitcode or an ELF shared object; build->metadata is
// complete for the latter. Changes `request` and starts again if a decision turns out to be wrong;
// `build` is that of the last attempt, and refers to `request`.
Outcome run_pipeline(heddle_request& request, std::optional<Build>& build,
                     std::vector<std::byte>& output, StageObserver observe = {});

} // namespace heddle::compiler
