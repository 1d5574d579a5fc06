// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/command_buffer/command_buffer.h"

#include "runtime/command_buffer/recorded_kernel.h"
#include "runtime/core/lock.h"

#include <algorithm>

namespace heddle {
namespace {

std::vector<bool> orders_of(const CommandBuffer::Queues& queues) {
  std::vector<bool> in_order;
  for (const auto& queue : queues)
    in_order.push_back(queue->in_order());
  return in_order;
}

} // namespace

CommandBuffer::CommandBuffer(Queues queues, Options options)
    : Object(Kind::command_buffer), queues_(std::move(queues)), options_(std::move(options)),
      recording_(orders_of(queues_)) {}

CommandBuffer::~CommandBuffer() = default;

// The handles of the commands are those of the command buffer's user.
void CommandBuffer::on_user_released() noexcept {
  const Lock lock(mutex_);
  for (const auto& handle : handles_)
    (void)handle->release_user();
  handles_.clear();
}

std::span<const RecordedCommand> CommandBuffer::commands() const {
  return plan_ ? plan_->commands : recording_.commands();
}

// Of a finalized buffer. Arguments that are set stay so.
cl_uint CommandBuffer::look_at_arguments() {
  std::erase_if(incomplete_, [this](std::uint32_t i) HEDDLE_REQUIRES(mutex_) {
    return plan_->commands[i].kernel->is_complete();
  });
  const auto state = incomplete_.empty() ? khr::kStateExecutable : khr::kStateFinalized;
  state_.store(state, std::memory_order_release);
  return state;
}

cl_uint CommandBuffer::state() {
  const auto known = state_.load(std::memory_order_acquire);
  if (known != khr::kStateFinalized)
    return known;
  const Lock lock(mutex_);
  return look_at_arguments();
}

cl_int CommandBuffer::check_recording(std::span<const cl_uint> sync_points) {
  const Lock lock(mutex_);
  if (plan_)
    return CL_INVALID_OPERATION;
  return recording_.are_valid(sync_points) ? CL_SUCCESS : cl_int{khr::kInvalidSyncPointWaitList};
}

Result<cl_uint> CommandBuffer::record(RecordedCommand command, std::span<const cl_uint> sync_points,
                                      void** handle) {
  const Lock lock(mutex_);
  if (plan_)
    return CL_INVALID_OPERATION;
  if (!recording_.are_valid(sync_points))
    return cl_int{khr::kInvalidSyncPointWaitList};
  const auto index = static_cast<std::uint32_t>(commands().size());
  if (index == CL_UINT_MAX - 2)
    return CL_OUT_OF_RESOURCES;
  const bool is_kernel = command.kernel != nullptr;
  void* made = nullptr;
  if (handle) {
    auto added = add_handle(index);
    if (!added)
      return added.error();
    made = *added;
  }
  cl_uint sync_point = 0;
  try {
    if (is_kernel)
      kernels_.push_back(index);
    sync_point = recording_.add(std::move(command), sync_points);
  } catch (...) {
    std::erase(kernels_, index);
    if (handle) {
      (void)handles_.back()->release_user();
      handles_.pop_back();
    }
    throw;
  }
  if (handle)
    *handle = made;
  return sync_point;
}

Result<void*> CommandBuffer::add_handle(std::uint32_t command) {
  handles_.reserve(handles_.size() + 1);
  auto made = Ref<CommandHandle>::adopt(new CommandHandle(*this, command));
  made->retain_user();
  if (void* handle = made->handle()) {
    handles_.push_back(std::move(made));
    return handle;
  }
  (void)made->release_user();
  return CL_OUT_OF_HOST_MEMORY;
}

Result<void*> CommandBuffer::make_handle(std::uint32_t command) {
  const Lock lock(mutex_);
  return add_handle(command);
}

cl_int CommandBuffer::finalize() {
  const Lock lock(mutex_);
  if (plan_)
    return CL_INVALID_OPERATION;
  make_plan();
  return CL_SUCCESS;
}

void CommandBuffer::make_plan() {
  auto plan = std::make_shared<ReplayPlan>();
  plan->graph = Graph(recording_.commands());
  for (const auto& queue : queues_) {
    auto& device = queue->device();
    auto place = std::ranges::find_if(plan->devices,
                                      [&](const auto& known) { return known.get() == &device; });
    if (place == plan->devices.end())
      place = plan->devices.insert(place, ParentRef<Device>(&device));
    plan->device_of.push_back(static_cast<std::uint32_t>(place - plan->devices.begin()));
  }
  plan->part_number.resize(recording_.commands().size());
  for (const auto i : kernels_)
    plan->has_pipes |= recording_.commands()[i].kernel->has_pipes();
  auto versions = Ref<Versions>::adopt(new Versions(0));
  std::vector<RecordedKernel::Change> changes(recording_.commands().size());
  incomplete_ = kernels_;
  plan->commands = std::move(recording_.commands());
  changes_ = std::move(changes);
  versions_ = std::move(versions);
  plan_ = std::move(plan);
  (void)look_at_arguments();
}

RecordedKernel& CommandBuffer::kernel(std::uint32_t command) {
  if (!is_recording()) // commands stay what they are
    return *plan_->commands[command].kernel;
  const Lock lock(mutex_);
  return *commands()[command].kernel;
}

cl_command_type CommandBuffer::type(std::uint32_t command) {
  const Lock lock(mutex_);
  return commands()[command].type;
}

Queue& CommandBuffer::queue_of(std::uint32_t command) {
  const Lock lock(mutex_);
  return *queues_[commands()[command].queue];
}

void CommandBuffer::set_changed(std::uint32_t command, RecordedKernel::Change change) {
  const Lock lock(mutex_);
  if (changes_[command] == RecordedKernel::Change::none)
    changed_.push_back(command);
  changes_[command] = std::max(changes_[command], change);
}

} // namespace heddle
