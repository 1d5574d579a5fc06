// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What becomes of findings: the suppression file, standard error and HEDDLE_CHECK_LOG.
#pragma once

#include "runtime/checks/finding.h"

#include <string_view>

namespace heddle::checks {

// Reads HEDDLE_CHECK_SUPPRESSIONS and opens HEDDLE_CHECK_LOG, if checks are asked for. When the
// library is loaded.
void start() noexcept;

// Whether nobody is to be told of it, and the command does not fail. Thread-safe. Throws
// std::bad_alloc.
bool is_suppressed(const Finding& finding);

// Writes the message to standard error and the finding to the log, unless the same has been told of
// the same lines, or as much as HEDDLE_CHECK_LIMIT allows. Thread-safe.
void report(const Finding& finding, std::string_view message) noexcept;

} // namespace heddle::checks
