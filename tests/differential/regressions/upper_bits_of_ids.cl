// What depends on the upper bits of a local id is the same for all lanes, if these are a row of the group and begin with
// a multiple of their number; volatile accesses by local ids with masks that clear nothing.
// expect a 2c01993862111b90
// expect b 89e56e5b1ede6628
// expect c eac09f96a67d1097
// expect d 82e66a79823615bd
// expect e 2ea15120603c1c5e
//! kernel a dims 1 global 480 local 48
//! arg out uint 512 zero
//! arg in uint 512 random 9
//! kernel b dims 1 global 300 local 20
//! arg out uint 512 zero
//! arg in uint 512 random 9
//! kernel c dims 2 global 48 16 local 3 8
//! arg out uint 512 zero
//! arg in uint 512 random 9
//! kernel d dims 2 global 64 8 local 32 2
//! arg out uint 512 zero
//! arg in uint 512 random 9
//! kernel e dims 1 global 512 local 128
//! arg out uint 512 zero
//! arg in uint 512 random 9
uint parts(uint l, uint gid, global const uint* in, volatile local uint* t) {
  uint s = in[gid & 511];
  if (l < 16) s = s * 3 + in[(l >> 4) + 1];
  if (l > 7 && l != 24) s ^= in[l & 15] + (l >> 3);
  if ((l & 48) == 16) s += in[l & 31] * 5;
  else if ((l & ~7u) == 8) s -= in[(l + 16) & 63];
  if ((l & 15) == 0) s += (l >> 4) * 77 + in[(l >> 2) - 1 & 511];
  for (uint i = 0; i < (l >> 3); ++i) s = s * 17 + in[(i * 8 + (l & 7)) & 511];
  for (uint i = l >> 5; i < 9; i += 2) { s ^= i << (l & 31); if ((s & 3) == (l >> 4)) break; }
  t[l] = s;
  return s;
}
uint tree(uint l, uint n, volatile local uint* t) {
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 8 && l + 8 < n) t[l] += t[l + 8];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint before = l >= 16 && l < n ? t[l - 16] * 3 : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  t[l] += before;
  if (l < 32) t[l] = t[l] * 2 + (l >> 4);
  return t[l];
}
kernel void a(global uint* out, global const uint* in) {
  volatile local uint t[128];
  uint l = get_local_id(0), gid = get_global_id(0);
  uint s = parts(l, gid, in, t);
  out[gid] = s + tree(l, 48, t);
}
kernel void b(global uint* out, global const uint* in) {
  volatile local uint t[128];
  uint l = get_local_id(0), gid = get_global_id(0);
  uint s = parts(l, gid, in, t);
  out[gid] = s + tree(l, 20, t);
}
kernel void c(global uint* out, global const uint* in) {
  volatile local uint t[128];
  uint l = get_local_id(0) + get_local_id(1) * 3, gid = get_global_id(0) + get_global_id(1) * 48;
  uint s = parts(get_local_id(0), gid, in, t + get_local_id(1) * 3);
  s ^= parts(l, gid, in, t);
  s += tree(l, 24, t);
  if (gid < 512) out[gid] = s;
}
kernel void d(global uint* out, global const uint* in) {
  volatile local uint t[128];
  uint l = get_local_id(0), gid = get_global_id(0) + get_global_id(1) * 64;
  uint s = parts(l, gid, in, t + get_local_id(1) * 64);
  out[gid & 511] = s + tree(l, 32, t + get_local_id(1) * 64);
}
kernel void e(global uint* out, global const uint* in) {
  volatile local uint t[128];
  uint l = get_local_id(0), gid = get_global_id(0);
  uint s = parts(l, gid, in, t);
  out[gid] = s + tree(l, 128, t);
}
