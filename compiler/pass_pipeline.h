// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of all passes.
#pragma once

#include "compiler/pass_runner.h"

#include <cstdint>
#include <memory>

namespace heddle::compiler {

enum class PassOutcome : std::uint8_t {
  ok,
  failed, // a pass failed or a limit was passed; build.log says which
  // Lanes by strides had better run along the second dimension; the module is not vectorized.
  prefers_second_dimension,
};

// Turns the front end's module into what code generation takes, and fills compilation.kernels.
// Where vector code turns out to be too long, `module` is vectorized again with fewer lanes, from a
// copy that takes its place.
PassOutcome run_passes(Compilation& compilation, std::unique_ptr<llvm::Module>& module,
                       StageObserver observe);

} // namespace heddle::compiler
