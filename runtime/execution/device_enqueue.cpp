// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/device_enqueue.h"

#include "runtime/execution/enqueued_launch.h"
#include "runtime/execution/parent_kernel.h"
#include "runtime/execution/queue.h"
#include "runtime/execution/scheduler.h"
#include "runtime/execution/termination.h"
#include "runtime/execution/work_group_size.h"
#include "runtime/execution/worker_thread.h"

#include <algorithm>
#include <exception>
#include <span>

namespace heddle::device_enqueue {
namespace {

using abi::EnqueuedRange;
using abi::KernelQuery;
using abi::Worker;

// OpenCL C 6.15.15.6, by the names there.
enum Status : std::int32_t {
  kSuccess = 0,
  kOutOfResources = -5,
  kInvalidArgSize = -51,
  kInvalidEventWaitList = -57,
  kEventAllocationFailure = -100,
  kEnqueueFailure = -101,
  kInvalidQueue = -102,
  kInvalidNdrange = -160,
  kDeviceQueueFull = -161,
};
constexpr std::uint32_t kWaitKernel = 1, kWaitWorkGroup = 2; // CLK_ENQUEUE_FLAGS_*
constexpr std::int32_t kExecTime = 1;                        // CLK_PROFILING_COMMAND_EXEC_TIME
void* const kNullEvent = reinterpret_cast<void*>(~std::uintptr_t{0}); // CLK_NULL_EVENT

ParentKernel& caller(Worker* worker) {
  return *static_cast<ParentKernel*>(WorkerThread::of(*worker).launch().runtime);
}

unsigned units_of(ParentKernel& parent) { return parent.queue()->device().compute_units(); }

Event* find_event(const void* handle) noexcept {
  return static_cast<Event*>(handle_table::find(handle, Kind::device_event));
}

// Finishes when its dependencies are complete.
class ChildMarker final : public Command {
 public:
  ChildMarker(ParentKernel& parent, bool profiling)
      : Command(parent, parent.children_scope(), CL_COMMAND_MARKER, profiling) {}
  std::optional<cl_int> execute(Executor&) noexcept override { return CL_COMPLETE; }
  bool is_brief() const noexcept override { return true; }
};

void write_times(const Event& event, std::uint64_t* values) noexcept {
  cl_ulong started = 0, ended = 0, complete = 0;
  if (event.profiling_time(CL_PROFILING_COMMAND_START, &started) &&
      event.profiling_time(CL_PROFILING_COMMAND_END, &ended) &&
      event.profiling_time(CL_PROFILING_COMMAND_COMPLETE, &complete)) {
    values[0] = ended - started;
    values[1] = complete - started;
  }
}

// Writes the times of an event when it has finished.
class ChildCapture final : public Command {
 public:
  ChildCapture(ParentKernel& parent, Event& event, std::uint64_t* values)
      : Command(parent, parent.children_scope(), CL_COMMAND_MARKER, false), event_(&event),
        values_(values) {}
  std::optional<cl_int> execute(Executor&) noexcept override {
    write_times(*event_, values_);
    return CL_COMPLETE;
  }
  bool is_brief() const noexcept override { return true; }

