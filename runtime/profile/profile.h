// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_PROFILE: how often and how long each kernel runs, and what it does (docs/profiling.md).
//
// Launches add to sums that belong to a kernel and a local size; the file is written when the
// process exits. Thread-safe; nothing throws.
#pragma once

#include "runtime/profile/counters.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace heddle::profile {

// Does not change after start().
extern bool is_recorded;
inline bool is_on() noexcept { return is_recorded; }

// Reads HEDDLE_PROFILE, and arranges that the file is written at exit. When the library is loaded.
void start() noexcept;

// The sums of one kernel and one local size; lives as long as the process.
class KernelSums;

// What a launch carries until it ends.
struct Launch {
  KernelSums* sums = nullptr; // null: not profiled
  std::uint64_t work_items = 0;
  bool is_estimated = false; // what follows
  bool is_guessed = false;   // how often loops iterate
  double flops = 0;
  double double_flops = 0;
  double bytes_read = 0;
  double bytes_written = 0;
};

// On a device of so many compute units. Null without memory.
KernelSums* sums_of(std::string_view kernel, const std::size_t (&local_size)[3],
                    unsigned compute_units) noexcept;

// Times are nanoseconds of CLOCK_MONOTONIC.
void add_launch(const Launch& launch, std::uint64_t begin, std::uint64_t end, bool failed) noexcept;
// From its enqueue to its start.
void add_wait(const Launch& launch, std::uint64_t nanoseconds) noexcept;

enum class Code : std::uint8_t { plain, quick, optimized };
struct Unit {
  Code code;
  std::uint32_t lanes;
  std::uint32_t rows;
  std::span<const std::string> remarks; // of the compiler; only read during the call
};
// The calling thread is about to run groups. Its counters until now.
Counts begin_groups() noexcept;
// Groups that the calling thread has run since; `counts` in them.
void add_groups(const Launch& launch, const Unit& unit, std::uint64_t groups,
                std::uint64_t nanoseconds, const Counts& counts) noexcept;
// A build of a kernel, or with an empty name of a program; `processor_time` is 0 if it came from
// the cache.
void add_build(std::string_view kernel, std::uint64_t nanoseconds, std::uint64_t processor_time,
               bool is_loaded) noexcept;

} // namespace heddle::profile
