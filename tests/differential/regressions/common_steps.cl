// Steps between barriers in which all sub-groups do the same, or only the first one copies: counters
// that all step on from one value, nested loops, limits from constant memory, branches on the group,
// a loop that another sub-group's stores end, and groups that do not divide into sub-groups.
//! options -cl-std=CL3.0
// expect tiles 201a056d1f42a7f5
// expect nested 8b4a8ae30f0e4fed
// expect ended 71f9589b8046e38c
constant uint kLimits[8] = {3, 1, 4, 1, 5, 2, 6, 2};

//! kernel tiles dims 1 global 230 local 100
//! arg out uint 230 zero
//! arg in uint 1024 random 21
//! arg local uint 128
kernel void tiles(global uint* out, global const uint* in, local uint* tile) {
  const uint lid = (uint)get_local_id(0), group = (uint)get_group_id(0);
  const uint size = (uint)get_local_size(0);
  uint sum = 0, at = group;
  for (uint t = 0; t < kLimits[group & 7u] + 2u; ++t) {
    event_t e = async_work_group_copy(tile, in + at * 8u, 100, 0);
    at = at * 3u + t;
    at &= 63u;
    wait_group_events(1, &e);
    sum += tile[(lid * 7u + t) % 100u] ^ at;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (at & 1u) {
      e = async_work_group_strided_copy(tile, in + at, 50, 3, 0);
      at += 2u;
      wait_group_events(1, &e);
    } else {
      at += 5u;
    }
    e = async_work_group_copy(tile + 100, in + 512u + at, 28, 0);
    wait_group_events(1, &e);
    sum = sum * 5u + tile[lid % 50u] + tile[100u + lid % 28u] + size;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum + at;
}

//! kernel nested dims 2 global 21 10 local 7 5
//! arg out uint 210 zero
//! arg in uint 512 random 22
//! arg local uint 64
kernel void nested(global uint* out, global const uint* in, local uint* shared) {
  const uint lid = (uint)get_local_linear_id();
  const uint items = (uint)(get_local_size(0) * get_local_size(1));
  uint v = in[get_global_linear_id()], steps = 1, last = 0;
  shared[lid] = 0;
  for (uint i = 0; i < kLimits[get_group_id(0) & 7u]; ++i) {
    steps = steps * 3u + i;
    for (uint j = 0; j <= (i & 3u); ++j) {
      steps += j;
      barrier(CLK_LOCAL_MEM_FENCE);
      shared[lid] = v + steps;
      barrier(CLK_LOCAL_MEM_FENCE);
      v = v * 3u + shared[(lid + steps) % items];
      last = j;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    steps ^= last;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_group_id(1) == 1u && i == 1u)
      break;
  }
  out[get_global_linear_id()] = v ^ steps;
}

//! kernel ended dims 1 global 192 local 96
//! arg out uint 192 zero
//! arg in uint 256 random 23
//! arg local uint 128
kernel void ended(global uint* out, global const uint* in, local uint* shared) {
  const uint lid = (uint)get_local_id(0);
  uint v = in[get_global_id(0)] & 15u, rounds = 0;
  local uint any;
  do {
    barrier(CLK_LOCAL_MEM_FENCE);
    any = 0;
    ++rounds;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (v > rounds)
      any = 1;
    shared[lid] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    v += shared[(lid + rounds) % 96u] & 1u;
  } while (any != 0u && rounds < 40u);
  out[get_global_id(0)] = v * 64u + rounds;
}
