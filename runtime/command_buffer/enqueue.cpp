// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replays of a command buffer: what they run, and where they are enqueued.
#include "runtime/command_buffer/command_buffer.h"
#include "runtime/command_buffer/recorded_kernel.h"
#include "runtime/core/clock.h"
#include "runtime/core/lock.h"

#include <algorithm>
#include <new>
#include <optional>

namespace heddle {
namespace {

// Replays look for better units of their kernels when they have used so many times the time that
// the last look took; earlier at first, when much changes.
constexpr std::uint64_t kUsePerLook = 64;

double transfer_nanoseconds(const RecordedTransfer& transfer) {
  constexpr double kNanosecondsPerByte = 0.1;
  return 50 + kNanosecondsPerByte * static_cast<double>(transfer.bytes());
}

// Enqueues commands that hold their places in the other queues of a command buffer: a replay begins
// when all that is before it in each queue has ended.
class OtherQueues {
 public:
  // The queues of a replay; the first one is the replay's own.
  explicit OtherQueues(std::span<const ParentRef<Queue>> queues) {
    for (std::size_t i = 1; i < queues.size(); ++i)
      if (std::ranges::find(others_, queues[i].get()) == others_.end() &&
          queues[i].get() != queues[0].get())
        others_.push_back(queues[i].get());
  }
  // The events for which the replay must wait are added to `waits`.
  cl_int begin(std::vector<Event*>& waits) {
    for (auto* queue : others_) {
      auto command = nothing(*queue);
      events_.push_back(command);
      if (const auto error = queue->enqueue(std::move(command), {}, nullptr, false))
        return error;
      waits.push_back(events_.back().get());
    }
    return CL_SUCCESS;
  }
  // What is enqueued later in each queue waits for the replay, and so does clFinish.
  cl_int end(Event& replay) {
    Event* const waits[] = {&replay};
    for (auto* queue : others_)
      if (const auto error = queue->enqueue(nothing(*queue), waits, nullptr, false))
        return error;
    return CL_SUCCESS;
  }

 private:
  static Ref<Command> nothing(Queue& queue) {
    auto made = make_command(queue, CL_COMMAND_MARKER, []() -> cl_int { return CL_COMPLETE; });
    if (!made)
      throw std::bad_alloc();
    return made;
  }

