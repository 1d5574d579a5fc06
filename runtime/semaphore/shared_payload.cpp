// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/semaphore/shared_payload.h"

#include "runtime/core/lock.h"
#include "runtime/execution/scheduler.h"

#include <CL/cl.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <new>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <sys/eventfd.h>
#include <unistd.h>

namespace heddle {
namespace {

// The payloads of this process by the number that the system gives each eventfd.
struct Known {
  SleepingMutex mutex;
  std::map<long, std::weak_ptr<SharedPayload>> by_number HEDDLE_GUARDED_BY(mutex);
};
Known& known() {
  static Known& all = *new Known;
  return all;
}

struct EventFile {
  std::optional<long> number; // Linux tells it from 5.2 on
};

// What /proc tells of the descriptor; nothing if it is not that of an eventfd.
std::optional<EventFile> describe(int file) noexcept {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/self/fdinfo/%d", file);
  const int info = open(path, O_RDONLY | O_CLOEXEC);
  if (info < 0)
    return std::nullopt;
  char text[1024];
  const auto length = read(info, text, sizeof text - 1);
  close(info);
  if (length <= 0)
    return std::nullopt;
  text[length] = '\0';
  if (!std::strstr(text, "eventfd-count:"))
    return std::nullopt;
  EventFile found;
  long number = 0;
  if (const char* line = std::strstr(text, "eventfd-id:"))
    if (std::sscanf(line, "eventfd-id: %ld", &number) == 1)
      found.number = number;
  return found;
}

} // namespace

SharedPayload::~SharedPayload() { close(file()); }

Result<std::shared_ptr<Payload>> SharedPayload::adopt(int file) {
  const auto described = describe(file);
  std::shared_ptr<SharedPayload> payload;
  const Lock lock(known().mutex);
  std::erase_if(known().by_number, [](const auto& entry) { return entry.second.expired(); });
  auto* place = described && described->number ? &known().by_number[*described->number] : nullptr;
  if (place)
    payload = place->lock();
  if (payload) {
    close(file);
    return std::shared_ptr<Payload>(std::move(payload));
  }
  payload = std::make_shared<SharedPayload>(file);
  if (place)
    *place = payload;
  return std::shared_ptr<Payload>(std::move(payload));
}

Result<std::shared_ptr<Payload>> SharedPayload::make() noexcept {
  const int file = eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC);
  if (file < 0)
    return CL_OUT_OF_RESOURCES;
  try {
    return adopt(file);
  } catch (const std::bad_alloc&) {
    close(file);
    return CL_OUT_OF_HOST_MEMORY;
  }
}

Result<std::shared_ptr<Payload>> SharedPayload::import(int file) noexcept {
  const int flags = fcntl(file, F_GETFL);
  if (flags < 0 || !describe(file) || fcntl(file, F_SETFL, flags | O_NONBLOCK) != 0)
    return CL_INVALID_PROPERTY;
  try {
    return adopt(file);
  } catch (const std::bad_alloc&) {
    return CL_OUT_OF_HOST_MEMORY;
  }
}

int SharedPayload::export_file() const noexcept { return fcntl(file(), F_DUPFD_CLOEXEC, 0); }

bool SharedPayload::take() noexcept {
  std::uint64_t count = 0;
  return read(file(), &count, sizeof count) == sizeof count;
}

void SharedPayload::give() noexcept {
  const std::uint64_t one = 1;
  (void)!write(file(), &one, sizeof one);
}

bool SharedPayload::is_watched() const noexcept {
  return watched_in_ == process::fork_generation();
}

// With mutex_ held. Of what a forked child shares with its parent, it has no part in the signals
// and waits of its parent's commands, which it has copies of.
void SharedPayload::leave_parent() noexcept {
  if (generation_ == process::fork_generation())
    return;
  generation_ = process::fork_generation();
  (void)new (std::nothrow) std::deque<Ref<Event>>(std::move(waits_)); // they are never complete
  waits_.clear();
  signals_.clear();
  taken_ = 0;
}

// With mutex_ held.
void SharedPayload::take_for_waits(ReadyList& ready) noexcept {
  while (!waits_.empty() && take())
    give_to(0, ready);
}

bool SharedPayload::on_readable() noexcept {
  ReadyList ready;
  bool goes_on = true;
  {
    const Lock lock(mutex_);
    take_for_waits(ready);
    if (waits_.empty()) {
      readable_files::remove(*this);
      watched_in_ = kNever;
      goes_on = false;
    }
  }
  scheduler::publish(ready);
  return goes_on;
}

void SharedPayload::add_signal(Event& command) {
  const Lock lock(mutex_);
  leave_parent();
  signals_.push_back({&command});
}

void SharedPayload::add_wait(const Ref<Event>& command) {
  const Lock lock(mutex_);
  leave_parent();
  if (waits_.empty() && take()) {
    ++taken_;
    return;
  }
  waits_.push_back(command);
  if (!is_watched()) {
    if (!readable_files::add(shared_from_this())) {
      waits_.pop_back();
      throw std::runtime_error("no thread that waits for semaphores");
    }
    watched_in_ = process::fork_generation();
  }
  command->expect_dependency();
}

void SharedPayload::end_signal(const Event& command, bool has_failed, ReadyList& ready) noexcept {
  const Lock lock(mutex_);
  leave_parent();
  const auto signal = find_signal(&command);
  if (signal == signals_.end())
    return;
  if (has_failed)
    signals_.erase(signal);
  else
    signal->is_given = true;
  while (!signals_.empty() && signals_.front().is_given) {
    signals_.pop_front();
    give();
  }
  take_for_waits(ready);
}

void SharedPayload::end_wait(const Event& command, bool has_failed, ReadyList& ready) noexcept {
  const Lock lock(mutex_);
  leave_parent();
  if ((has_failed && remove_wait(command)) || taken_ == 0)
    return;
  --taken_;
  if (has_failed) {
    give();
    take_for_waits(ready);
  }
}

bool SharedPayload::is_signaled() noexcept {
  const Lock lock(mutex_);
  leave_parent();
  pollfd state{file(), POLLIN, 0};
  return taken_ != 0 || poll(&state, 1, 0) == 1;
}

} // namespace heddle
