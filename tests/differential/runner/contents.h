// What is in a buffer before a kernel runs: a function of its argument only, so that every driver
// starts from the same bytes.
#pragma once

#include "tests/differential/runner/case_file.h"

namespace heddle::differential {

// Bytes behind each buffer that no kernel may touch; they are compared with the rest.
constexpr size_t kGuardBytes = 256;

// The elements and behind them the guard.
std::vector<unsigned char> initial_contents(const Argument& argument);

} // namespace heddle::differential
