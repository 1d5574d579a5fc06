// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a request to bitcode or an ELF shared object.
#pragma once

#include "compiler/pass_runner.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace heddle::compiler {

enum class Outcome { ok, failed, invalid_input };

// Builds what `request` asks for. `output` is bitcode or an ELF shared object; build->metadata is
// complete for the latter. Attempts are made until one has no decision that turns out to be wrong;
// `build` is that of the last one, and refers to `request`, whose lane dimension it may change.
Outcome run_pipeline(heddle_request& request, std::optional<Build>& build,
                     std::vector<std::byte>& output, StageObserver observe = {});

} // namespace heddle::compiler
