// How long a build may take and how much memory it may add to the process.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace heddle::compiler {

class Limits {
 public:
  // How many times the seconds a build may take by the clock: for builds that wait for something,
  // not for those on a busy machine.
  static constexpr unsigned kWallFactor = 10;

  // Zero means no limit. Seconds are processor time of the calling thread, which is to be the
  // build's. The memory limit is on the growth of the process's resident set, so other threads
  // count towards it too.
  Limits(std::uint64_t max_seconds, std::uint64_t max_memory_bytes);

  // A message that names the limit, or null while the build is within all of them. On the build's
  // thread only. Reads clocks and, at most every 10 ms, /proc; once a limit has been exceeded the
  // answer stays.
  const char* exceeded();
  // The same at the cost of a counter: looks only at every 256th call.
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
  std::uint64_t resident_at_start_ = 0;
  std::chrono::steady_clock::time_point memory_read_ = start_;
  std::uint32_t calls_ = 0;
  std::string message_;
};

} // namespace heddle::compiler
