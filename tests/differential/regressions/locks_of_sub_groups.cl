// Locks for sub-groups (cl_khr_subgroups): each is held until all others have asked for it.
//! options -cl-std=CL3.0
//! kernel one_bit dims 1 global 128 local 128
//! arg out uint 128 zero
//! kernel counted dims 1 global 128 local 128
//! arg out uint 128 zero
//! kernel emulated dims 1 global 128 local 128
//! arg out uint 128 zero
// expect one_bit 1026a96b6439fc25
// expect counted 1026a96b6439fc25
// expect emulated 1026a96b6439fc25
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#define BEFORE                                                              \
  local uint word, arrived, total;                                          \
  const uint lid = get_local_id(0);                                         \
  if (lid == 0)                                                             \
    word = arrived = total = 0;                                             \
  barrier(CLK_LOCAL_MEM_FENCE);                                             \
  volatile local atomic_uint* w = (volatile local atomic_uint*)&word;       \
  volatile local atomic_uint* a = (volatile local atomic_uint*)&arrived;    \
  const uint part = sub_group_reduce_add(lid);                              \
  if (get_sub_group_local_id() == 0) {                                      \
    atomic_fetch_add_explicit(a, 1u, memory_order_relaxed, memory_scope_work_group);
#define HELD                                                                \
    while (atomic_load_explicit(a, memory_order_acquire, memory_scope_work_group) != get_num_sub_groups()) \
      ;                                                                     \
    total += part;
#define AFTER                                                               \
  }                                                                         \
  barrier(CLK_LOCAL_MEM_FENCE);                                             \
  out[lid] = total;

// The exchange expects the word without the bit, not what was read.
kernel void one_bit(global uint* out) {
  BEFORE
  for (;;) {
    uint old = atomic_load_explicit(w, memory_order_relaxed, memory_scope_work_group) & ~1u;
    if (atomic_compare_exchange_weak_explicit(w, &old, old | 1u, memory_order_acquire, memory_order_relaxed,
                                              memory_scope_work_group))
      break;
  }
  HELD
  atomic_fetch_and_explicit(w, ~1u, memory_order_release, memory_scope_work_group);
  AFTER
}

// Who is not the first one takes the count back.
kernel void counted(global uint* out) {
  BEFORE
  while (atomic_inc(&word) != 0)
    atomic_dec(&word);
  HELD
  atomic_dec(&word);
  AFTER
}

// The exchanges repeat until they succeed, which does not yet take the lock.
uint set(local uint* p, uint bits) {
  uint old = *p, seen;
  while ((seen = atomic_cmpxchg(p, old, old | bits)) != old)
    old = seen;
  return old;
}

kernel void emulated(global uint* out) {
  BEFORE
  while (set(&word, 1) & 1)
    ;
  HELD
  atomic_fetch_and_explicit(w, ~1u, memory_order_release, memory_scope_work_group);
  AFTER
}
