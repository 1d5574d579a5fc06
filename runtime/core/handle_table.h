// The addresses that users hold as cl_context, cl_mem, ... and the check that makes bad ones
// harmless.
//
// A handle is the address of a slot in one reserved range that is never given back, so that null,
// foreign, wrong-kind and released handles are told apart without touching memory that is not
// Heddle's, and the ICD loader may read the dispatch pointer of a released handle. Freed slots are
// used again as late as possible.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

class Object;

enum class Kind : std::uint32_t {
  dead = 0, // released, or never used
  platform,
  device,
  context,
  queue,
  memory,
  sampler,
  program,
  kernel,
  event,
};

struct HandleSlot {
  const void* dispatch; // the ICD loader's contract: first word
  void* dispatch_data;  // second word, which the loader chooses (cl_khr_icd 2.0)
  std::atomic<Kind> kind;
  std::uint32_t next_free;
  Object* object;
};

namespace handle_table {

// A new slot for the object, or null when memory or slots (2^26) are exhausted.
HandleSlot* acquire(Kind kind, Object* object) noexcept;
// Makes the handle invalid; later finds answer null.
void release(HandleSlot* slot) noexcept;
// The object if `handle` is a live handle of this kind, else null. Any bit pattern is safe.
Object* find(const void* handle, Kind kind) noexcept;
// The ICD dispatch table that new slots start with; set once by icd/ when the library is loaded.
void set_dispatch(const void* dispatch) noexcept;
// The loader's own word, for the slots there are and those to come.
void set_dispatch_data(void* data) noexcept;
// Keep the table consistent over fork(): called by the fork handlers.
void lock_for_fork() noexcept;
void unlock_after_fork() noexcept;

} // namespace handle_table
} // namespace heddle
