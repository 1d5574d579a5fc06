// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device, a context and queues without the ICD, and kernels written in C++ against the kernel
// ABI.
#pragma once

#include "runtime/context/context.h"
#include "runtime/core/process.h"
#include "runtime/device/device.h"
#include "runtime/execution/command.h"
#include "runtime/execution/event.h"
#include "runtime/execution/queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#if defined(__SANITIZE_THREAD__)
// TBB's library is not instrumented, so passing a task to a thread and reusing a task's memory look
// like races; only those are suppressed (not "race:libtbb.so", which would suppress everything that
// TBB's threads run). A forked child does start threads.
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_suppressions() {
  return "called_from_lib:libtbb.so\n"
         "race_top:detail/_task.h\n"
         "race_top:task_arena.h\n"
         "race_top:worker_pool.cpp\n";
}
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_options() {
  return "die_after_fork=0";
}
#endif

namespace heddle::test {

// More threads than a small machine has processors, so that they contend.
inline const int kSetThreads = setenv("HEDDLE_NUM_THREADS", "4", 0);
// Like the driver when it is loaded.
inline const bool kWatchesForks = (process::watch_forks(), true);

// Packed arguments: one pointer to the test's own data.
class PointerArgument final : public ArgumentBlock {
 public:
  PointerArgument(void* pointer, std::uint64_t local_bytes)
      : ArgumentBlock(Kind::kernel), local_bytes_(local_bytes) {
    std::memcpy(bytes_, &pointer, sizeof pointer);
  }
  const std::byte* bytes() const override { return bytes_; }
  std::uint64_t local_bytes() const override { return local_bytes_; }

 private:
  alignas(128) std::byte bytes_[128]{};
  std::uint64_t local_bytes_;
};

template <class T>
T& argument(const abi::Launch* launch) {
  T* pointer;
  std::memcpy(&pointer, launch->args, sizeof pointer);
  return *pointer;
}

// Group x of the current row of groups, as compiled kernels construct it.
inline abi::Group make_group(const abi::Launch* launch, std::uint64_t x, abi::Worker* worker) {
  abi::Group group{};
  group.launch = launch;
  group.worker = worker;
  group.local_memory = worker->local_memory;
  group.group_id[0] = x;
  group.group_id[1] = worker->current_group[1];
  group.group_id[2] = worker->current_group[2];
  for (int d = 0; d < 3; ++d) {
    const auto first = group.group_id[d] * launch->local_size[d];
    group.local_size[d] = std::min(launch->local_size[d], launch->global_size[d] - first);
    const_cast<volatile std::uint64_t&>(worker->current_group[d]) = group.group_id[d];
  }
  const_cast<volatile std::uint64_t&>(worker->current_row) = group.local_size[0];
  return group;
}

inline void set_item(abi::Worker* worker, std::uint64_t item) {
  const_cast<volatile std::uint64_t&>(worker->current_item) = item;
}

struct Engine {
  Ref<Device> device =
      make_ref<Device>(nullptr, std::vector<int>{}, std::vector<cl_device_partition_property>{});
  std::string reports; // what the context's callback was told
  Ref<Context> context = make_context(*device, &reports);

  static void CL_CALLBACK notify(const char* message, const void*, size_t, void* reports) {
    *static_cast<std::string*>(reports) += std::string(message) + "\n";
  }
  static Ref<Context> make_context(Device& device, std::string* reports) {
    std::vector<ParentRef<Device>> devices;
    devices.emplace_back(&device);
    return make_ref<Context>(std::move(devices), std::vector<cl_context_properties>{}, notify,
                             reports);
  }
  Ref<Queue> queue(cl_command_queue_properties flags = 0) {
    return make_ref<Queue>(*context, *device, flags, QueueHints{},
                           std::vector<cl_queue_properties>{});
  }
  Ref<Queue> out_of_order() { return queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE); }
  Ref<UserEvent> user_event() { return make_ref<UserEvent>(*context); }
};

// Enqueues; the test keeps a reference to the command.
inline Ref<Event> enqueue(Queue& queue, Ref<Command> command,
                          const std::vector<Event*>& waits = {}) {
  Ref<Event> event(command.get());
  EXPECT_EQ(queue.enqueue(std::move(command), waits, nullptr, false), CL_SUCCESS);
  return event;
}

template <class Body>
Ref<Event> call(Queue& queue, Body body, const std::vector<Event*>& waits = {}) {
  return enqueue(queue, make_command(queue, CL_COMMAND_NATIVE_KERNEL, std::move(body)), waits);
}

// A kernel and its metadata.
struct TestKernel {
  abi::KernelFunction function;
  KernelMetadata metadata;

  explicit TestKernel(abi::KernelFunction code, bool has_barrier = false,
                      std::uint64_t stack_bytes = 16384)
      : function(code) {
    metadata.name = "test_kernel";
    metadata.has_barrier = has_barrier;
    metadata.stack_bytes = stack_bytes;
  }
  Ref<Event> enqueue(Queue& queue, void* data, const NDRange& range, std::uint64_t local_bytes = 0,
                     const std::vector<Event*>& waits = {}) const {
    KernelLaunch launch;
    launch.arguments = make_ref<PointerArgument>(data, local_bytes);
    launch.variant.function = function;
    launch.variant.metadata = &metadata;
    launch.range = range;
    return test::enqueue(
        queue, make_kernel_command(queue, CL_COMMAND_NDRANGE_KERNEL, std::move(launch)), waits);
  }
};

inline NDRange range_1d(std::size_t global, std::size_t local) {
  NDRange range;
  range.global_size[0] = global;
  range.local_size[0] = local;
  return range;
}

// True once `condition` holds; false after ten seconds.
template <class Condition>
bool eventually(Condition condition) {
  for (int i = 0; i < 10'000; ++i) {
    if (condition())
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

} // namespace heddle::test
