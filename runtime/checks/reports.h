// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What becomes of findings: the suppression file, standard error and HEDDLE_CHECK_LOG.
#pragma once

#include "runtime/checks/finding.h"

#include <string_view>

namespace heddle::checks {

// Reads HEDDLE_CHECK_SUPPRESSIONS and opens HEDDLE_CHECK_LOG, if checks are asked for. When the
// library is loaded.
void start() noexcept;

// Whether it is not reported, and the command does not fail. Thread-safe. Throws std::bad_alloc.
bool is_suppressed(const Finding& finding);

// Writes the message to standard error and the finding to the log, unless the same pair of lines
// has been reported, or HEDDLE_CHECK_LIMIT is reached. Thread-safe.
void report(const Finding& finding, std::string_view message) noexcept;

} // namespace heddle::checks
