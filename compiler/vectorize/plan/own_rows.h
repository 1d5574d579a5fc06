// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose work-items walk through rows of their own.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"

namespace heddle::compiler {

struct OwnRows {
  bool are_walked = false;
  // They are the same for all y, and of elements that CPUs gather: interleaved rows load them once.
  bool are_shared = false;
};

// Whether most of what the innermost loops access is far apart from lane to lane, but close from
// iteration to iteration, as a[n * x + j] in a loop over j. Each lane then has a cache line of its
// own, which the next iterations need again: narrow sub-groups have few enough of them.
OwnRows find_own_rows(llvm::Function& kernel, const llvm::LoopInfo& loops);

} // namespace heddle::compiler
