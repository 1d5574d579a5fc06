// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs, as tasks of a collector of the ITT interface, such as VTune's: the library that
// INTEL_LIBITTNOTIFY64 names (docs/profiling.md).
#pragma once

#include "runtime/trace/trace.h"

#include <cstdint>
#include <string_view>

namespace heddle::trace {

inline constexpr const char* kCollectorVariable = "INTEL_LIBITTNOTIFY64";

// One bit a kind: of commands, groups and builds, those of HEDDLE_TRACE_FILTER. Does not change
// after start().
extern std::uint32_t told_kinds;
inline bool tells(Kind kind) noexcept {
  return (told_kinds >> static_cast<unsigned>(kind) & 1) != 0;
}

// Opens the collector, if told_kinds is not zero, or says why not. For the first context: not when
// the driver is loaded, since a collector may start threads, which wait for the lock of the dynamic
// linker; and not by other threads, for which the process may be exiting.
void open_collector() noexcept;

// False, and nothing has begun, if there is no collector of tasks, or the filter leaves it out.
bool begin_task(Kind kind, std::string_view name, bool is_kernel) noexcept;
void end_task() noexcept;

// On the calling thread, from construction to destruction. Tasks of a thread nest.
class Task {
 public:
  Task(Kind kind, std::string_view name, bool is_kernel) noexcept
      : is_told_(tells(kind) && begin_task(kind, name, is_kernel)) {}
  ~Task() {
    if (is_told_)
      end_task();
  }
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

 private:
  bool is_told_;
};

// Commands overlap, and end on any thread: `command` is not that of another one that runs. `name`
// is that of its kernel, or empty.
void begin_command(const void* command, std::uint64_t type, std::string_view name) noexcept;
void end_command(const void* command, std::string_view name) noexcept;

// Of the calling thread, which the driver has started.
void name_thread(const char* name) noexcept;

} // namespace heddle::trace
