// Loops over tiles that write more than caches hold, again and again to the same places: at those of whole lines, and
// some elements behind; in elements of other sizes.
// expect lines 013b83b51f0cb46f
// expect between_lines a7861ab5e53acb69
// expect shorts 21a05e786f784622
// expect longs 85f8916708a37763
//! kernel lines dims 1 global 128 local 32
//! arg out uint 8192 zero
//! arg in uint 4096 random 1
//! arg value uint 00100000
//! kernel between_lines dims 1 global 128 local 64
//! arg out float 8195 zero
//! arg in uchar 2048 random 2
//! arg value uint 00100000
//! kernel shorts dims 1 global 64 local 64
//! arg out ushort 4096 zero
//! arg in ushort 2048 random 3
//! arg value uint 00400000
//! kernel longs dims 1 global 64 local 64
//! arg out ulong 2048 zero
//! arg in ulong 2048 random 4
//! arg value uint 00100000

kernel void lines(global uint* out, global const uint* in, uint tiles) {
  local uint tile[1024];
  size_t first = get_group_id(0) * 2048;
  for (uint t = 0; t < tiles; ++t) {
    event_t coming = async_work_group_copy(tile, in + t % 64 * 32, 1024, 0);
    wait_group_events(1, &coming);
    for (uint i = get_local_id(0); i < 1024; i += get_local_size(0))
      out[first + (size_t)(t % 2) * 1024 + i] = tile[i] ^ t;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

kernel void between_lines(global float* out, global const uchar* in, uint tiles) {
  for (uint t = 0; t < tiles; ++t)
    for (uint i = get_local_id(0); i < 2019; i += get_local_size(0))
      out[3 + get_group_id(0) * 4096 + (size_t)(t % 2) * 2048 + i] = in[i] * (t % 7);
}

kernel void shorts(global ushort* out, global const ushort* in, uint tiles) {
  for (uint t = 0; t < tiles; ++t)
    for (uint i = get_local_id(0); i < 2048; i += get_local_size(0))
      out[(size_t)(t % 2) * 2048 + i] = in[i] ^ t;
}

kernel void longs(global ulong* out, global const ulong* in, uint tiles) {
  for (uint t = 0; t < tiles; ++t)
    for (uint i = get_local_id(0); i < 2048; i += get_local_size(0))
      out[i] = in[i] * (t + 1);
}
