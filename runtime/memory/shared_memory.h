// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocations that the host and kernels know by one address: SVM (OpenCL API 5.6) and USM
// (cl_intel_unified_shared_memory). The device is the host, so that all kinds are the same memory.
#pragma once

#include "runtime/allocation/allocation_map.h"
#include "runtime/context/context.h"

namespace heddle::shared_memory {

// When the host writes to the memory: at any time, or by commands and while it is mapped.
enum class HostWrites : std::uint8_t { always, by_commands };

// Allocates `size` (not 0) zeroed bytes and enters them in the context's map; null when memory is
// exhausted. The alignment is a power of two up to storage::kMaxAlignment, or 0: that
// of the largest type. Throws std::bad_alloc.
void* allocate(Context& context, AllocationKind kind, std::size_t size, std::size_t alignment,
               Device* device, cl_bitfield flags, HostWrites writes, SvmProperties svm = {});

} // namespace heddle::shared_memory
