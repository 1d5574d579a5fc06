// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which address space a generic pointer points to, OpenCL C 6.15.8 (get_fence) and 6.15.7
// (to_global, to_local, to_private, which Clang calls by these names). All address spaces share one
// flat space: an address that is neither in the group's local memory nor on the thread's stacks is
// global.
#include "builtins.h"

// The bounds of the regions: kernel_abi.h, Worker::bounds.
ulong __heddle_memory_bound(uint which);

HELPER bool is_local(const __generic void* p) {
  return (ulong)p - __heddle_memory_bound(0) < __heddle_memory_bound(1) - __heddle_memory_bound(0);
}
HELPER bool is_private(const __generic void* p) {
  return (ulong)p - __heddle_memory_bound(2) <
             __heddle_memory_bound(3) - __heddle_memory_bound(2) ||
         (ulong)p - __heddle_memory_bound(4) < __heddle_memory_bound(5) - __heddle_memory_bound(4);
}

__global void* __to_global(__generic void* p);
__global void* __to_global(__generic void* p) {
  return (__global void*)(is_local(p) || is_private(p) ? 0 : (ulong)p);
}
__local void* __to_local(__generic void* p);
__local void* __to_local(__generic void* p) { return (__local void*)(is_local(p) ? (ulong)p : 0); }
__private void* __to_private(__generic void* p);
__private void* __to_private(__generic void* p) {
  return (__private void*)(is_private(p) ? (ulong)p : 0);
}

HELPER cl_mem_fence_flags fence_of(const __generic void* p) {
  return is_local(p) ? CLK_LOCAL_MEM_FENCE : is_private(p) ? 0 : CLK_GLOBAL_MEM_FENCE;
}
OVERLOAD cl_mem_fence_flags get_fence(void* p) { return fence_of(p); }
OVERLOAD cl_mem_fence_flags get_fence(const void* p) { return fence_of(p); }
