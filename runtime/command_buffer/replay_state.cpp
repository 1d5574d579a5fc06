// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/command_buffer/replay_state.h"

#include "runtime/command_buffer/recorded_kernel.h"
#include "runtime/command_buffer/replay_command.h"
#include "runtime/core/clock.h"
#include "runtime/execution/device_executor.h"
#include "runtime/execution/fault_guard.h"
#include "runtime/execution/queue.h"
#include "runtime/execution/scheduler.h"
#include "runtime/target/instructions.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <exception>
#include <thread>

namespace heddle {
namespace {

// Independent chains run on several threads if an average one and all together take so long:
// taking one costs 0.1 us, and waking a thread several.
constexpr double kLeastChainNanoseconds = 1'000;
constexpr double kLeastParallelNanoseconds = 10'000;
// Of replays that take less, one of so many is measured.
constexpr unsigned kShortPerMeasurement = 16;
// A thread takes several chains at once that take less.
constexpr double kChainsNanoseconds = 5'000;

// Until a condition holds that other threads are about to fulfill.
template <class Condition>
void spin_until(Condition condition) noexcept {
  constexpr unsigned kLooks = 200;
  for (unsigned i = 0; !condition(); ++i) {
    if (i < kLooks)
      spin_pause();
    else
      std::this_thread::yield();
  }
}

} // namespace

ReplayState::ReplayState(std::shared_ptr<const ReplayPlan> plan)
    : Object(Kind::dead), kept_plan_(std::move(plan)), plan_(*kept_plan_),
      executors_(plan_.devices.size()), waiting_for_(plan_.graph.chains().size()) {
  std::size_t units = 0;
  for (std::uint32_t i = 0; i < plan_.devices.size(); ++i) {
    units += plan_.devices[i]->compute_units();
    ready_.push_back(std::make_unique<ReadyChains>(*this, i, waiting_for_.size()));
  }
  // A thread has one at a time; those of the commands before may still be left by others.
  for (std::size_t i = 0; i < 2 * units + 2; ++i)
    steps_.push_back(std::make_unique<SharedStep>(*this));
}

ReplayState::~ReplayState() = default;

// Of the first queue of each device; of the first queue of all it is known. False without memory or
// threads for a new one, in a forked child.
bool ReplayState::find_executors(const ReplayCommand& command, Executor& first) noexcept try {
  std::ranges::fill(executors_, nullptr);
  executors_[plan_.device_of[0]] = &first;
  for (std::uint32_t queue = 1; queue < plan_.device_of.size(); ++queue)
    if (auto& executor = executors_[plan_.device_of[queue]]; !executor)
      executor = &heddle::executor_of(command.queue_at(queue));
  return true;
} catch (const std::exception&) {
  return false;
}

void ReplayState::fail(cl_int error) noexcept {
  cl_int none = CL_COMPLETE;
  error_.compare_exchange_strong(none, error, std::memory_order_relaxed);
}

// Threads of the replay before, which have found that nothing is left.
void ReplayState::await_others() const noexcept {
  spin_until([this] { return inside_.load(std::memory_order_acquire) == 0; });
}

bool ReplayState::is_parallel(const Executor& executor) const noexcept {
  if (plan_.devices.size() > 1 || plan_.has_pipes)
    return true;
  const auto chains = plan_.graph.chains().size();
  const auto nanoseconds = plan_.chain_nanoseconds.load(std::memory_order_relaxed);
  return chains > 1 && executor.units() > 1 && nanoseconds >= kLeastChainNanoseconds &&
         expected_nanoseconds() >= kLeastParallelNanoseconds;
}

double ReplayState::expected_nanoseconds() const noexcept {
  return plan_.chain_nanoseconds.load(std::memory_order_relaxed) *
         static_cast<double>(plan_.graph.chains().size());
}

std::optional<cl_int> ReplayState::begin(ReplayCommand& command, Executor& executor) noexcept {
  await_others();
  if (plan_.commands.empty()) {
    command.end();
    return CL_COMPLETE;
  }
  if (!find_executors(command, executor)) {
    command.end();
    return CL_OUT_OF_RESOURCES;
  }
  inside_.store(1, std::memory_order_relaxed);
  error_.store(CL_COMPLETE, std::memory_order_relaxed);
  command_ = Ref<ReplayCommand>(&command);
  context_ = &command.context();
  versions_ = &command.versions();
  const bool is_short = expected_nanoseconds() < kLeastParallelNanoseconds;
  stands_for_ = !is_short                                      ? 1
                : ++short_replays_ % kShortPerMeasurement == 0 ? kShortPerMeasurement
                                                               : 0;
  if (stands_for_ != 0)
    began_at_ = monotonic_nanoseconds();
  is_serial_ = !is_parallel(executor);
  Worker worker{plan_.device_of[0], executor};
  if (is_serial_) {
    left_.store(1, std::memory_order_relaxed);
    run_from(worker, kAll, 0);
  } else {
    begin_parallel(worker);
    work_ready(worker);
  }
  return leave(worker);
}

void ReplayState::begin_parallel(Worker& worker) noexcept {
  const auto chains = plan_.graph.chains();
  left_.store(static_cast<std::uint32_t>(chains.size()), std::memory_order_relaxed);
  for (std::uint32_t queue = 0; queue < plan_.device_of.size(); ++queue)
    ready_[plan_.device_of[queue]]->reset(command_->queue_at(queue));
  for (std::uint32_t i = 0; i < chains.size(); ++i) {
    waiting_for_[i].store(chains[i].waits, std::memory_order_relaxed);
    if (chains[i].waits == 0)
      ready_[device_of(i)]->add(i);
  }
  for (std::uint32_t device = 0; device < ready_.size(); ++device) {
    const auto count = ready_[device]->count();
    auto& executor = executor_of(device);
    const std::uint32_t others = device == worker.device ? 1 : 0;
    if (count > others)
      executor.offer(*ready_[device], std::min(count, executor.units()) - others);
  }
}

void ReplayState::resume(std::uint32_t chain, std::uint32_t at, cl_int status) noexcept {
  if (status < 0)
    fail(status);
  inside_.fetch_add(1, std::memory_order_relaxed);
  const auto device = device_of(chain);
  Worker worker{device, executor_of(device)};
  run_from(worker, chain, at);
  if (!is_serial_ && !worker.has_ended)
    work_ready(worker);
  finish(worker);
}

void ReplayState::finish(Worker& worker) noexcept {
  const auto command = worker.has_ended ? command_ : nullptr;
  if (const auto status = leave(worker))
    scheduler::finished(*command, *status);
}

// The thread does no more for the replay. The status if it has ended it.
std::optional<cl_int> ReplayState::leave(Worker& worker) noexcept {
  if (worker.step)
    worker.step->release();
  if (!worker.has_ended) {
    inside_.fetch_sub(1, std::memory_order_release);
    return std::nullopt;
  }
  if (!is_serial_)
    for (std::uint32_t device = 0; device < ready_.size(); ++device)
      executor_of(device).withdraw(*ready_[device]);
  const auto status = error_.load(std::memory_order_relaxed);
  const auto command = std::move(command_);
  if (stands_for_ != 0)
    plan_.used_nanoseconds.fetch_add((monotonic_nanoseconds() - began_at_) * stands_for_,
                                     std::memory_order_relaxed);
  inside_.fetch_sub(1, std::memory_order_release);
  command->end();
  return status;
}

void ReplayState::work_ready(Worker& worker) noexcept {
  auto& ready = *ready_[worker.device];
  const auto nanoseconds = std::max(1.0, plan_.chain_nanoseconds.load(std::memory_order_relaxed));
  const auto most = static_cast<std::uint32_t>(std::max(1.0, kChainsNanoseconds / nanoseconds));
  std::uint32_t position = 0;
  for (;;) {
    const auto share = ready.count() / (2 * worker.executor.units());
    const auto taken = ready.take(std::clamp(share, 1u, most), position);
    if (taken == 0)
      return;
    for (std::uint32_t i = 0; i < taken; ++i) {
      const auto chain = ready.at(position + i);
      run_from(worker, chain, begin_of(chain));
    }
    if (worker.has_ended)
      return;
  }
}

// Runs a chain from this place on, and chains that are ready then, one after the other.
void ReplayState::run_from(Worker& worker, std::uint32_t chain, std::uint32_t at) noexcept {
  fault_guard::prepare_thread();
  while (run_commands(worker, chain, at)) {
    chain = end_chain(worker, chain);
    if (chain == kNone)
      return;
    at = begin_of(chain);
  }
}

// False if another thread continues the chain. After a failure, no command runs any more.
bool ReplayState::run_commands(Worker& worker, std::uint32_t chain, std::uint32_t at) noexcept {
  const auto end = end_of(chain);
  const auto prefetch = [&](unsigned ahead) {
    if (end - at > ahead)
      if (const auto* kernel = plan_.commands[command_at(at + ahead)].kernel.get())
        kernel->prefetch(ahead);
  };
  for (; at != end && !failed(); ++at) {
    prefetch(3);
    prefetch(2);
    prefetch(1);
    if (context_->is_terminated()) {
      fail(CL_CONTEXT_TERMINATED_KHR);
      break;
    }
    const auto& command = plan_.commands[command_at(at)];
    if (command.kernel) {
      if (!run_kernel(worker, *command.kernel, chain, at))
        return false;
    } else if (command.transfer && !run_transfer(worker, *command.transfer, chain, at)) {
      return false;
    }
  }
  return true;
}

bool ReplayState::run_kernel(Worker& worker, const RecordedKernel& kernel, std::uint32_t chain,
                             std::uint32_t at) noexcept {
  if (kernel.is_launched()) {
    const auto part = plan_.part_number[command_at(at)];
    const auto status = command_->run_part(part, chain, at, worker.executor);
    if (status && *status < 0)
      fail(*status);
    return status.has_value();
  }
  const auto& version = versions_->of(kernel);
  if (!version.kernel)
    return true;
  auto& own = step(worker);
  if (!own.begin(version, worker.executor, others_are_busy(worker)))
    return run_shared(worker, chain, at);
  if (const auto status = own.result(); status < 0)
    fail(status);
  return true;
}

bool ReplayState::run_transfer(Worker& worker, RecordedTransfer& transfer, std::uint32_t chain,
                               std::uint32_t at) noexcept {
  if (transfer.is_in_one_piece() || worker.executor.units() == 1) {
    if (const auto status = transfer.run(0, transfer.bytes()); status < 0)
      fail(status);
    return true;
  }
  step(worker).begin(transfer, worker.executor);
  return run_shared(worker, chain, at);
}

bool ReplayState::run_shared(Worker& worker, std::uint32_t chain, std::uint32_t at) noexcept {
  auto& shared = *std::exchange(worker.step, nullptr);
  if (!shared.share({chain, at, &queue_of(chain)}, worker.executor, !others_are_busy(worker)))
    return false;
  if (const auto status = shared.result(); status < 0)
    fail(status);
  shared.release();
  return true;
}

// Whether the device's threads have chains of their own.
bool ReplayState::others_are_busy(const Worker& worker) const noexcept {
  return !is_serial_ && (ready_[worker.device]->count() != 0 ||
                         inside_.load(std::memory_order_relaxed) >= worker.executor.units());
}

// The thread's own one, with nothing left in it of another command that was shared.
SharedStep& ReplayState::step(Worker& worker) noexcept {
  if (!worker.step)
    spin_until([&] {
      const auto free =
          std::ranges::find_if(steps_, [](const auto& step) { return step->acquire(); });
      worker.step = free == steps_.end() ? nullptr : free->get();
      return worker.step != nullptr;
    });
  return *worker.step;
}

// Lets chains begin that waited for this one alone. Returns one for this thread, or kNone.
std::uint32_t ReplayState::end_chain(Worker& worker, std::uint32_t chain) noexcept {
  auto next = kNone;
  if (chain != kAll) {
    const auto& ended = plan_.graph.chains()[chain];
    bool has_added = false;
    for (const auto other : plan_.graph.successors(ended)) {
      if (waiting_for_[other].fetch_sub(1, std::memory_order_acq_rel) != 1)
        continue;
      const auto device = device_of(other);
      if (next == kNone && device == worker.device) {
        next = other;
        continue;
      }
      ready_[device]->add(other);
      has_added = true;
    }
    for (std::uint32_t device = 0; has_added && device < ready_.size(); ++device) {
      const auto count = ready_[device]->count();
      if (count == 0)
        continue;
      auto& executor = executor_of(device);
      executor.offer(*ready_[device], std::min(count, executor.units()));
    }
  }
  worker.has_ended = left_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  return next;
}

std::uint32_t ReplayState::begin_of(std::uint32_t chain) const noexcept {
  return chain == kAll ? 0 : plan_.graph.chains()[chain].begin;
}

std::uint32_t ReplayState::end_of(std::uint32_t chain) const noexcept {
  return chain == kAll ? static_cast<std::uint32_t>(plan_.commands.size())
                       : plan_.graph.chains()[chain].end;
}

// The order in which commands were recorded is one that keeps what each waits for.
std::uint32_t ReplayState::command_at(std::uint32_t at) const noexcept {
  return is_serial_ ? at : plan_.graph.order()[at];
}

std::uint32_t ReplayState::device_of(std::uint32_t chain) const noexcept {
  return plan_.device_of[chain == kAll ? 0 : plan_.graph.chains()[chain].queue];
}

const Queue& ReplayState::queue_of(std::uint32_t chain) const noexcept {
  return command_->queue_at(chain == kAll ? 0 : plan_.graph.chains()[chain].queue);
}

} // namespace heddle
