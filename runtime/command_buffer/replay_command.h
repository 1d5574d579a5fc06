// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command of clEnqueueCommandBufferKHR.
#pragma once

#include "runtime/command_buffer/replay_state.h"
#include "runtime/command_buffer/versions.h"
#include "runtime/execution/command.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace heddle {

class CommandBuffer;

class ReplayCommand final : public Command {
 public:
  // What a replay needs of its command buffer, which is kept until it has ended.
  struct Source {
    Ref<CommandBuffer> buffer;
    Ref<ReplayState> state;
    Ref<Versions> versions;
    // In place of those of the command buffer, in its order; empty: those.
    std::vector<ParentRef<Queue>> queues;
    std::vector<KernelLaunch> parts; // of kernels that are launched anew
    bool has_one_queue = false;
    double expected_nanoseconds = 0;
    bool is_brief = false;
  };
  ReplayCommand(Queue& queue, Source&& source);
  ~ReplayCommand() override;

  std::optional<cl_int> execute(Executor& executor) noexcept override;
  bool is_large() const noexcept override {
    return source_.expected_nanoseconds > PreparedKernel::kSerialNanoseconds;
  }
  bool is_brief() const noexcept override { return source_.is_brief; }
  Queue* reported_queue() const noexcept override {
    return source_.has_one_queue ? queue() : nullptr;
  }

  // For the state.
  const Versions& versions() const noexcept { return *source_.versions; }
  const Queue& queue_at(std::uint32_t index) const noexcept;
  // Runs a kernel that is launched anew. Its status if it has ended; otherwise the chain is resumed
  // behind `at` when it has.
  std::optional<cl_int> run_part(std::uint32_t part, std::uint32_t chain, std::uint32_t at,
                                 Executor& executor) noexcept;
  // The replay has ended, and is about to be complete.
  void end() noexcept;

 private:
  Source source_;
};

} // namespace heddle
