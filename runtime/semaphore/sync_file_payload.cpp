// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/semaphore/sync_file_payload.h"

#include "runtime/core/lock.h"
#include "runtime/core/process.h"
#include "runtime/execution/scheduler.h"

#include <CL/cl.h>

#include <linux/sync_file.h>
#include <new>
#include <poll.h>
#include <stdexcept>
#include <sys/ioctl.h>
#include <unistd.h>

namespace heddle {
namespace {

bool is_sync_file(int file) noexcept {
  sync_file_info info{}; // of the file, without its fences
  return ioctl(file, SYNC_IOC_FILE_INFO, &info) == 0;
}

} // namespace

Result<std::shared_ptr<Payload>> SyncFilePayload::import(int file) noexcept try {
  if (file == -1)
    return std::make_shared<Payload>(Signaled{});
  if (!is_sync_file(file))
    return CL_INVALID_PROPERTY;
  return std::shared_ptr<Payload>(std::make_shared<SyncFilePayload>(file));
} catch (const std::bad_alloc&) {
  return CL_OUT_OF_HOST_MEMORY;
}

SyncFilePayload::SyncFilePayload(int file) : ReadableFile(file) { signals_.push_back({nullptr}); }

SyncFilePayload::~SyncFilePayload() { close(file()); }

// With mutex_ held.
void SyncFilePayload::look(ReadyList& ready) noexcept {
  pollfd state{file(), POLLIN, 0};
  if (!is_pending_ || poll(&state, 1, 0) != 1)
    return;
  is_pending_ = false;
  give(find_signal(nullptr), ready);
}

bool SyncFilePayload::on_readable() noexcept {
  ReadyList ready;
  {
    const Lock lock(mutex_);
    look(ready);
    if (is_pending_)
      return true;
    readable_files::remove(*this);
  }
  scheduler::publish(ready);
  return false;
}

void SyncFilePayload::add_wait(const Ref<Event>& command) {
  {
    ReadyList ready; // stays empty: waits that are there are the watching thread's
    const Lock lock(mutex_);
    if (waits_.empty())
      look(ready);
    if (is_pending_ && watched_in_ != process::fork_generation()) {
      if (!readable_files::add(shared_from_this()))
        throw std::runtime_error("no thread that waits for sync files");
      watched_in_ = process::fork_generation();
    }
  }
  Payload::add_wait(command);
}

bool SyncFilePayload::is_signaled() noexcept {
  {
    ReadyList ready;
    const Lock lock(mutex_);
    if (waits_.empty())
      look(ready);
  }
  return Payload::is_signaled();
}

} // namespace heddle