 private:
  const Ref<Event> event_;
  std::uint64_t* const values_;
};

bool are_events(std::uint32_t count, void* const* waits) {
  if (count != 0 && waits == nullptr)
    return false;
  for (std::uint32_t i = 0; i < count; ++i)
    if (find_event(waits[i]) == nullptr)
      return false;
  return true;
}

// A command that was enqueued after the context had been terminated.
void end_if_terminated(Command& command) noexcept {
  if (command.context().is_terminated() && command.cancel())
    scheduler::finish_cancelled(command);
}

// Gives the command to the executor when `waits` have finished, and what `flags` say. The list may
// contain the variable that `event` points to.
std::int32_t start(Worker* worker, ParentKernel& parent, Ref<Command> command, std::uint32_t flags,
                   std::uint32_t wait_count, void* const* waits, void** event) {
  if (!command)
    return kOutOfResources;
  void* const handle = event ? command->show_to_kernel() : nullptr;
  if (event && !handle)
    return kEventAllocationFailure;
  const auto keep = command;
  try {
    if (event)
      keep_kernel_event(*command);
    command->remember();
    for (std::uint32_t i = 0; i < wait_count; ++i)
      if (auto* wait = find_event(waits[i]);
          wait && !wait->add_dependent(*command, Event::Dependency::wait_list) && wait->failed())
        command->set_dependency_failed();
  } catch (const std::exception&) {
    command->forget();
    if (event)
      drop_kernel_event(*command);
    if (event)
      command->hide_from_user();
    return kOutOfResources;
  }
  if (event)
    *event = handle;
  parent.children_scope().add_child();
  command->set_in_turn();
  switch (flags & abi::kEnqueueFlagsMask) {
  case kWaitKernel:
    parent.add_after_kernel(std::move(command));
    break;
  case kWaitWorkGroup:
    WorkerThread::of(*worker).after_groups().push(std::move(command));
    break;
  default:
    ReadyList ready;
    command->dependency_done(false, ready);
    scheduler::publish(ready);
  }
  end_if_terminated(*keep);
  return kSuccess;
}

std::int32_t try_enqueue(Worker* worker, void* queue_handle, std::uint32_t flags,
                         const EnqueuedRange* range, std::uint32_t wait_count, void* const* waits,
                         void** event, std::uint64_t kernel, const abi::BlockLiteral* literal,
                         std::uint32_t local_count, const std::uint64_t* local_sizes) {
  auto& parent = caller(worker);
  auto* queue = find<DeviceQueue>(queue_handle);
  if (!queue || &queue->context() != &parent.context() ||
      &queue->device() != &parent.queue()->device())
    return kInvalidQueue;
  if (!are_events(wait_count, waits))
    return kInvalidEventWaitList;
  const auto entry = parent.family().kernels->kernel_at(kernel);
  if (!entry.function)
    return kOutOfResources;
  const auto& metadata = *entry.metadata;
  const auto made_range =
      make_enqueued_range(*range, metadata, units_of(parent), (flags & abi::kUniformGroups) != 0);
  if (!made_range)
    return kInvalidNdrange;
  const std::span sizes(local_sizes, local_count);
  const auto local_bytes = enqueued_local_bytes(metadata, sizes);
  if (!local_bytes)
    return kInvalidArgSize;
  if (is_empty(*made_range))
    return start(worker, parent,
                 Ref<Command>::adopt(new (std::nothrow) ChildMarker(parent, queue->profiling())),
                 flags, wait_count, waits, event);
  DeviceQueue::Room room(*queue, enqueued_argument_bytes(*literal, local_count));
  if (!room)
    return kDeviceQueueFull;
  KernelLaunch launch;
  launch.arguments = make_enqueued_arguments(metadata, *literal, sizes);
  if (!launch.arguments)
    return kOutOfResources;
  launch.variant.function = entry.function;
  launch.variant.metadata = &metadata;
  launch.program_scope = parent.family().kernels->program_scope();
  launch.range = *made_range;
  launch.arguments_overlap = metadata.has_elided_copies; // captured pointers are not known
  launch.zeroes_local =
      *local_bytes != 0 && (parent.context().initialized_memory() & kInitializeLocal) != 0;
  if (parent.family().checks)
    launch.checks = parent.family().checks->for_block(metadata, launch.program_scope, sizes);
  return start(worker, parent,
               make_child_kernel(parent, std::move(launch), event != nullptr, queue->profiling(),
                                 std::move(room)),
               flags, wait_count, waits, event);
}

std::int32_t result(std::int32_t status, std::uint32_t flags) {
  return status == kSuccess || (flags & abi::kDetailedErrors) ? status : kEnqueueFailure;
}

std::int32_t enqueue(Worker* worker, void* queue, std::uint32_t flags, const EnqueuedRange* range,
                     std::uint32_t wait_count, void* const* waits, void** event,
                     std::uint64_t kernel, const abi::BlockLiteral* literal,
                     std::uint32_t local_count, const std::uint64_t* local_sizes) {
  try {
    return result(try_enqueue(worker, queue, flags, range, wait_count, waits, event, kernel,
                              literal, local_count, local_sizes),
                  flags);
  } catch (const std::exception&) {
    return result(kOutOfResources, flags);
  }
}

std::int32_t enqueue_marker(Worker* worker, std::uint32_t flags, void* queue_handle,
                            std::uint32_t wait_count, void* const* waits, void** event) {
  auto& parent = caller(worker);
  auto* queue = find<DeviceQueue>(queue_handle);
  if (!queue || &queue->context() != &parent.context() ||
      &queue->device() != &parent.queue()->device())
    return result(kInvalidQueue, flags);
  if (wait_count == 0 || !are_events(wait_count, waits))
    return result(kInvalidEventWaitList, flags);
  auto marker = Ref<Command>::adopt(new (std::nothrow) ChildMarker(parent, queue->profiling()));
  return result(start(worker, parent, std::move(marker), 0, wait_count, waits, event), flags);
}

std::uint32_t query(Worker* worker, KernelQuery query, const EnqueuedRange* range,
                    std::uint64_t kernel) {
  auto& parent = caller(worker);
  const auto entry = parent.family().kernels->kernel_at(kernel);
  if (!entry.function)
    return 0;
  const auto width = entry.metadata->vector_width;
  if (query == KernelQuery::work_group_size)
    return static_cast<std::uint32_t>(max_group_size(*entry.metadata));
  if (query == KernelQuery::preferred_work_group_size_multiple)
    return width;
  const auto made = make_enqueued_range(*range, *entry.metadata, units_of(parent), false);
  if (!made)
    return 0;
  const auto& size = made->local_size;
  const auto items = static_cast<std::uint32_t>(size[0] * size[1] * size[2]);
  return query == KernelQuery::sub_group_count ? (items + width - 1) / width
                                               : std::min(items, width);
}

void* default_queue(Worker* worker) {
  auto* queue = caller(worker).family().default_queue;
  return queue ? queue->handle() : nullptr;
}

void* create_user_event(Worker* worker) {
  const auto made = make_ref<UserEvent>(caller(worker).context(), Kind::device_event);
  void* const handle = made ? made->show_to_kernel() : nullptr;
  if (!handle)
    return kNullEvent;
  try {
    keep_kernel_event(*made);
  } catch (const std::exception&) {
    made->hide_from_user();
    return kNullEvent;
  }
  return handle;
}

void set_user_event_status(Worker*, void* handle, std::int32_t status) {
  auto* event = find_event(handle);
  if (event && event->is_user_event() && status <= CL_COMPLETE)
    (void)event->set_user_status(status);
}

void retain_event(Worker*, void* handle) {
  if (auto* event = find_event(handle))
    event->retain_user();
}

void release_event(Worker*, void* handle) {
  auto* event = find_event(handle);
  if (!event)
    return;
  const Ref<Event> keep(event);
  if (event->release_user() && event->user_references() == 0)
    drop_kernel_event(*event);
}

std::uint32_t is_valid_event(Worker*, void* handle) { return find_event(handle) ? 1 : 0; }

void capture_profiling(Worker* worker, void* handle, std::int32_t name, std::uint64_t* values) {
  auto* event = find_event(handle);
  if (!event || event->is_user_event() || name != kExecTime)
    return;
  auto& parent = caller(worker);
  auto capture = Ref<Command>::adopt(new (std::nothrow) ChildCapture(parent, *event, values));
  if (!capture)
    return;
  try {
    if (!event->add_dependent(*capture, Event::Dependency::queue_order))
      return write_times(*event, values);
    capture->remember();
  } catch (const std::exception&) {
    return;
  }
  parent.children_scope().add_child();
  capture->set_in_turn();
  ReadyList ready;
  capture->dependency_done(false, ready);
  scheduler::publish(ready);
  end_if_terminated(*capture);
}

// Of a function that kernels call.
template <auto Function>
struct Call;
template <class Answer, class... Arguments, Answer (*Function)(Worker*, Arguments...)>
struct Call<Function> {
  static Answer call(Worker* worker, Arguments... arguments) {
    const WorkerThread::RuntimeCall call;
    return Function(worker, arguments...);
  }
};

constexpr abi::DeviceQueueCalls kCalls{
    Call<enqueue>::call,           Call<enqueue_marker>::call,    Call<query>::call,
    Call<default_queue>::call,     Call<create_user_event>::call, Call<set_user_event_status>::call,
    Call<retain_event>::call,      Call<release_event>::call,     Call<is_valid_event>::call,
    Call<capture_profiling>::call,
};

} // namespace

const abi::DeviceQueueCalls& calls() noexcept { return kCalls; }

} // namespace heddle::device_enqueue
