// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of a semaphore that was made from a sync file
// (cl_khr_external_semaphore_sync_fd): a fence of a driver in the operating system's kernel, such
// as that of a graphics processor.
#pragma once

#include "runtime/core/result.h"
#include "runtime/semaphore/payload.h"
#include "runtime/semaphore/readable_files.h"

#include <memory>

namespace heddle {

// The first signal is given when the fence is signaled, also if its work failed; later ones are
// those of commands. A thread waits for the file as long as a command does.
class SyncFilePayload final : public Payload, public ReadableFile {
 public:
  // Takes the descriptor over, but not if it fails: CL_INVALID_PROPERTY if it is not that of a sync
  // file; CL_OUT_OF_HOST_MEMORY. -1 is a fence that has been signaled.
  static Result<std::shared_ptr<Payload>> import(int file) noexcept;

  // Any file that can be read from the signal on.
  explicit SyncFilePayload(int file);
  ~SyncFilePayload() override;

  void add_wait(const Ref<Event>& command) override;
  bool is_signaled() noexcept override;

 private:
  bool on_readable() noexcept override;
  void look(ReadyList& ready) noexcept HEDDLE_REQUIRES(mutex_);

  bool is_pending_ = true; // the fence has not been seen signaled
  // The generation of the process whose thread waits for the file.
  unsigned watched_in_ = kNever;
  static constexpr unsigned kNever = ~0u;
};

} // namespace heddle
