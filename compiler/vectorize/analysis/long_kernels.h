// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose vector code is too long. They are found when it is emitted; the build then starts
// again with fewer lanes for them.
#pragma once

#include "llvm/ADT/StringMap.h"

namespace heddle::compiler {

struct LongKernel {
  unsigned instructions = 0; // of one variant
  unsigned most_lanes = 1;   // 1: it is to be scalar
};

class LongKernels {
 public:
  void add(llvm::StringRef kernel, const LongKernel& found) {
    kernels_[kernel] = found;
    ++additions_;
  }
  // Null: the kernel is not known to be too long.
  const LongKernel* find(llvm::StringRef kernel) const {
    const auto found = kernels_.find(kernel);
    return found != kernels_.end() ? &found->second : nullptr;
  }
  // A kernel may be too long again with the lanes that were left.
  unsigned additions() const { return additions_; }

 private:
  llvm::StringMap<LongKernel> kernels_;
  unsigned additions_ = 0;
};

} // namespace heddle::compiler
