// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pipes that one launch uses.
#pragma once

#include "compiler/interface/metadata.h"
#include "runtime/pipe/ring.h"

#include <cstddef>
#include <vector>

namespace heddle {

class PipesInUse {
 public:
  // The pipes among these packed arguments, which keep them alive. Throws std::bad_alloc.
  PipesInUse(const KernelDeclaration& kernel, const std::byte* packed);
  // Called before and after the execution.
  void begin() const noexcept;
  void end() const noexcept;

 private:
  struct Use {
    pipe_ring::Ring* ring;
    int side;
  };
  std::vector<Use> uses_;
};

} // namespace heddle
