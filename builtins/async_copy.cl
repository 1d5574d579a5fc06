// Async copies and prefetch, OpenCL C 6.15.11.
//
// Each work-item copies its share at once; wait_group_events is then a barrier. The event carries
// no state, so the one passed in stands for the copies started with it. A prefetch would cost the
// work-item more than the caches of a CPU leave to gain, so it does nothing.
#include "builtins.h"

HELPER size_t group_size(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }

#define COPY(DESTINATION_STEP, SOURCE_STEP)                                                        \
  size_t step = group_size();                                                                      \
  for (size_t i = get_local_linear_id(); i < count; i += step)                                     \
    destination[i * DESTINATION_STEP] = source[i * SOURCE_STEP];                                   \
  return event;

#define ASYNC_COPY(T)                                                                              \
  OVERLOAD event_t async_work_group_copy(__local T* destination, const __global T* source,         \
                                         size_t count, event_t event){                             \
      COPY(1, 1)} OVERLOAD event_t async_work_group_copy(__global T* destination,                  \
                                                         const __local T* source, size_t count,    \
                                                         event_t event){                           \
      COPY(1, 1)} OVERLOAD event_t async_work_group_strided_copy(__local T* destination,           \
                                                                 const __global T* source,         \
                                                                 size_t count, size_t stride,      \
                                                                 event_t event){                   \
      COPY(1, stride)} OVERLOAD event_t async_work_group_strided_copy(__global T* destination,     \
                                                                      const __local T* source,     \
                                                                      size_t count, size_t stride, \
                                                                      event_t event){              \
      COPY(stride, 1)} OVERLOAD void prefetch(const __global T* p, size_t count) {}
#define ASYNC_COPY_WIDTH(N, T) ASYNC_COPY(T##N)
#define ASYNC_COPY_ALL(T) ASYNC_COPY(T) FOR_WIDTHS(ASYNC_COPY_WIDTH, T)
ASYNC_COPY_ALL(char)
ASYNC_COPY_ALL(uchar)
ASYNC_COPY_ALL(short)
ASYNC_COPY_ALL(ushort)
ASYNC_COPY_ALL(half)
ASYNC_COPY_ALL(int)
ASYNC_COPY_ALL(uint)
ASYNC_COPY_ALL(float)
ASYNC_COPY_ALL(long)
ASYNC_COPY_ALL(ulong)
ASYNC_COPY_ALL(double)

OVERLOAD void wait_group_events(int count, __private event_t* events) {
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
OVERLOAD void wait_group_events(int count, __generic event_t* events) {
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
