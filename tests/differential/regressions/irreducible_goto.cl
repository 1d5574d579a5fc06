// Cycles with two ways in: taken by each work-item for itself, and by all together with barriers.
//! options -cl-std=CL3.0
// expect alone 0e31b07406901815
// expect together 2e557d9415f1693d
//! kernel alone dims 1 global 50 local 25
//! arg out uint 50 zero
//! arg in uint 64 random 5
kernel void alone(global uint* out, global const uint* in) {
  const uint gid = (uint)get_global_id(0);
  uint x = in[gid];
  int fuel = 12;
  if (x & 1u)
    goto second;
first:
  x = x * 3u + gid;
  if (fuel-- <= 0)
    goto done;
  if ((x & 6u) == 2u)
    goto third;
second:
  x ^= x >> 3;
  if (fuel-- <= 0)
    goto done;
  if (x & 4u)
    goto first;
third:
  x += in[x & 63u];
  if (fuel-- <= 0)
    goto done;
  if (x & 8u)
    goto second;
  goto first;
done:
  out[gid] = x;
}

//! kernel together dims 1 global 48 local 16
//! arg out uint 48 zero
//! arg value int 05000000
kernel void together(global uint* out, int start) {
  local uint shared[16];
  const uint lid = (uint)get_local_id(0);
  uint x = (uint)get_global_id(0);
  int n = start + (int)get_group_id(0);
  if (n & 1)
    goto second;
first:
  shared[lid] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  x = x * 5u + shared[(lid + 3u) & 15u];
  barrier(CLK_LOCAL_MEM_FENCE);
second:
  shared[15u - lid] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  x ^= shared[lid] >> 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  n -= 1;
  if (n > 3)
    goto first;
  if (n > 0)
    goto second;
  out[get_global_id(0)] = x;
}
