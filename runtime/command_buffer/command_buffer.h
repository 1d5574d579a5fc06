// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_command_buffer_khr (cl_khr_command_buffer 1.0.0): commands that are recorded once and replayed
// (README.md).
#pragma once

#include "runtime/command_buffer/recording.h"
#include "runtime/command_buffer/replay_command.h"
#include "runtime/context/context.h"
#include "runtime/core/lock.h"
#include "runtime/core/result.h"
#include "runtime/execution/queue.h"

#include <CL/cl.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace heddle {

class CommandBuffer;

// cl_mutable_command_khr: a recorded kernel. Valid as long as the user has the command buffer.
class CommandHandle final : public Object {
 public:
  static constexpr Kind kKind = Kind::recorded_command;
  CommandHandle(CommandBuffer& buffer, std::uint32_t index)
      : Object(Kind::recorded_command), buffer_(buffer), index_(index) {}
  CommandBuffer& buffer() const { return buffer_; }
  std::uint32_t index() const { return index_; }

 private:
  CommandBuffer& buffer_; // keeps this
  const std::uint32_t index_;
};

class CommandBuffer final : public Object {
 public:
  static constexpr Kind kKind = Kind::command_buffer;
  using Queues = std::vector<ParentRef<Queue>>;
  struct Options {
    cl_bitfield flags = 0;
    cl_bitfield asserts = 0;
    std::vector<khr::Properties> properties; // with the terminating zero; empty if none were given
  };

  // The queues are of one context. Throws std::bad_alloc.
  CommandBuffer(Queues queues, Options options);

  Context& context() const { return queues_.front()->context(); }
  std::span<const ParentRef<Queue>> queues() const { return queues_; }
  const Options& options() const { return options_; }
  bool is_mutable() const { return options_.flags & khr::kMutable; }
  cl_uint state();
  bool is_recording() const noexcept {
    return state_.load(std::memory_order_acquire) == khr::kStateRecording;
  }

  // The functions below are thread-safe, and throw std::bad_alloc.

  // CL_INVALID_OPERATION unless recording; CL_INVALID_SYNC_POINT_WAIT_LIST_KHR.
  cl_int check_recording(std::span<const cl_uint> sync_points);
  // Records a command, which waits for these. `handle`, if not null, becomes its handle. Returns
  // the sync-point. The errors of check_recording().
  Result<cl_uint> record(RecordedCommand command, std::span<const cl_uint> sync_points,
                         void** handle);
  // CL_INVALID_OPERATION unless recording.
  cl_int finalize();
  // Of an executable buffer. `queues`: in place of those that it was created with, or empty. The
  // errors of Queue::enqueue(), and of launches.
  cl_int enqueue(std::span<Queue* const> queues, std::span<Event* const> waits, cl_event* event);

  // The recorded kernel of a handle of this command buffer.
  RecordedKernel& kernel(std::uint32_t command) HEDDLE_NOT_ANALYZED; // plans stay as they are
  cl_command_type type(std::uint32_t command);
  Queue& queue_of(std::uint32_t command);
  // Arguments or sizes of a recorded kernel have changed for replays that are enqueued from now on.
  // Not before finalize().
  void set_changed(std::uint32_t command, RecordedKernel::Change change);

  // A copy for other queues (clRemapCommandBufferKHR): `queue_of` is the new queue of each queue,
  // or empty: then commands are distributed. CL_INVALID_PROGRAM_EXECUTABLE and other errors of
  // launches if a kernel cannot run on a new device.
  Result<Ref<CommandBuffer>> remap(Queues queues,
                                   bool is_automatic) HEDDLE_NOT_ANALYZED; // the copy is its own
  // Makes a handle for a command.
  Result<void*> make_handle(std::uint32_t command);

 private:
  ~CommandBuffer() override;
  void on_user_released() noexcept override;

  // With mutex_ held, as all below.
  Result<void*> add_handle(std::uint32_t command) HEDDLE_REQUIRES(mutex_);
  cl_uint look_at_arguments() HEDDLE_REQUIRES(mutex_);
  void make_plan() HEDDLE_REQUIRES(mutex_);
  bool is_due() const HEDDLE_REQUIRES(mutex_);
  cl_int prepare() HEDDLE_REQUIRES(mutex_);
  cl_int prepare_kernels(bool all) HEDDLE_REQUIRES(mutex_);
  void estimate() HEDDLE_REQUIRES(mutex_);
  cl_int capture_parts(std::vector<KernelLaunch>& parts) HEDDLE_REQUIRES(mutex_);
  Ref<ReplayState> state_for(Queue& queue) HEDDLE_REQUIRES(mutex_);
  std::span<const RecordedCommand> commands() const HEDDLE_REQUIRES(mutex_);

  const Queues queues_;
  const Options options_;
  SleepingMutex mutex_;
  std::atomic<cl_uint> state_{khr::kStateRecording}; // finalized: arguments lacked at the last look
  Recording recording_ HEDDLE_GUARDED_BY(mutex_);    // empty behind finalize()
  std::vector<Ref<CommandHandle>> handles_ HEDDLE_GUARDED_BY(mutex_);
  std::shared_ptr<ReplayPlan> plan_ HEDDLE_GUARDED_BY(mutex_);   // null: recording
  std::vector<std::uint32_t> kernels_ HEDDLE_GUARDED_BY(mutex_); // commands
  // Kernels that lacked arguments at the last look.
  std::vector<std::uint32_t> incomplete_ HEDDLE_GUARDED_BY(mutex_);
  std::vector<std::uint32_t> parts_ HEDDLE_GUARDED_BY(mutex_); // kernels that are launched anew
  // Kernels that have changed since prepare().
  std::vector<std::uint32_t> changed_ HEDDLE_GUARDED_BY(mutex_);
  std::vector<RecordedKernel::Change> changes_ HEDDLE_GUARDED_BY(mutex_); // by command
  bool is_prepared_ HEDDLE_GUARDED_BY(mutex_) = false;
  bool is_brief_ HEDDLE_GUARDED_BY(mutex_) = false; // replays are: see Command::is_brief()
  // Kernels for which better units are being built.
  bool has_provisional_ HEDDLE_GUARDED_BY(mutex_) = false;
  Ref<Versions> versions_;
  std::uint64_t looked_at_ = 0;        // used nanoseconds at the last look for better units
  std::uint64_t look_nanoseconds_ = 0; // and how long that took
  unsigned looks_ = 0;
  std::vector<Ref<ReplayState>> states_;
  Queue* recent_queue_ = nullptr; // of the last replay; its address alone is used
  Ref<ReplayState> recent_state_;
};

} // namespace heddle