  std::vector<Queue*> others_;
  std::vector<Ref<Event>> events_;
};

} // namespace

// Whether replays have used enough time for another look, or a unit is there for which kernels
// have waited.
bool CommandBuffer::is_due() const {
  const auto used = plan_->used_nanoseconds.load(std::memory_order_relaxed) - looked_at_;
  const auto per_look = std::min(kUsePerLook, std::uint64_t{1} << std::min(looks_, 6u));
  if (used >= per_look * look_nanoseconds_)
    return true;
  return has_provisional_ &&
         std::ranges::any_of(kernels_, [this](std::uint32_t i) HEDDLE_REQUIRES(mutex_) {
           return plan_->commands[i].kernel->is_superseded();
         });
}

// Makes versions of the kernels that have changed, or of all for which there is something better.
cl_int CommandBuffer::prepare_kernels(bool all) {
  using Change = RecordedKernel::Change;
  const bool is_in_use = !versions_->is_unique();
  const auto number = versions_->number() + (is_in_use ? 1 : 0);
  auto next = is_in_use ? Ref<Versions>::adopt(new Versions(number)) : nullptr;
  ReplacedVersions replaced;
  // Replays may run what is replaced, also if memory is exhausted half way.
  const auto publish = [&] {
    if (replaced.empty())
      return;
    versions_->end(next, std::move(replaced));
    versions_ = std::move(next);
  };
  try {
    for (const auto i : all ? kernels_ : changed_) {
      auto& kernel = *plan_->commands[i].kernel;
      const bool must_be_new = !kernel.is_prepared() || changes_[i] != Change::none;
      const auto change = all && must_be_new ? Change::all : changes_[i];
      const auto error = kernel.prepare(number, change, is_in_use, replaced);
      if (error && must_be_new) { // otherwise it goes on in the unit that it has
        publish();
        return error;
      }
    }
  } catch (...) {
    publish();
    throw;
  }
  publish();
  return CL_SUCCESS;
}

cl_int CommandBuffer::prepare() {
  const bool looks = !is_prepared_ || is_due();
  if (!looks && changed_.empty())
    return CL_SUCCESS;
  const auto began_at = looks ? monotonic_nanoseconds() : 0;
  if (const auto error = prepare_kernels(looks))
    return error;
  for (const auto i : changed_)
    changes_[i] = RecordedKernel::Change::none;
  changed_.clear();
  if (!looks)
    return CL_SUCCESS;
  if (!is_prepared_)
    for (const auto i : kernels_)
      if (plan_->commands[i].kernel->is_launched()) {
        plan_->part_number[i] = static_cast<std::uint32_t>(parts_.size());
        parts_.push_back(i);
      }
  is_prepared_ = true;
  has_provisional_ = std::ranges::any_of(kernels_, [this](std::uint32_t i) HEDDLE_REQUIRES(mutex_) {
    return plan_->commands[i].kernel->is_provisional();
  });
  estimate();
  looked_at_ = plan_->used_nanoseconds.load(std::memory_order_relaxed);
  look_nanoseconds_ = monotonic_nanoseconds() - began_at;
  ++looks_;
  return CL_SUCCESS;
}

void CommandBuffer::estimate() {
  double nanoseconds = 0;
  is_brief_ = parts_.empty() && !plan_->has_pipes;
  for (const auto& command : plan_->commands) {
    const auto* kernel = command.kernel ? command.kernel->newest().kernel : nullptr;
    if (command.transfer)
      nanoseconds += transfer_nanoseconds(*command.transfer);
    else if (kernel)
      nanoseconds += kernel->expected_nanoseconds();
    is_brief_ &= !command.kernel || (kernel && kernel->is_brief());
  }
  is_brief_ &= nanoseconds < PreparedKernel::kBriefNanoseconds;
  const auto chains = std::max<std::size_t>(1, plan_->graph.chains().size());
  plan_->chain_nanoseconds.store(nanoseconds / static_cast<double>(chains),
                                 std::memory_order_relaxed);
}

cl_int CommandBuffer::capture_parts(std::vector<KernelLaunch>& parts) {
  for (const auto i : parts_)
    if (const auto error = plan_->commands[i].kernel->capture(parts.emplace_back()))
      return error;
  return CL_SUCCESS;
}

// The replays of one in-order queue run one after the other.
Ref<ReplayState> CommandBuffer::state_for(Queue& queue) {
  if (recent_queue_ == &queue && queue.in_order())
    return recent_state_;
  recent_state_ = nullptr; // keeps none from being free
  auto free = std::ranges::find_if(states_, [](const auto& state) { return state->is_unique(); });
  if (free == states_.end())
    free = states_.insert(free, Ref<ReplayState>::adopt(new ReplayState(plan_)));
  return *free;
}

cl_int CommandBuffer::enqueue(std::span<Queue* const> queues, std::span<Event* const> waits,
                              cl_event* event) {
  ReplayCommand::Source source;
  Queue* first = nullptr;
  {
    const Lock lock(mutex_);
    if (const auto error = prepare())
      return error;
    if (const auto error = capture_parts(source.parts))
      return error;
    for (auto* queue : queues)
      source.queues.emplace_back(queue);
    first = queues.empty() ? queues_.front().get() : queues.front();
    source.has_one_queue = queues_.size() == 1;
    source.state = state_for(*first);
    if (recent_queue_ != first || recent_state_ != source.state) {
      recent_queue_ = first;
      recent_state_ = source.state;
    }
    source.versions = versions_;
    source.buffer = Ref<CommandBuffer>(this);
    source.expected_nanoseconds = plan_->chain_nanoseconds.load(std::memory_order_relaxed) *
                                  static_cast<double>(plan_->graph.chains().size());
    source.is_brief = is_brief_;
  }
  if (source.has_one_queue) {
    auto command = Ref<Command>::adopt(new (std::nothrow) ReplayCommand(*first, std::move(source)));
    return first->enqueue(std::move(command), waits, event, false);
  }
  const Ref<CommandBuffer> keep(this);
  const auto substitutes = source.queues;
  OtherQueues others(substitutes.empty() ? std::span(queues_) : std::span(substitutes));
  std::vector<Event*> all(waits.begin(), waits.end());
  if (const auto error = others.begin(all))
    return error;
  auto command = Ref<Command>::adopt(new (std::nothrow) ReplayCommand(*first, std::move(source)));
  if (!command)
    return CL_OUT_OF_HOST_MEMORY;
  const Ref<Event> replay(command.get());
  if (const auto error = first->enqueue(std::move(command), all, event, false))
    return error;
  std::optional<cl_int> error;
  try {
    error = others.end(*replay);
  } catch (const std::bad_alloc&) {
    error = CL_OUT_OF_HOST_MEMORY;
  }
  if (*error) // nothing that follows may overtake the replay
    replay->wait();
  return CL_SUCCESS;
}

} // namespace heddle
