// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of a semaphore that other processes and objects share
// (cl_khr_external_semaphore_opaque_fd): an eventfd that counts signals.
#pragma once

#include "runtime/core/process.h"
#include "runtime/core/result.h"
#include "runtime/semaphore/payload.h"
#include "runtime/semaphore/readable_files.h"

#include <memory>

namespace heddle {

// Signals of this process are given in the order of their enqueues, also if a later one is complete
// first; then the n-th wait takes the n-th signal in another process, too. Waits without a signal
// make a thread of their own wait for the file.
//
// All payloads of one eventfd in this process are one object, as long as /proc can tell them apart.
class SharedPayload final : public Payload, public ReadableFile {
 public:
  // CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY.
  static Result<std::shared_ptr<Payload>> make() noexcept;
  // Takes the descriptor over, but not if it fails: CL_INVALID_PROPERTY if it is not that of an
  // eventfd.
  static Result<std::shared_ptr<Payload>> import(int file) noexcept;

  explicit SharedPayload(int file) noexcept : ReadableFile(file) {}
  ~SharedPayload() override;

  void add_signal(Event& command) override;
  void add_wait(const Ref<Event>& command) override;
  void end_signal(const Event& command, bool has_failed, ReadyList& ready) noexcept override;
  void end_wait(const Event& command, bool has_failed, ReadyList& ready) noexcept override;
  bool is_signaled() noexcept override;
  // A descriptor for the program, which owns it; -1 if there is none.
  int export_file() const noexcept override;

 private:
  static Result<std::shared_ptr<Payload>> adopt(int file);
  bool take() noexcept;
  void give() noexcept;
  void take_for_waits(ReadyList& ready) noexcept HEDDLE_REQUIRES(mutex_);
  bool on_readable() noexcept override;

  void leave_parent() noexcept HEDDLE_REQUIRES(mutex_);
  bool is_watched() const noexcept;
  // The generation of the process whose thread waits for the file; the next ones have no such
  // thread.
  unsigned watched_in_ = kNever;
  static constexpr unsigned kNever = ~0u;
  unsigned generation_ = process::fork_generation(); // whose commands the lists have
};

} // namespace heddle
