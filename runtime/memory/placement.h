// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The NUMA nodes of large buffers.
#pragma once

#include "runtime/context/context.h"

#include <CL/cl.h>

#include <cstddef>

namespace heddle::placement {

// For memory that storage::allocate returned and that nothing has accessed. Buffers of a context
// whose devices are all in one node (sub-devices by NUMA domain) are allocated from that node,
// whichever thread accesses them first. If devices span nodes, the first thread that accesses a
// page decides; buffers that the host initializes (CL_MEM_COPY_HOST_PTR, CL_MEM_ALLOC_HOST_PTR) are
// distributed over the nodes in the portions of SharedRanges. Buffers of less than storage::kLarge
// bytes are not placed.
void choose(const Context& context, cl_mem_flags flags, std::byte* data, std::size_t size) noexcept;

} // namespace heddle::placement
