// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/command_buffer/replay_command.h"

#include "runtime/command_buffer/command_buffer.h"
#include "runtime/execution/parent_kernel.h"
#include "runtime/execution/scheduler.h"

#include <new>
#include <utility>

namespace heddle {
namespace {

// A kernel that is launched anew, and what its children are; resumes the replay when all are
// complete.
class PartCommand final : public Command {
 public:
  PartCommand(ReplayCommand& replay, Ref<ReplayState> state, std::uint32_t chain, std::uint32_t at)
      : Command(replay, replay, CL_COMMAND_NDRANGE_KERNEL, false), state_(std::move(state)),
        chain_(chain), at_(at) {}

  // Not on this thread, whose stack may have the commands of the chain before.
  std::optional<cl_int> child_finished(cl_int status) noexcept override {
    status_ = status;
    ReadyList ready;
    ready.push(Ref<Event>(this));
    scheduler::publish(ready);
    return std::nullopt;
  }
  bool always_executes() const noexcept override { return true; }
  std::optional<cl_int> execute(Executor&) noexcept override {
    state_->resume(chain_, at_, status_);
    return std::nullopt;
  }

 private:
  const Ref<ReplayState> state_;
  const std::uint32_t chain_, at_;
  cl_int status_ = CL_COMPLETE;
};

} // namespace

ReplayCommand::ReplayCommand(Queue& queue, Source&& source)
    : Command(queue, khr::kCommandBufferCommand), source_(std::move(source)) {}

ReplayCommand::~ReplayCommand() = default;

const Queue& ReplayCommand::queue_at(std::uint32_t index) const noexcept {
  const std::span own = source_.buffer->queues();
  return source_.queues.empty() ? *own[index] : *source_.queues[index];
}

std::optional<cl_int> ReplayCommand::execute(Executor& executor) noexcept {
  const auto state = source_.state;
  return state->begin(*this, executor);
}

std::optional<cl_int> ReplayCommand::run_part(std::uint32_t part, std::uint32_t chain,
                                              std::uint32_t at, Executor& executor) noexcept {
  auto whole =
      Ref<Command>::adopt(new (std::nothrow) PartCommand(*this, source_.state, chain, at + 1));
  if (!whole)
    return CL_OUT_OF_HOST_MEMORY;
  const auto kernel = make_part_kernel(*whole, std::move(source_.parts[part]));
  return kernel ? kernel->execute(executor) : CL_OUT_OF_HOST_MEMORY;
}

void ReplayCommand::end() noexcept {
  source_.state = nullptr;
  source_.versions = nullptr;
  source_.parts.clear();
  source_.buffer = nullptr;
}

} // namespace heddle
