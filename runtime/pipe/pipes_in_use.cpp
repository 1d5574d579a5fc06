// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/pipe/pipes_in_use.h"

#include <CL/cl.h>

#include <cstring>

namespace heddle {

PipesInUse::PipesInUse(const KernelDeclaration& kernel, const std::byte* packed) {
  for (const auto& argument : kernel.arguments) {
    if (argument.kind != ArgumentKind::pipe)
      continue;
    Use use{};
    std::memcpy(&use.ring, packed + argument.offset, sizeof use.ring);
    use.side = argument.access_qualifier == CL_KERNEL_ARG_ACCESS_WRITE_ONLY ? heddle_pipe_writers
                                                                            : heddle_pipe_readers;
    uses_.push_back(use);
  }
}

void PipesInUse::begin() const noexcept {
  for (const auto& use : uses_)
    pipe_ring::begin_use(*use.ring, use.side);
}

void PipesInUse::end() const noexcept {
  for (const auto& use : uses_)
    pipe_ring::end_use(*use.ring, use.side);
}

} // namespace heddle
