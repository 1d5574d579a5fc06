// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What debuggers see of the threads that run kernels: icd/libheddle.so-gdb.py reads it by its
// layout, so change both together.
#pragma once

#include "compiler/interface/kernel_abi.h"
#include "compiler/interface/metadata.h"

#include <cstddef>
#include <cstdint>

extern "C" {
struct heddle_debugger_entry {
  heddle_debugger_entry* next;
  std::uint64_t thread; // the system's number
  const heddle::abi::Worker* worker;
  const heddle::abi::Launch* launch; // null: it runs no kernel
  const char* kernel;
  std::uint64_t lanes; // work-items of a sub-group
  std::uint64_t has_swapped_dimensions;
};
// Of all threads that have run kernels. Only debuggers, which have stopped them, read it.
__attribute__((visibility("default"))) extern heddle_debugger_entry* heddle_debugger_entries;
}
static_assert(offsetof(heddle_debugger_entry, launch) == 24);
static_assert(sizeof(heddle_debugger_entry) == 56);

namespace heddle {

// The calling thread's entry.
class DebuggerEntry {
 public:
  explicit DebuggerEntry(const abi::Worker& worker) noexcept;
  ~DebuggerEntry();
  DebuggerEntry(const DebuggerEntry&) = delete;
  DebuggerEntry& operator=(const DebuggerEntry&) = delete;

  void set_kernel(const KernelMetadata& kernel) noexcept {
    entry_.kernel = kernel.name.c_str();
    entry_.lanes = kernel.vector_width;
    entry_.has_swapped_dimensions = kernel.has_swapped_dimensions;
  }
  // Null when the kernel has ended.
  void set_launch(const abi::Launch* launch) noexcept { entry_.launch = launch; }

 private:
  heddle_debugger_entry entry_{};
};

} // namespace heddle
