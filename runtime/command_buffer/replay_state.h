// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one replay of a command buffer changes: which chains are ready, and the commands whose
// pieces several threads share. Used for one replay after the other; those that may run at the same
// time have one each.
//
// A replay allocates nothing, and takes no lock for a command that one thread runs alone. The
// executor's lock is taken when commands or chains are offered to other threads.
#pragma once

#include "runtime/command_buffer/graph.h"
#include "runtime/command_buffer/shared_step.h"
#include "runtime/core/object.h"
#include "runtime/execution/executor.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace heddle {

class ReplayCommand;
class Versions;

// What replays of a finalized buffer have in common.
struct ReplayPlan {
  std::vector<RecordedCommand> commands;
  Graph graph;
  std::vector<ParentRef<Device>> devices; // of all queues, none twice
  std::vector<std::uint32_t> device_of;   // by queue
  std::vector<std::uint32_t> part_number; // by command: of kernels that are launched anew
  bool has_pipes = false;                 // kernels may wait for others of the buffer
  // Estimates, which the command buffer updates.
  std::atomic<double> chain_nanoseconds{0};               // of an average chain
  mutable std::atomic<std::uint64_t> used_nanoseconds{0}; // of all replays
};

class ReplayState final : public Object {
 public:
  // Throws std::bad_alloc and what making threads throws.
  explicit ReplayState(std::shared_ptr<const ReplayPlan> plan);
  ~ReplayState() override;

  // Begins a replay. Its status if it has ended; otherwise the thread that ends it calls
  // scheduler::finished(), and the state keeps the command until then.
  std::optional<cl_int> begin(ReplayCommand& command, Executor& executor) noexcept;
  // Continues a chain at a place, when the command before it has ended with this status. Called by
  // threads of the chain's executor that are not in begin().
  void resume(std::uint32_t chain, std::uint32_t at, cl_int status) noexcept;

 private:
  // The chains of one device that are ready, for threads that look for work. Each chain is added
  // once.
  class ReadyChains final : public SharedWork {
   public:
    ReadyChains(ReplayState& state, std::uint32_t device, std::size_t most);
    void reset(const Queue& queue) noexcept;
    void add(std::uint32_t chain) noexcept;
    // Takes up to `most`, whose positions begin at `position`. Returns how many.
    std::uint32_t take(std::uint32_t most, std::uint32_t& position) noexcept;
    std::uint32_t at(std::uint32_t position) const noexcept;
    std::uint32_t count() const noexcept;
    bool has_more() const noexcept override { return count() != 0; }
    void participate() noexcept override;
    const Queue& queue() const noexcept override { return *queue_; }
    void retain_work() noexcept override;
    void release_work() noexcept override { state_.release(); }

   private:
    ReplayState& state_;
    const std::uint32_t device_;
    const Queue* queue_ = nullptr;                   // of the replay; its address alone is used
    std::vector<std::atomic<std::uint32_t>> chains_; // plus one; 0: not added yet (release)
    alignas(64) std::atomic<std::uint32_t> taken_{0};
    alignas(64) std::atomic<std::uint32_t> added_{0};
  };

  // What a thread has while it works for the replay.
  struct Worker {
    std::uint32_t device;
    Executor& executor;
    SharedStep* step = nullptr; // in use by this thread
    bool has_ended = false;     // this thread has ended the replay
  };

  void await_others() const noexcept;
  bool is_parallel(const Executor& executor) const noexcept;
  void begin_parallel(Worker& worker) noexcept;
  void work_ready(Worker& worker) noexcept;
  void run_from(Worker& worker, std::uint32_t chain, std::uint32_t at) noexcept;
  bool run_commands(Worker& worker, std::uint32_t chain, std::uint32_t at) noexcept;
  bool run_kernel(Worker& worker, const RecordedKernel& kernel, std::uint32_t chain,
                  std::uint32_t at) noexcept;
  bool run_transfer(Worker& worker, RecordedTransfer& transfer, std::uint32_t chain,
                    std::uint32_t at) noexcept;
  bool run_shared(Worker& worker, std::uint32_t chain, std::uint32_t at) noexcept;
  bool others_are_busy(const Worker& worker) const noexcept;
  std::uint32_t end_chain(Worker& worker, std::uint32_t chain) noexcept;
  SharedStep& step(Worker& worker) noexcept;
  std::uint32_t begin_of(std::uint32_t chain) const noexcept;
  std::uint32_t end_of(std::uint32_t chain) const noexcept;
  // The command at a place of the order in which the replay runs them.
  std::uint32_t command_at(std::uint32_t at) const noexcept;
  std::uint32_t device_of(std::uint32_t chain) const noexcept;
  void finish(Worker& worker) noexcept;
  std::optional<cl_int> leave(Worker& worker) noexcept;
  bool failed() const noexcept { return error_.load(std::memory_order_relaxed) != CL_COMPLETE; }
  void fail(cl_int error) noexcept;
  bool find_executors(const ReplayCommand& command, Executor& first) noexcept;
  double expected_nanoseconds() const noexcept;
  Executor& executor_of(std::uint32_t device) noexcept { return *executors_[device]; }
  const Queue& queue_of(std::uint32_t chain) const noexcept;

  static constexpr std::uint32_t kNone = UINT32_MAX;
  static constexpr std::uint32_t kAll = kNone - 1; // all commands as one chain

  const std::shared_ptr<const ReplayPlan> kept_plan_;
  const ReplayPlan& plan_;
  std::vector<Executor*> executors_; // by device: of the replay's queues
  Ref<ReplayCommand> command_;
  const Context* context_ = nullptr;   // of the command
  const Versions* versions_ = nullptr; // of the command
  std::uint64_t began_at_ = 0;
  unsigned short_replays_ = 0;
  unsigned stands_for_ = 0; // how many replays the time of this one stands for; 0: not measured
  bool is_serial_ = false;
  std::atomic<cl_int> error_{CL_COMPLETE};
  std::vector<std::atomic<std::uint32_t>> waiting_for_; // by chain
  std::atomic<std::uint32_t> left_{0};              // chains that have not ended (acquire-release)
  std::atomic<std::uint32_t> inside_{0};            // threads that access this (release to leave)
  std::vector<std::unique_ptr<ReadyChains>> ready_; // by device
  std::vector<std::unique_ptr<SharedStep>> steps_;
};

} // namespace heddle
