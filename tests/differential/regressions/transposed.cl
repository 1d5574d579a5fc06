// Accesses that are side by side from row to row and far apart from lane to lane: loads, stores, both, through local
// memory, with constants, 64-bit elements, negative steps, rows that are left, offsets near 2^31.
//! options -cl-std=CL3.0
//! kernel through_local dims 2 global 64 48 local 16 16
//! arg out uint 3072 zero
//! arg in uint 3072 random 1
kernel void through_local(global uint* out, global const uint* in) {
  local uint tile[16][17];
  int lx = get_local_id(0), ly = get_local_id(1);
  int bx = get_group_id(0) * 16, by = get_group_id(1) * 16;
  tile[ly][lx] = in[(by + ly) * 64 + bx + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(bx + ly) * 48 + by + lx] = tile[lx][ly];
}
//! kernel stores dims 2 global 64 40 local 32 20
//! arg out uint 2640 zero
//! arg in uint 2560 random 2
//! arg value int 28000000
kernel void stores(global uint* out, global const uint* in, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x * (h + 1) + y + 3] = in[y * 64 + x];
}
//! kernel loads dims 2 global 64 32 local 64 8
//! arg out uint 2048 zero
//! arg in uint 4096 random 3
//! arg value int 21000000
kernel void loads(global uint* out, global const uint* in, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * 64 + x] = in[x * h + y] * 3 + in[x * h + 31 - y];
}
//! kernel wide_elements dims 2 global 64 24 local 64 24
//! arg out ulong 1536 zero
//! arg in ulong 1536 random 4
kernel void wide_elements(global ulong* out, global const ulong* in) {
  size_t x = get_global_id(0), y = get_global_id(1);
  out[x * 24 + (23 - y)] = in[x * 24 + y] + x;
}
//! kernel both dims 3 global 32 17 2 local 32 17 1
//! arg out uint 1088 zero
//! arg in uint 1088 random 5
kernel void both(global uint* out, global const uint* in) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  int i = z * 544 + x * 17 + y;
  out[i] = in[i] ^ (x * 1000 + y);
}
//! kernel some dims 2 global 64 16 local 64 16
//! arg out uint 1024 zero
//! arg in uint 1024 random 6
kernel void some(global uint* out, global const uint* in) {
  int x = get_global_id(0), y = get_global_id(1);
  uint v = in[x * 16 + y];
  if (v & 1)
    out[x * 16 + y] = v + in[((x * 5) & 63) * 16 + y];
}
//! kernel far dims 2 global 32 32 local 32 16 offset 0 2147483632
//! arg out ulong 1024 zero
//! arg in uint 1024 random 7
kernel void far(global ulong* out, global const uint* in) {
  int x = get_global_id(0), y = get_global_id(1);
  long i = (long)y + 2147483648L;
  long k = (i & 31) + x * 32;
  long m = (long)x * 32 + y - 2147483632L;
  out[k] = in[k] + ((ulong)i << 20) + (m < 0 ? 5 : in[m & 1023]);
}
// expect through_local 4324dcff747ed659
// expect stores 33ef7ed0315ebf65
// expect loads e053eea163c72c5d
// expect wide_elements 21ba3fb14dd71621
// expect both e8e522d64421ead5
// expect some db196e882cd0e8c6
// expect far cba132bd9eeff0dd
