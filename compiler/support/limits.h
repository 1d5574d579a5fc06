// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits of the time and the memory of a build.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace heddle::compiler {

class Limits {
 public:
  // The limit of elapsed time as a multiple of that of processor time: for builds that block, not
  // for those on a busy machine.
  static constexpr unsigned kWallFactor = 10;

  // Zero: no limit. Seconds are processor time of the calling thread, which must be the build's.
  // The memory limit is for the growth of the process's resident set, which includes other threads.
  // `cancelled` may be null; another thread sets it to end the build.
  Limits(std::uint64_t max_seconds, std::uint64_t max_memory_bytes,
         const std::uint32_t* cancelled = nullptr);

  // A message that names the exceeded limit, or null. Called on the build's thread only. Reads
  // clocks and, at most every 10 ms, /proc; the result does not change once a limit is exceeded.
  const char* exceeded();
  // The same for frequent callers: checks at every 256th call.
  const char* exceeded_sampled() {
    if (!message_.empty())
      return message_.c_str();
    return (++calls_ & 0xff) == 0 ? exceeded() : nullptr;
  }

 private:
  static std::chrono::nanoseconds processor_time();

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::nanoseconds processor_time_at_start_ = processor_time();
  std::uint64_t max_seconds_;
  std::uint64_t max_memory_bytes_;
  const std::uint32_t* cancelled_;
  std::uint64_t resident_at_start_ = 0;
  std::chrono::steady_clock::time_point memory_read_ = start_;
  std::uint32_t calls_ = 0;
  std::string message_;
};

} // namespace heddle::compiler
