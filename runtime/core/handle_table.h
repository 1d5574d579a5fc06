// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The addresses that users hold as cl_context, cl_mem, ..., and their validation.
//
// A handle is the address of a slot in one reserved address range that is never released. Null,
// foreign, wrong-kind and released handles are therefore detected without accessing memory that is
// not Heddle's, and the ICD loader may read the dispatch pointer of a released handle. Freed slots
// are reused as late as possible.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

class Object;

enum class Kind : std::uint32_t {
  dead = 0, // released or never allocated
  platform,
  device,
  context,
  queue,
  memory,
  sampler,
  program,
  kernel,
  event,
  device_queue,
  device_event, // clk_event_t
  command_buffer,
  recorded_command, // cl_mutable_command_khr
  semaphore,
};

struct HandleSlot {
  const void* dispatch;   // the first pointer, as the ICD loader requires
  void* dispatch_data;    // the second one, set by the loader (cl_khr_icd 2.0)
  std::atomic<Kind> kind; // released when the slot is complete
  std::uint32_t next_free;
  Object* object;
};

namespace handle_table {

// A new slot for the object, or null when memory or slots (2^26) are exhausted.
HandleSlot* acquire(Kind kind, Object* object) noexcept;
// Makes the handle invalid; find() returns null from now on.
void release(HandleSlot* slot) noexcept;
// The object if `handle` is a live handle of this kind, else null. Any bit pattern is safe.
Object* find(const void* handle, Kind kind) noexcept;
// The ICD dispatch table of new slots; set once by icd/ when the library is loaded.
void set_dispatch(const void* dispatch) noexcept;
// The loader's data pointer, for existing and new slots.
void set_dispatch_data(void* data) noexcept;
// Keep the table consistent over fork(): called by the fork handlers.
void lock_for_fork() noexcept;
void unlock_after_fork() noexcept;

} // namespace handle_table
} // namespace heddle
