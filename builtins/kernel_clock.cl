// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_kernel_clock: the processor's time-stamp counter, which all cores share. One reading is
// for all lanes of a sub-group.
#include "builtins.h"

#define DEFINE_CLOCK(scope)                                                                        \
  OVERLOAD ulong clock_read_##scope(void) { return __builtin_readcyclecounter(); }                 \
  OVERLOAD uint2 clock_read_hilo_##scope(void) {                                                   \
    return as_uint2((ulong)__builtin_readcyclecounter());                                          \
  }
DEFINE_CLOCK(device)
DEFINE_CLOCK(work_group)
DEFINE_CLOCK(sub_group)
