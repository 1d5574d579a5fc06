// The pipes of one launch.
#pragma once

#include "compiler/interface/metadata.h"
#include "runtime/pipe/ring.h"

#include <cstddef>
#include <vector>

namespace heddle {

class PipesInUse {
 public:
  // Of a kernel with these arguments, packed; they keep the pipes. Throws std::bad_alloc.
  PipesInUse(const KernelMetadata& kernel, const std::byte* packed);
  // Around the execution.
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
