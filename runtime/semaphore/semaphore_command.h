// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands of clEnqueueWaitSemaphoresKHR and clEnqueueSignalSemaphoresKHR.
#pragma once

#include "runtime/execution/queue.h"
#include "runtime/semaphore/semaphore.h"

#include <CL/cl.h>

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

// Waits for the semaphores like for events, and then takes their signals, or signals them. A
// semaphore that is there twice takes part twice.
class SemaphoreCommand final : public Command {
 public:
  enum class Action : std::uint8_t { wait, signal };

  // The arguments are validated. CL_OUT_OF_HOST_MEMORY; may throw std::exception
  // (CL_OUT_OF_RESOURCES). Never blocks.
  static cl_int enqueue(Queue& queue, Action action, std::span<Semaphore* const> semaphores,
                        std::span<Event* const> waits, cl_event* event);

  std::optional<cl_int> execute(Executor&) noexcept override { return CL_COMPLETE; }
  bool is_brief() const noexcept override { return true; }

 private:
  using Payloads = std::vector<std::shared_ptr<Payload>>;
  SemaphoreCommand(Queue& queue, Action action, Payloads payloads) noexcept;
  void add();
  void end(std::size_t count, bool has_failed, ReadyList& ready) noexcept;
  void ending(cl_int status, ReadyList& ready) noexcept override {
    end(payloads_.size(), status < 0, ready);
  }

  const Action action_;
  const Payloads payloads_;
};

} // namespace heddle
