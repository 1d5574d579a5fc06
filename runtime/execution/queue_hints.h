// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hints of a queue (OpenCL API 5.1: cl_khr_priority_hints, cl_khr_throttle_hints).
//
// - Priority: ready commands of a higher one are run first, and threads that run a large command
//   run those of higher priority between its pieces. Of many pieces of work in a row one is of a
//   lower priority, so that none waits forever.
// - Low throttle: commands run on a quarter of the device's compute units, and no thread spin-waits
//   for more of them. High throttle: threads spin-wait longer than usual.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <cstdint>

namespace heddle {

// Ordered: the first one comes first.
enum class Priority : std::uint8_t { high, medium, low };
inline constexpr unsigned kPriorities = 3;

enum class Throttle : unsigned { high, medium, low };

struct QueueHints {
  Priority priority = Priority::medium;
  Throttle throttle = Throttle::medium;

  // How long a thread without work spin-waits for a command, or for its end.
  std::uint64_t spin_nanoseconds() const noexcept {
    return throttle == Throttle::low ? 0 : throttle == Throttle::high ? 1'000'000 : 50'000;
  }
};

// The compute units of queues of low throttle.
constexpr unsigned throttled_units(unsigned units) noexcept { return (units + 3) / 4; }

} // namespace heddle
