// Barriers in loops, in a called function, and under conditions that are uniform for reasons a
// compiler does not see.
//! options -cl-std=CL3.0
// expect exchange 2ae6f840b5369a8b
// expect sum 575411ade2aa9350
uint __attribute__((noinline)) rotate_values(local uint* m, uint lid, uint v, int times) {
  for (int i = 0; i < times; ++i) {
    barrier(CLK_LOCAL_MEM_FENCE);
    m[lid] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    v = m[(lid * 5u + 1u) & 63u] + (uint)i;
  }
  return v;
}

//! kernel exchange dims 2 global 24 16 local 8 8
//! arg out uint 384 zero
//! arg in uint 512 random 12
//! arg local uint 64
kernel void exchange(global uint* out, global const uint* in, local uint* shared) {
  const uint gid = (uint)get_global_linear_id(), lid = (uint)get_local_linear_id();
  uint v = rotate_values(shared, lid, in[gid], 3);
  barrier(CLK_LOCAL_MEM_FENCE);
  shared[lid] = v & 7u;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint rounds = shared[9];
  for (uint i = 0; i < rounds; ++i) {
    if (gid & 2u)
      v += i;
    v = rotate_values(shared, lid, v, (int)(i & 1u) + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (((uint)(get_global_id(0) - get_local_id(0)) & 8u) == 0u)
    v ^= rotate_values(shared, lid, v, 2);
  out[gid] = v;
}

//! kernel sum dims 1 global 230 local 100
//! arg out uint 230 zero
//! arg in uint 256 random 13
kernel void sum(global uint* out, global const uint* in) {
  local uint part[128];
  const uint lid = (uint)get_local_id(0);
  part[lid] = in[get_global_id(0)];
  if (lid < 28u)
    part[100u + lid] = 0u;
  for (uint i = lid + (uint)get_local_size(0); i < 100u; i += (uint)get_local_size(0))
    part[i] = 0u;
  for (uint s = 64u; s > 0u; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = lid; i < s; i += (uint)get_local_size(0))
      part[i] += part[i + s];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[0] + lid;
}
