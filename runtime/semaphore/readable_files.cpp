// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/semaphore/readable_files.h"

#include "runtime/core/lock.h"
#include "runtime/core/process.h"
#include "runtime/execution/auxiliary_threads.h"
#include "runtime/execution/scheduler.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <exception>
#include <map>
#include <new>
#include <sys/epoll.h>
#include <unistd.h>

namespace heddle::readable_files {
namespace {

// One per process: a forked child has no thread of its parent's.
struct Watch {
  Watch(unsigned generation, int epoll) noexcept : fork_generation(generation), epoll(epoll) {}
  const unsigned fork_generation;
  const int epoll;
  SleepingMutex mutex;
  std::map<int, std::shared_ptr<ReadableFile>> files HEDDLE_GUARDED_BY(mutex); // by descriptor
  bool has_thread HEDDLE_GUARDED_BY(mutex) = false;
};

// Never destroyed, as its thread may be there until the process ends. Null if there is no memory or
// descriptor.
Watch* watch() noexcept {
  static constinit std::atomic<Watch*> newest{nullptr};
  const auto generation = process::fork_generation();
  auto* known = newest.load(std::memory_order_acquire);
  if (known && known->fork_generation == generation)
    return known;
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0)
    return nullptr;
  std::unique_ptr<Watch> made(new (std::nothrow) Watch(generation, epoll));
  if (made && newest.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel))
    return made.release();
  close(epoll);
  return made ? known : nullptr;
}

void set(const Watch& all, int operation, int file) noexcept {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLONESHOT;
  event.data.fd = file;
  (void)epoll_ctl(all.epoll, operation, file, &event);
}

void thread_main(void* argument) {
  auto& all = *static_cast<Watch*>(argument);
  for (;;) {
    std::array<epoll_event, 16> events{};
    const int count = epoll_wait(all.epoll, events.data(), events.size(), -1);
    for (int i = 0; i < count; ++i) {
      std::shared_ptr<ReadableFile> file;
      {
        const Lock lock(all.mutex);
        const auto place = all.files.find(events[static_cast<unsigned>(i)].data.fd);
        if (place == all.files.end())
          continue;
        file = place->second;
      }
      if (file->on_readable())
        set(all, EPOLL_CTL_MOD, file->file());
    }
    // Callbacks may block, so another thread goes on.
    const bool has_left = scheduler::has_callbacks() && auxiliary_threads::start(thread_main, &all);
    scheduler::run_callbacks();
    if (has_left)
      return;
    const Lock lock(all.mutex);
    if (all.files.empty()) {
      all.has_thread = false;
      return;
    }
  }
}

} // namespace

bool add(const std::shared_ptr<ReadableFile>& file) noexcept try {
  auto* all = watch();
  if (!all)
    return false;
  const Lock lock(all->mutex);
  all->files[file->file()] = file;
  epoll_event event{};
  event.events = EPOLLIN | EPOLLONESHOT;
  event.data.fd = file->file();
  bool works = epoll_ctl(all->epoll, EPOLL_CTL_ADD, file->file(), &event) == 0;
  if (works && !all->has_thread)
    works = all->has_thread = auxiliary_threads::start(thread_main, all);
  if (!works) {
    (void)epoll_ctl(all->epoll, EPOLL_CTL_DEL, file->file(), nullptr);
    all->files.erase(file->file());
  }
  return works;
} catch (const std::exception&) {
  return false;
}

void remove(const ReadableFile& file) noexcept {
  auto* all = watch();
  if (!all)
    return;
  std::shared_ptr<ReadableFile> removed; // destroyed without the lock
  const Lock lock(all->mutex);
  (void)epoll_ctl(all->epoll, EPOLL_CTL_DEL, file.file(), nullptr);
  if (const auto place = all->files.find(file.file()); place != all->files.end()) {
    removed = std::move(place->second);
    all->files.erase(place);
  }
}

} // namespace heddle::readable_files
