// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_TRACE: what happens in the driver, and when, as a file that ui.perfetto.dev opens
// (docs/profiling.md).
//
// Threads add records of fixed size to chunks of their own, without locks; the file is written when
// the process exits.
#pragma once

#include "runtime/core/clock.h"
#include "runtime/target/instructions.h"

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace heddle::trace {

// The words of HEDDLE_TRACE_FILTER are the names of kinds in recorder.cpp.
enum class Kind : std::uint8_t {
  command, // a command of a queue
  wait,    // from one command to another one
  groups,  // work-groups of a kernel on a thread
  idle,    // a worker thread that has no work
  build,   // of a program or a kernel
  memory,  // bytes that the driver has allocated for buffers, images and SVM
  call,    // of the API
};
inline constexpr unsigned kKinds = 7;

// One bit a kind; does not change after start().
extern std::uint32_t recorded_kinds;
inline bool records(Kind kind) noexcept {
  return (recorded_kinds >> static_cast<unsigned>(kind) & 1) != 0;
}
inline bool is_on() noexcept { return recorded_kinds != 0; }

// Whether calls are timed in cycles. Does not change after start().
extern bool counts_cycles;
// A time of a record of Kind::call.
inline std::uint64_t call_time() noexcept {
  return counts_cycles ? cycle_count() : monotonic_nanoseconds();
}

// Reads HEDDLE_TRACE, and arranges that the file is written at exit; decides what tasks.h tells.
// When the library is loaded.
void start() noexcept;

inline constexpr unsigned kMaxValues = 8;

// Times are nanoseconds of CLOCK_MONOTONIC, of calls call_time(). What `values` are depends on the
// kind (write_trace.cpp). Names are cut after 39 bytes. Nothing is recorded of other kernels than
// those of HEDDLE_TRACE_FILTER, if `is_kernel` is set.
void add(Kind kind, std::uint64_t begin, std::uint64_t end, std::string_view name,
         std::initializer_list<std::uint64_t> values, std::int32_t result = 0,
         bool is_kernel = false) noexcept;

inline std::uint64_t number_of(const void* pointer) noexcept {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

} // namespace heddle::trace
