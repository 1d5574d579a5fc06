// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The local size of launches: the largest, and that of launches that specify none (OpenCL
// API 5.10).
#pragma once

#include "runtime/execution/kernel_launch.h"

#include <cstddef>

namespace heddle {

// The largest work-group of the kernel: limited by the memory that it needs for each work-item of a
// group.
std::size_t max_group_size(const KernelMetadata& kernel);

// Sets range.local_size to divisors of the global size: long rows, at most `most` items, and enough
// groups for all `units`. Kernels with barriers get smaller groups, because each of their items
// costs a stack. With `may_leave_rest` (non-uniform groups are allowed) sizes without a good
// divisor get a smaller last group. Rows are along the second dimension if lanes run along it
// (KernelMetadata::has_swapped_dimensions).
void choose_local_size(NDRange& range, std::size_t most, unsigned units, bool has_barrier,
                       bool may_leave_rest, bool has_swapped_dimensions = false);

} // namespace heddle
