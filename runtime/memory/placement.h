// On which NUMA node a buffer's memory is to be.
#pragma once

#include "runtime/context/context.h"

#include <CL/cl.h>

#include <cstddef>

namespace heddle::placement {

// For new memory of storage::allocate, before anything touches it. Buffers of a context whose
// devices all lie in one node (sub-devices by NUMA domain) come from that node, whoever touches
// them first. Where devices span nodes, the threads that work on a buffer touch it first; only of
// buffers that the host fills (CL_MEM_COPY_HOST_PTR, CL_MEM_ALLOC_HOST_PTR) each node gets the
// portion that its threads are dealt first. Buffers of less than storage::kLarge bytes are left
// alone.
void choose(const Context& context, cl_mem_flags flags, std::byte* data, std::size_t size) noexcept;

} // namespace heddle::placement
