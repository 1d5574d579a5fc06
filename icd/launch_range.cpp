// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/launch_range.h"

#include "runtime/device/limits.h"
#include "runtime/execution/work_group_size.h"

#include <cstdint>

namespace heddle::icd {

cl_int make_range(const Kernel& kernel, const Device& device, cl_uint work_dim,
                  const size_t* offset, const size_t* global, const size_t* local, NDRange& range) {
  if (work_dim < 1 || work_dim > 3)
    return CL_INVALID_WORK_DIMENSION;
  range.work_dim = work_dim;
  const auto& required = kernel.declaration().required_group_size;
  for (cl_uint d = 0; d < work_dim; ++d) {
    range.global_size[d] = global ? global[d] : 0;
    range.global_offset[d] = offset ? offset[d] : 0;
    if (range.global_size[d] > SIZE_MAX - range.global_offset[d])
      return CL_INVALID_GLOBAL_OFFSET;
  }
  // The number of work-items must not overflow.
  size_t items = 1;
  for (cl_uint d = 0; d < work_dim; ++d)
    if (__builtin_mul_overflow(items, range.global_size[d], &items))
      return CL_INVALID_GLOBAL_WORK_SIZE;
  const auto& program = kernel.program();
  if (!local) {
    auto most = kernel.max_group_size(device);
    if (!most)
      return most.error();
    if (required[0] != 0)
      for (int d = 0; d < 3; ++d)
        range.local_size[d] = required[d];
    else
      choose_local_size(range, *most, device.compute_units(), kernel.declaration().may_have_barrier,
                        program.allows_non_uniform_groups(), kernel.has_swapped_dimensions(device));
  } else {
    size_t group = 1;
    for (cl_uint d = 0; d < work_dim; ++d) {
      if (local[d] == 0)
        return CL_INVALID_WORK_GROUP_SIZE;
      if (local[d] > limits::kWorkGroupSize)
        return CL_INVALID_WORK_ITEM_SIZE;
      range.local_size[d] = local[d];
      group *= local[d];
    }
    if (group > limits::kWorkGroupSize) // Kernel::capture() knows what the kernel's limit is
      return CL_INVALID_WORK_GROUP_SIZE;
  }
  for (int d = 0; d < 3; ++d) {
    if (required[0] != 0 && range.local_size[d] != required[d])
      return CL_INVALID_WORK_GROUP_SIZE;
    if (range.global_size[d] % range.local_size[d] != 0 && !program.allows_non_uniform_groups())
      return CL_INVALID_WORK_GROUP_SIZE;
  }
  return CL_SUCCESS;
}

} // namespace heddle::icd
