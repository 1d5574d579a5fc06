// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/support/limits.h"

#include <cstdio>
#include <ctime>
#include <unistd.h>

namespace heddle::compiler {
namespace {

// Resident bytes of this process; 0, which disables the memory limit, if /proc is not available.
std::uint64_t resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr)
    return 0;
  unsigned long long size = 0;
  unsigned long long resident = 0;
  const int fields = std::fscanf(file, "%llu %llu", &size, &resident);
  std::fclose(file);
  return fields == 2 ? resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

} // namespace

Limits::Limits(std::uint64_t max_seconds, std::uint64_t max_memory_bytes,
               const std::uint32_t* cancelled)
    : max_seconds_(max_seconds), max_memory_bytes_(max_memory_bytes), cancelled_(cancelled) {
  if (max_memory_bytes_ != 0)
    resident_at_start_ = resident_bytes();
}

std::chrono::nanoseconds Limits::processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

const char* Limits::exceeded() {
  if (!message_.empty())
    return message_.c_str();
  if (cancelled_ != nullptr && __atomic_load_n(cancelled_, __ATOMIC_RELAXED) != 0) {
    message_ = "the build was cancelled";
    return message_.c_str();
  }
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::seconds most(max_seconds_);
  if (max_seconds_ != 0 &&
      (processor_time() - processor_time_at_start_ > most || now - start_ > kWallFactor * most)) {
    message_ = "the build took longer than its limit of " + std::to_string(max_seconds_) +
               (max_seconds_ == 1 ? " second" : " seconds") + " of processor time";
    return message_.c_str();
  }
  // Reading /proc is slower than reading the clock.
  constexpr auto kMemoryInterval = std::chrono::milliseconds(10);
  if (max_memory_bytes_ != 0 && now - memory_read_ > kMemoryInterval) {
    memory_read_ = now;
    const auto resident = resident_bytes();
    if (resident > resident_at_start_ && resident - resident_at_start_ > max_memory_bytes_) {
      message_ = "the build needed more memory than its limit of " +
                 std::to_string(max_memory_bytes_ >> 20) + " MiB";
      return message_.c_str();
    }
  }
  return nullptr;
}

} // namespace heddle::compiler
