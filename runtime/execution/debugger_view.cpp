// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/debugger_view.h"

#include "runtime/core/lock.h"
#include "runtime/core/mutex.h"

#include <sys/syscall.h>
#include <unistd.h>

heddle_debugger_entry* heddle_debugger_entries = nullptr;

namespace heddle {
namespace {

constinit Mutex mutex;

} // namespace

DebuggerEntry::DebuggerEntry(const abi::Worker& worker) noexcept {
  entry_.thread = static_cast<std::uint64_t>(syscall(SYS_gettid));
  entry_.worker = &worker;
  const Lock lock(mutex);
  entry_.next = heddle_debugger_entries;
  heddle_debugger_entries = &entry_;
}

DebuggerEntry::~DebuggerEntry() {
  const Lock lock(mutex);
  auto** place = &heddle_debugger_entries;
  while (*place != &entry_)
    place = &(*place)->next;
  *place = entry_.next;
}

} // namespace heddle
