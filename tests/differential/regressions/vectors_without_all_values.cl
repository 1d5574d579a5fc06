// A vector of which one component has no value is stored; the other is what it was.
// expect side_by_side 1298ebb52d7869be
// expect anywhere 1e58539e727e50a2
//! kernel side_by_side dims 1 global 256 local 64
//! arg scratch uchar 512 zero
//! arg in char 1024 random 1
//! arg out char 256 zero
//! kernel anywhere dims 1 global 256 local 64
//! arg scratch uchar 2048 zero
//! arg in uint 1024 random 2
//! arg in uint 256 permutation 3
//! arg out uint 256 zero
kernel void side_by_side(global char2* pairs, global const char* in, global char* out) {
  size_t i = get_global_id(0);
  char3 v = vload3(i, in);
  pairs[i] = v.hi;
  out[i] = ((volatile global char*)pairs)[2 * i];
}
kernel void anywhere(global uint2* pairs, global const uint* in, global const uint* to, global uint* out) {
  size_t i = get_global_id(0);
  uint3 v = vload3(i, in);
  uint at = to[i];
  pairs[at] = v.hi;
  out[i] = ((volatile global uint*)pairs)[2 * at];
}
