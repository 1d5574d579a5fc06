// Atomics that all work-items do to the same places, some of them under a mask, and on places of their own.
//! options -cl-std=CL3.0
// expect count 00984c66e977f5c4
//! kernel count dims 1 global 192 local 64
//! arg out uint 32 zero
//! arg out uint 192 random 14
//! arg in uint 256 random 15
kernel void count(global uint* cells, global uint* own, global const uint* in) {
  local uint bins[16];
  const uint gid = (uint)get_global_id(0), lid = (uint)get_local_id(0);
  if (lid < 16u)
    bins[lid] = 0u;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint v = in[gid];
  atomic_inc(&bins[v & 15u]);
  if (v & 3u)
    atomic_add(&bins[(v >> 4) & 7u], v >> 20);
  for (uint i = 0; i < (v & 3u); ++i)
    atomic_max(&cells[16u + ((v >> i) & 3u)], v * i);
  atomic_add(&cells[31], atomic_inc(&cells[30]) * 3u + 1u);
  const uint old = atomic_xchg(&own[gid], v) + atomic_cmpxchg(&own[gid], v, gid);
  atomic_add(&own[gid], old & 255u);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lid < 16u)
    atomic_add(&cells[lid], bins[lid]);
}
