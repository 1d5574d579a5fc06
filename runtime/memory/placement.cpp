// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/placement.h"

#include "runtime/allocation/storage.h"
#include "runtime/device/numa.h"

#include <new>

namespace heddle::placement {
namespace {

// The node that all devices lie in, or -1.
int common_node(const Context& context) {
  int common = -1;
  for (const auto& device : context.devices()) {
    const int node = numa::node_of(device->cpus());
    if (node < 0 || (common >= 0 && common != node))
      return -1;
    common = node;
  }
  return common;
}

} // namespace

void choose(const Context& context, cl_mem_flags flags, std::byte* data, std::size_t size) noexcept
    try {
  if (size < storage::kLarge || numa::nodes().empty())
    return;
  if (const int node = common_node(context); node >= 0)
    numa::prefer(data, size, node);
  else if (flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR))
    numa::prefer_portions(data, size, numa::nodes());
} catch (const std::bad_alloc&) {
  // The system decides.
}

} // namespace heddle::placement
