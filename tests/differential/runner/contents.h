// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The initial contents of a buffer: a function of its argument only, so that every driver starts
// with the same bytes.
#pragma once

#include "tests/differential/runner/case_file.h"

namespace heddle::differential {

// Guard bytes after each buffer, which no kernel may access; they are compared with the rest.
constexpr size_t kGuardBytes = 256;

// The elements, followed by the guard.
std::vector<unsigned char> initial_contents(const Argument& argument);

} // namespace heddle::differential
