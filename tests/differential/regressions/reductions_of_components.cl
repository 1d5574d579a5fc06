// The components of a vector put together, for all lanes at once, some of them inactive.
// expect k 4461bc0abd9ee573
//! options -cl-std=CL3.0

//! kernel k dims 1 global 173 local 64
//! arg out ulong 173 zero
//! arg in int 1024 random 424242
kernel void k(global ulong* result, global const int4* in) {
  const uint i = get_global_id(0);
  const int4 v = in[i];
  const uint4 u = as_uint4(v);
  ulong h = 1;
  if (v.x % 3 != 0) {
    h = h * 31 + (uint)__builtin_reduce_add(v);
    h = h * 31 + (uint)__builtin_reduce_mul(v);
    h = h * 31 + (uint)__builtin_reduce_and(v);
    h = h * 31 + (uint)__builtin_reduce_or(v);
    h = h * 31 + (uint)__builtin_reduce_xor(v);
    h = h * 31 + (uint)__builtin_reduce_max(v);
    h = h * 31 + (uint)__builtin_reduce_min(v);
    h = h * 31 + __builtin_reduce_max(u);
    h = h * 31 + __builtin_reduce_min(u);
    h = h * 31 + all(as_long2(v)) * 2 + any(as_long2(v));
  }
  result[i] = h;
}
