#include "runtime/execution/plain_threads.h"

#include "runtime/execution/executor.h"
#include "runtime/execution/runners.h"

#include <chrono>
#include <exception>
#include <thread>

namespace heddle {
namespace {

constexpr std::chrono::seconds kRest{5};

} // namespace

bool PlainThreads::start_one() noexcept try {
  {
    const std::lock_guard lock(mutex_);
    if (resting_ > starts_) {
      ++starts_;
      awaited_.notify_one();
      return true;
    }
  }
  std::thread([this] { serve(); }).detach();
  return true;
} catch (const std::exception&) {
  return false;
}

void PlainThreads::serve() noexcept {
  if (!cpus_.empty())
    pin_this_thread(cpus_);
  for (;;) {
    executor_.run();
    std::unique_lock lock(mutex_);
    ++resting_;
    const bool wanted = awaited_.wait_for(lock, kRest, [this] { return starts_ != 0; });
    --resting_;
    if (!wanted)
      return;
    --starts_;
  }
}

} // namespace heddle
