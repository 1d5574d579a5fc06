// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels call for device-side enqueue (OpenCL C 6.15.15). The compiler emits calls through
// the table at abi::Worker::device_queue, with the types below.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::abi {

struct Worker;

// ndrange_t.
struct EnqueuedRange {
  std::uint32_t work_dim;
  std::uint64_t global_offset[3];
  std::uint64_t global_size[3];
  std::uint64_t local_size[3]; // 0: chosen by the runtime
};

// The first words of a block literal.
struct BlockLiteral {
  std::uint32_t bytes; // with the captured variables
  std::uint32_t alignment;
};

// Bits of `flags` beside CLK_ENQUEUE_FLAGS_*.
inline constexpr std::uint32_t kEnqueueFlagsMask = 0xff;
inline constexpr std::uint32_t kDetailedErrors = 0x100; // the program was built with -g
inline constexpr std::uint32_t kUniformGroups = 0x200;  // with -cl-uniform-work-group-size

enum class KernelQuery : std::uint32_t {
  work_group_size,
  preferred_work_group_size_multiple,
  sub_group_count,
  max_sub_group_size,
};

// `worker` is the caller's. Queues and events are handles; any bit pattern is safe. `kernel` is an
// index in ProgramMetadata::kernels.
struct DeviceQueueCalls {
  // enqueue_kernel: CLK_SUCCESS or an error. The literal and the sizes of local arguments are
  // copied. `event` may be null.
  std::int32_t (*enqueue)(Worker* worker, void* queue, std::uint32_t flags,
                          const EnqueuedRange* range, std::uint32_t wait_count, void* const* waits,
                          void** event, std::uint64_t kernel, const BlockLiteral* literal,
                          std::uint32_t local_count, const std::uint64_t* local_sizes);
  std::int32_t (*enqueue_marker)(Worker* worker, std::uint32_t flags, void* queue,
                                 std::uint32_t wait_count, void* const* waits, void** event);
  std::uint32_t (*query)(Worker* worker, KernelQuery query, const EnqueuedRange* range,
                         std::uint64_t kernel);
  void* (*default_queue)(Worker* worker);
  void* (*create_user_event)(Worker* worker);
  void (*set_user_event_status)(Worker* worker, void* event, std::int32_t status);
  void (*retain_event)(Worker* worker, void* event);
  void (*release_event)(Worker* worker, void* event);
  std::uint32_t (*is_valid_event)(Worker* worker, void* event);
  // Writes two numbers to `values` when the event has completed, before the caller's command has.
  void (*capture_profiling)(Worker* worker, void* event, std::int32_t name, std::uint64_t* values);
};

static_assert(offsetof(DeviceQueueCalls, enqueue) == 0);
static_assert(offsetof(DeviceQueueCalls, enqueue_marker) == 8);
static_assert(offsetof(DeviceQueueCalls, query) == 16);
static_assert(offsetof(DeviceQueueCalls, default_queue) == 24);
static_assert(offsetof(DeviceQueueCalls, create_user_event) == 32);
static_assert(offsetof(DeviceQueueCalls, set_user_event_status) == 40);
static_assert(offsetof(DeviceQueueCalls, retain_event) == 48);
static_assert(offsetof(DeviceQueueCalls, release_event) == 56);
static_assert(offsetof(DeviceQueueCalls, is_valid_event) == 64);
static_assert(offsetof(DeviceQueueCalls, capture_profiling) == 72);
static_assert(offsetof(EnqueuedRange, global_offset) == 8 && sizeof(EnqueuedRange) == 80);

} // namespace heddle::abi
