// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command of clEnqueueNDRangeKernel, and of kernels that other kernels enqueue.
#include "runtime/execution/command.h"
#include "runtime/execution/executor.h"
#include "runtime/execution/fault_guard.h"
#include "runtime/execution/kernel_run.h"
#include "runtime/execution/parent_kernel.h"
#include "runtime/execution/queue.h"
#include "runtime/execution/scheduler.h"

namespace heddle {
namespace {

KernelFamily family_of(const KernelLaunch& launch) {
  if (!launch.variant.metadata->uses_device_queues)
    return {};
  return {launch.loaded.get(), launch.default_queue.get(), launch.checks.get()};
}

class KernelCommand final : public ParentKernel, public SharedWork {
 public:
  KernelCommand(Queue& queue, cl_command_type type, KernelLaunch&& launch)
      : ParentKernel(queue, type, family_of(launch)),
        default_queue_(std::move(launch.default_queue)), pipes_(std::move(launch.pipes)),
        kernel_(std::move(launch), context(), launch.loaded.get(), as_parent()) {}
  KernelCommand(Command& whole, KernelLaunch&& launch)
      : ParentKernel(whole, family_of(launch)), default_queue_(std::move(launch.default_queue)),
        pipes_(std::move(launch.pipes)),
        kernel_(std::move(launch), context(), launch.loaded.get(), as_parent()) {}
  KernelCommand(ParentKernel& parent, KernelLaunch&& launch, bool has_event, bool profiling,
                DeviceQueue::Room room)
      : ParentKernel(parent, has_event, profiling, std::move(room)),
        default_queue_(std::move(launch.default_queue)), pipes_(std::move(launch.pipes)),
        kernel_(std::move(launch), context(), family().kernels, as_parent()) {}

  ~KernelCommand() override {
    if (has_run_)
      run_.~KernelRun();
  }

  static void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return block_pool::allocate(bytes, bytes - sizeof(KernelRun) - sizeof(abi::Launch));
  }
  using ParentKernel::operator delete;

  std::string_view trace_name() const noexcept override {
    return kernel_.champion().metadata->name;
  }
  bool is_large() const noexcept override { return pipes_ || kernel_.is_large(); }
  bool is_brief() const noexcept override { return !pipes_ && kernel_.is_brief(); }

  std::optional<cl_int> execute(Executor& executor) noexcept override {
    new (&run_) KernelRun;
    has_run_ = true;
    if (pipes_)
      return execute_beside(executor);
    fault_guard::prepare_thread();
    if (kernel_.profile.sums)
      profile::add_wait(kernel_.profile, waited());
    run_.give_way(executor, Event::queue()->hints().priority);
    if (run_.begin(kernel_, executor))
      return end(run_.result());
    retain(); // until participate() finds that all groups are done
    executor.share(*this, run_.threads() - 1);
    return std::nullopt;
  }

  bool has_more() const noexcept override { return run_.has_more(); }
  const Queue& queue() const noexcept override { return *Event::queue(); }
  void retain_work() noexcept override { retain(); }
  void release_work() noexcept override { release(); }

  void participate() noexcept override {
    if (!run_.take_part())
      return;
    const auto status = run_.result();
    if (pipes_)
      pipes_->end();
    if (const auto complete = end(status))
      scheduler::finished(*this, *complete);
    release();
  }

 private:
  void* as_parent() noexcept { return static_cast<ParentKernel*>(this); }

  // A kernel with pipes may poll until another command has read or written. It must not occupy the
  // threads that this command needs, nor threads that wait for something else.
  std::optional<cl_int> execute_beside(Executor& executor) noexcept {
    pipes_->begin();
    run_.begin_shared(kernel_, executor);
    retain(); // until participate() finds that all groups are done
    if (executor.share_with_auxiliary(*this, run_.threads()) == 0)
      participate();
    return std::nullopt;
  }

  const ParentRef<DeviceQueue> default_queue_; // null for children
  const std::unique_ptr<PipesInUse> pipes_;    // of the arguments; null if there are none
  bool has_run_ = false;
  const PreparedKernel kernel_;
  union { // of the thread that executes: the one that enqueues does not touch its cache lines
    KernelRun run_;
  };
};
static_assert(sizeof(KernelCommand) <= block_pool::kMaxBytes);

} // namespace

Ref<Command> make_kernel_command(Queue& queue, cl_command_type type, KernelLaunch&& launch) {
  return Ref<Command>::adopt(new (std::nothrow) KernelCommand(queue, type, std::move(launch)));
}

Ref<Command> make_part_kernel(Command& whole, KernelLaunch&& launch) {
  return Ref<Command>::adopt(new (std::nothrow) KernelCommand(whole, std::move(launch)));
}

Ref<Command> make_child_kernel(ParentKernel& parent, KernelLaunch&& launch, bool has_event,
                               bool profiling, DeviceQueue::Room room) {
  return Ref<Command>::adopt(new (std::nothrow) KernelCommand(parent, std::move(launch), has_event,
                                                              profiling, std::move(room)));
}

} // namespace heddle
