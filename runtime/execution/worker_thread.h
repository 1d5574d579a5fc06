// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The resources of a thread that runs kernels: stacks, local memory, fibers, and the abi::Worker
// that kernels access.
#pragma once

#include "compiler/interface/kernel_abi.h"
#include "compiler/interface/race_access.h"
#include "runtime/execution/debugger_view.h"
#include "runtime/execution/event.h"
#include "runtime/execution/fault_guard.h"
#include "runtime/execution/kernel_launch.h"
#include "runtime/execution/print_buffer.h"
#include "runtime/execution/running_kernels.h"
#include "runtime/execution/stack_pool.h"
#include "runtime/execution/stack_track.h"
#include "runtime/target/context_switch.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace heddle {

class WorkerThread {
 public:
  // The calling thread's object; created at the first call and destroyed with the thread. Null when
  // memory is exhausted.
  static WorkerThread* current() noexcept;

  // Allocates stacks and local memory for a launch. False if the system does not provide the
  // memory.
  bool prepare(const KernelMetadata& kernel, std::uint64_t sub_groups,
               std::uint64_t local_bytes) noexcept;
  // Runs groups on a guarded stack; false if the kernel faulted, with a description in `fault`.
  // `checks` is null for kernels built without. `stop`, if not null, is set when the kernel is to
  // end (running_kernels.h): then it counts as a fault, or nothing runs.
  bool run(abi::KernelFunction function, const abi::Launch& launch, std::uint64_t first_group,
           std::uint64_t last_group, PrintBuffer& prints, LaunchChecks* checks,
           const std::atomic<bool>* stop, Fault& fault) noexcept;
  // After a fault: whether the address is in a guard page, and the kernel's position.
  bool is_stack_guard(const void* address) const noexcept;
  const abi::Worker& position() const noexcept { return worker_; }
  // For the functions that kernels call: the thread of the worker, and what it runs.
  static WorkerThread& of(abi::Worker& worker) noexcept;
  const abi::Launch& launch() const noexcept { return *job_.launch; }
  // Around functions of the runtime that kernels call: the kernel does not end in them.
  class RuntimeCall {
   public:
    RuntimeCall() noexcept : before_(fault_guard::allow_stop(false)) {}
    ~RuntimeCall() {
      if (before_)
        fault_guard::allow_stop(true);
    }
    RuntimeCall(const RuntimeCall&) = delete;
    RuntimeCall& operator=(const RuntimeCall&) = delete;

   private:
    const bool before_;
  };
  // Children with CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP that the groups of run() have enqueued.
  ReadyList& after_groups() noexcept { return after_groups_; }

 private:
  WorkerThread() noexcept;
  ~WorkerThread();

  static void run_fibers(const abi::Group* group, abi::ItemFunction item, std::uint64_t count);
  static void barrier(abi::Worker* worker);
  static void counting_barrier(abi::Worker* worker);
  static std::int32_t print(abi::Worker* worker, const std::byte* record, std::uint64_t size);
  static void check(abi::Worker* worker, const abi::CheckHeader* record);
  [[noreturn]] void leave_failed();
  bool run_on_stack(Fault& fault) noexcept;
  void run_job();
  void switch_to(std::uint32_t next);
  void open_barrier();
  static void run_job_on_stack(void* thread);
  static void fiber_entry(void* value);
  static void after_fault(void* thread);

  // First member: kernels pass its worker to the static functions above.
  abi::CheckedWorker checked_worker_{};
  abi::Worker& worker_ = checked_worker_.worker;
  DebuggerEntry debugger_entry_{worker_};

  struct Job {
    abi::KernelFunction function;
    const abi::Launch* launch;
    std::uint64_t first_group;
    std::uint64_t last_group;
  } job_{};
  StackContext caller_{}; // of run()
  // To the top of the kernel stack, which is null if that is new or was abandoned.
  fault_guard::Exit exit_{after_fault, this, nullptr};
  [[no_unique_address]] StackTrack caller_track_;
  [[no_unique_address]] StackTrack kernel_track_;
  StackPool main_stack_;
  StackPool fiber_stacks_;
  std::size_t fiber_stack_bytes_ = 0;
  std::byte* local_memory_ = nullptr;
  std::size_t local_capacity_ = 0;
  std::byte* frames_ = nullptr; // of region loops
  std::size_t frames_capacity_ = 0;
  PrintBuffer* prints_ = nullptr;
  LaunchChecks* checks_ = nullptr;
  Fault* fault_ = nullptr;
  const std::atomic<bool>* stop_ = nullptr;
  running_kernels::Thread entry_; // while stop_ is not null
  ReadyList after_groups_;

  // The fibers of the current group: a ring of those that have not returned.
  struct Fiber {
    StackContext context;
    [[no_unique_address]] StackTrack track;
    std::uint32_t next;
    std::uint32_t previous;
  };
  std::vector<Fiber> fibers_;
  StackContext group_loop_{}; // of run_fibers()
  const abi::Group* group_ = nullptr;
  abi::ItemFunction item_ = nullptr;
  std::uint32_t running_ = 0;
  std::uint32_t count_ = 0;
  // Of counting_barrier(): the fibers of the ring, its first one, how many wait, and how often all
  // have come.
  std::uint32_t live_ = 0;
  std::uint32_t first_ = 0;
  std::uint32_t waiting_ = 0;
  std::uint32_t times_open_ = 0;
};

} // namespace heddle
