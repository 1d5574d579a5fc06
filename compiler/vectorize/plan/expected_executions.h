// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often code is executed whose loops' trip counts only the launch tells.
#pragma once

#include "llvm/Analysis/LoopInfo.h"

#include <algorithm>
#include <cstdint>

namespace heddle::compiler {

inline constexpr unsigned kExpectedIterations = 8; // of each loop

// Of a block, in one execution of the kernel; loops nested more deeply than four count as four.
inline std::uint64_t expected_executions(const llvm::LoopInfo& loops,
                                         const llvm::BasicBlock& block) {
  std::uint64_t count = 1;
  for (auto depth = std::min(loops.getLoopDepth(&block), 4U); depth != 0; --depth)
    count *= kExpectedIterations;
  return count;
}

} // namespace heddle::compiler
