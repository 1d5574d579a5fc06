// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Async copies and prefetch, OpenCL C 6.15.11, cl_khr_extended_async_copies and
// cl_khr_async_work_group_copy_fence.
//
// The group's first sub-group performs the whole copy with one call when it reaches it. The
// sub-groups of a group run one after the other on one thread, so sharing the copy would gain
// nothing, and the first sub-group reaches it first: when another one does, the copy is complete.
// Events therefore carry no state, and the event argument is returned; copies execute in program
// order, which satisfies the fence. wait_group_events is a barrier, because programs rely on it to
// order accesses of all work-items to local memory.
#include "lanes.h"

#define cl_khr_extended_async_copies 1
#define cl_khr_async_work_group_copy_fence 1
#include "extra_builtins.h"

typedef __generic uchar* Bytes;

#include "copy_lines.h"

#define FIRST_OF_GROUP __heddle_sub_group_is_leader()

// Elements of sizes that copy_strided.h does not have are copied as lines. The size is a constant
// here.
HELPER void copy_strided(Bytes to, Bytes from, ulong count, ulong size, ulong to_stride,
                         ulong from_stride) {
  switch (size) {
  case 1:
    __heddle_call_once_copy_strided_1(to, from, count, to_stride, from_stride);
    break;
  case 2:
    __heddle_call_once_copy_strided_2(to, from, count, to_stride * 2, from_stride * 2);
    break;
  case 4:
    __heddle_call_once_copy_strided_4(to, from, count, to_stride * 4, from_stride * 4);
    break;
  case 8:
    __heddle_call_once_copy_strided_8(to, from, count, to_stride * 8, from_stride * 8);
    break;
  case 16:
    __heddle_call_once_copy_strided_16(to, from, count, to_stride * 16, from_stride * 16);
    break;
  default:
    __heddle_call_once_copy_lines(to, from, size, count, to_stride * size, from_stride * size);
    break;
  }
}

#define COPIES(T, TO, FROM)                                                                        \
  OVERLOAD event_t async_work_group_copy(TO T* destination, const FROM T* source, size_t count,    \
                                         event_t event) {                                          \
    if (FIRST_OF_GROUP)                                                                            \
      __heddle_call_once_copy_bytes((Bytes)destination, (Bytes)source, count * sizeof(T));         \
    return event;                                                                                  \
  }
#define GATHER(T)                                                                                  \
  OVERLOAD event_t async_work_group_strided_copy(__local T* destination, const __global T* source, \
                                                 size_t count, size_t stride, event_t event) {     \
    if (FIRST_OF_GROUP)                                                                            \
      copy_strided((Bytes)destination, (Bytes)source, count, sizeof(T), 1, stride);                \
    return event;                                                                                  \
  }
#define SCATTER(T)                                                                                 \
  OVERLOAD event_t async_work_group_strided_copy(__global T* destination, const __local T* source, \
                                                 size_t count, size_t stride, event_t event) {     \
    if (FIRST_OF_GROUP)                                                                            \
      copy_strided((Bytes)destination, (Bytes)source, count, sizeof(T), stride, 1);                \
    return event;                                                                                  \
  }
// No operation: hardware prefetchers detect streams, and a prefetch per work-item would cost more
// than it gains.
#define PREFETCH(T)                                                                                \
  OVERLOAD void prefetch(const __global T* p, size_t count) {}

#define EVERYTHING(T)                                                                              \
  COPIES(T, __local, __global)                                                                     \
  COPIES(T, __global, __local)                                                                     \
  GATHER(T)                                                                                        \
  SCATTER(T)                                                                                       \
  PREFETCH(T)
#define EVERYTHING_OF_WIDTH(N, T) EVERYTHING(T##N)
#define EVERY_WIDTH(T) EVERYTHING(T) FOR_WIDTHS(EVERYTHING_OF_WIDTH, T)
EVERY_WIDTH(char)
EVERY_WIDTH(uchar)
EVERY_WIDTH(short)
EVERY_WIDTH(ushort)
EVERY_WIDTH(half)
EVERY_WIDTH(int)
EVERY_WIDTH(uint)
EVERY_WIDTH(float)
EVERY_WIDTH(long)
EVERY_WIDTH(ulong)
EVERY_WIDTH(double)

#define EXTENDED(TO, FROM)                                                                         \
  OVERLOAD event_t async_work_group_copy_2D2D(                                                     \
      TO void* destination, size_t destination_offset, const FROM void* source,                    \
      size_t source_offset, size_t size, size_t elements, size_t lines, size_t source_line,        \
      size_t destination_line, event_t event) {                                                    \
    if (FIRST_OF_GROUP)                                                                            \
      __heddle_call_once_copy_lines((Bytes)destination + destination_offset * size,                \
                                    (Bytes)source + source_offset * size, elements * size, lines,  \
                                    destination_line * size, source_line * size);                  \
    return event;                                                                                  \
  }                                                                                                \
  OVERLOAD event_t async_work_group_copy_3D3D(                                                     \
      TO void* destination, size_t destination_offset, const FROM void* source,                    \
      size_t source_offset, size_t size, size_t elements, size_t lines, size_t planes,             \
      size_t source_line, size_t source_plane, size_t destination_line, size_t destination_plane,  \
      event_t event) {                                                                             \
    if (FIRST_OF_GROUP)                                                                            \
      __heddle_call_once_copy_planes((Bytes)destination + destination_offset * size,               \
                                     (Bytes)source + source_offset * size, elements * size, lines, \
                                     planes, destination_line * size, destination_plane * size,    \
                                     source_line * size, source_plane * size);                     \
    return event;                                                                                  \
  }
EXTENDED(__local, __global)
EXTENDED(__global, __local)

OVERLOAD void async_work_group_copy_fence(cl_mem_fence_flags flags) {}

OVERLOAD void wait_group_events(int count, __private event_t* events) {
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
OVERLOAD void wait_group_events(int count, __generic event_t* events) {
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
