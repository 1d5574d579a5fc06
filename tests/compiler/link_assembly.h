// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests of links with assembly, which each target has of its own.
#pragma once

#include "tests/compiler/kernel_runner.h"

#include <utility>

namespace heddle::test {

// A kernel with this assembly cannot be linked, and the log has the text that is expected.
inline void expect_refused(const std::string& assembly, const std::string& expected) {
  std::string quoted;
  for (const char c : assembly)
    quoted += c == '\n' ? "\\n" : c == '"' ? "\\\"" : std::string(1, c);
  BuildInput input;
  input.source = "kernel void k(global int* a) { __asm__ volatile(\"";
  input.source.append(quoted).append("\"); a[0] = 1; }");
  const auto built = build(input);
  EXPECT_EQ(built.status, HEDDLE_BUILD_FAILURE) << assembly;
  EXPECT_NE(built.log.find("cannot be linked"), std::string::npos) << built.log;
  EXPECT_NE(built.log.find(expected), std::string::npos) << built.log;
}

} // namespace heddle::test
