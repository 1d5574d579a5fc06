// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device queue (OpenCL API 5.1): cl_command_queue with CL_QUEUE_ON_DEVICE, queue_t in kernels.
//
// It orders nothing, as device queues are out of order: what kernels enqueue goes to the executor
// when its dependencies are complete. The queue limits how much that is, says whether it is
// profiled, and is what kernels name.
#pragma once

#include "runtime/context/context.h"
#include "runtime/core/object.h"

#include <CL/cl.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace heddle {

class DeviceQueue final : public Object {
 public:
  static constexpr Kind kKind = Kind::device_queue;

  // `properties` as for Queue; `bytes`: CL_QUEUE_SIZE.
  DeviceQueue(Context& context, Device& device, cl_command_queue_properties flags,
              std::uint32_t bytes, std::vector<cl_queue_properties> properties)
      : Object(kKind), context_(&context), device_(&device), flags_(flags), bytes_(bytes),
        properties_(std::move(properties)) {}

  Context& context() const { return *context_; }
  Device& device() const { return *device_; }
  cl_command_queue_properties flags() const { return flags_; }
  bool profiling() const { return flags_ & CL_QUEUE_PROFILING_ENABLE; }
  std::uint32_t bytes() const { return bytes_; }
  std::span<const cl_queue_properties> properties() const { return properties_; }

  // The room that a command takes until it has ended; keeps the queue.
  class Room {
   public:
    Room() = default;
    // For a command with arguments of this size; empty if the queue is full.
    Room(DeviceQueue& queue, std::uint64_t argument_bytes) noexcept;
    Room(Room&& other) noexcept
        : queue_(std::move(other.queue_)), bytes_(std::exchange(other.bytes_, 0)) {}
    Room& operator=(Room&&) = delete;
    ~Room() { release(); }
    explicit operator bool() const { return bytes_ != 0; }
    void release() noexcept;

   private:
    Ref<DeviceQueue> queue_;
    std::uint64_t bytes_ = 0;
  };

 private:
  void on_user_released() noexcept override;

  ParentRef<Context> context_;
  ParentRef<Device> device_;
  const cl_command_queue_properties flags_;
  const std::uint32_t bytes_;
  const std::vector<cl_queue_properties> properties_;
  alignas(64) std::atomic<std::uint64_t> used_{0};
};

// The default device queue of a device in a context, or null.
ParentRef<DeviceQueue> default_device_queue(Context& context, const Device& device);
// Replaces it. Throws std::bad_alloc.
void set_default_device_queue(DeviceQueue& queue);

} // namespace heddle
