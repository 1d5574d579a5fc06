// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ranges of enqueue_kernel, OpenCL C 6.15.15. A local size of 0 is the implementation's choice.
// Everything else of device-side enqueue is lowered by the compiler (lower_device_enqueue.h).
#include "builtins.h"

static ndrange_t make_range(uint dimensions, const size_t* offset, const size_t* global_size,
                            const size_t* local_size) {
  ndrange_t range;
  range.workDimension = dimensions;
  for (uint d = 0; d < 3; ++d) {
    const bool used = d < dimensions;
    range.globalWorkOffset[d] = used && offset ? offset[d] : 0;
    range.globalWorkSize[d] = used ? global_size[d] : 1;
    range.localWorkSize[d] = used ? (local_size ? local_size[d] : 0) : 1;
  }
  return range;
}

OVERLOAD ndrange_t ndrange_1D(size_t global_size) { return make_range(1, 0, &global_size, 0); }
OVERLOAD ndrange_t ndrange_1D(size_t global_size, size_t local_size) {
  return make_range(1, 0, &global_size, &local_size);
}
OVERLOAD ndrange_t ndrange_1D(size_t offset, size_t global_size, size_t local_size) {
  return make_range(1, &offset, &global_size, &local_size);
}

#define RANGES(N)                                                                                  \
  OVERLOAD ndrange_t ndrange_##N##D(const size_t global_size[N]) {                                 \
    return make_range(N, 0, global_size, 0);                                                       \
  }                                                                                                \
  OVERLOAD ndrange_t ndrange_##N##D(const size_t global_size[N], const size_t local_size[N]) {     \
    return make_range(N, 0, global_size, local_size);                                              \
  }                                                                                                \
  OVERLOAD ndrange_t ndrange_##N##D(const size_t offset[N], const size_t global_size[N],           \
                                    const size_t local_size[N]) {                                  \
    return make_range(N, offset, global_size, local_size);                                         \
  }

RANGES(2)
RANGES(3)
