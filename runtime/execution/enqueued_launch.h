// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The range and the arguments of a kernel that a kernel enqueues.
#pragma once

#include "compiler/interface/device_queue_calls.h"
#include "runtime/execution/kernel_launch.h"

#include <cstdint>
#include <optional>
#include <span>

namespace heddle {

// Nothing if the range is not valid for the kernel (OpenCL C 6.15.15.4, CLK_INVALID_NDRANGE). The
// range may be empty.
std::optional<NDRange> make_enqueued_range(const abi::EnqueuedRange& range,
                                           const KernelMetadata& kernel, unsigned units,
                                           bool uniform_groups);

bool is_empty(const NDRange& range);

// The packed arguments: the address of the literal's copy, and the offsets of local memory.
std::uint64_t enqueued_argument_bytes(const abi::BlockLiteral& literal, std::size_t local_count);

// Static local memory of the kernel and local arguments together; nothing if a size is 0 or the sum
// more than the device has.
std::optional<std::uint64_t> enqueued_local_bytes(const KernelMetadata& kernel,
                                                  std::span<const std::uint64_t> sizes);

// Copies the literal; null when memory is exhausted. enqueued_local_bytes() is not nothing.
Ref<ArgumentBlock> make_enqueued_arguments(const KernelMetadata& kernel,
                                           const abi::BlockLiteral& literal,
                                           std::span<const std::uint64_t> sizes);

} // namespace heddle
