// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_context (OpenCL API 4.4).
#pragma once

#include "runtime/core/lock.h"
#include "runtime/core/object.h"
#include "runtime/core/result.h"
#include "runtime/device/device.h"

#include <CL/cl.h>

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace heddle {

// CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR and ..._PRIVATE_KHR, which older headers lack.
constexpr cl_bitfield kInitializeLocal = 1, kInitializePrivate = 2;

class AllocationMap;
class DeviceQueue;
class Event;
class Queue;

class Context final : public Object {
 public:
  static constexpr Kind kKind = Kind::context;
  using Notify = void(CL_CALLBACK*)(const char*, const void*, size_t, void*);
  using Destructor = void(CL_CALLBACK*)(cl_context, void*);

  Context(std::vector<ParentRef<Device>> devices, std::vector<cl_context_properties> properties,
          Notify notify, void* user_data);

  std::span<const ParentRef<Device>> devices() const { return devices_; }
  bool has(const Device* device) const;
  // As given to clCreateContext, with the terminating zero; empty if none were given.
  std::span<const cl_context_properties> properties() const { return properties_; }
  // cl_khr_initialize_memory: CL_CONTEXT_MEMORY_INITIALIZE_*_KHR bits, for local and private memory
  // that is zero when a kernel starts.
  cl_bitfield initialized_memory() const { return initialized_memory_; }
  // cl_khr_terminate_context: what contexts have that can be terminated.
  struct Termination {
    std::atomic<bool> is_terminated{false};
    SleepingMutex mutex;
    std::unordered_set<Event*> unfinished HEDDLE_GUARDED_BY(mutex); // commands; each removes itself
    // User events that nobody can set any more.
    std::vector<Ref<Object>> abandoned HEDDLE_GUARDED_BY(mutex);
    // What kernels have created, or got for what they enqueued, and not released.
    std::unordered_map<Event*, Ref<Object>> kernel_events HEDDLE_GUARDED_BY(mutex);
  };
  Termination* termination() const noexcept { return termination_.get(); } // null for others
  bool is_terminated() const noexcept {
    return termination_ && termination_->is_terminated.load(std::memory_order_relaxed);
  }
  // Calls the user's error callback, if there is one. Thread-safe, but not async-signal-safe.
  void report(const std::string& message) const;
  void add_destructor(Destructor callback, void* user_data);

  // What was allocated by clSVMAlloc, cl_intel_unified_shared_memory and buffers with a device
  // address (runtime/allocation/allocation_map.h). Those that are left go with the context.
  AllocationMap& allocations() const { return *allocations_; }
  // By device; runtime/execution/device_queue.h has what may be done with them.
  struct DefaultDeviceQueues {
    SleepingMutex mutex;
    std::vector<std::pair<const Device*, DeviceQueue*>> queues HEDDLE_GUARDED_BY(mutex);
  };
  DefaultDeviceQueues& default_device_queues() { return default_device_queues_; }
  // Queues tell of themselves. add_queue throws std::bad_alloc.
  void add_queue(Queue& queue);
  void remove_queue(Queue& queue) noexcept;
  // Calls visit(Queue&) for each; queues neither come nor go meanwhile, and those that are being
  // destroyed are among them (Object::try_retain).
  template <class Visit>
  void for_each_queue(Visit visit) {
    const Lock lock(queues_mutex_);
    for (auto* queue : queues_)
      visit(*queue);
  }

 private:
  ~Context() override;
  void on_user_released() noexcept override;

  std::vector<ParentRef<Device>> devices_;
  std::vector<cl_context_properties> properties_;
  cl_bitfield initialized_memory_ = 0;
  std::unique_ptr<Termination> termination_;
  Notify notify_;
  void* user_data_;
  SleepingMutex mutex_;
  std::vector<std::pair<Destructor, void*>> destructors_ HEDDLE_GUARDED_BY(mutex_);
  std::unique_ptr<AllocationMap> allocations_;
  SleepingMutex queues_mutex_;
  std::vector<Queue*> queues_ HEDDLE_GUARDED_BY(queues_mutex_);
  DefaultDeviceQueues default_device_queues_;
};

} // namespace heddle
