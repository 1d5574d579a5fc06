// One bit of a component: optimisers make the load one of a vector of bits, which have no addresses.
//! options -cl-std=CL3.0
// expect bit cdbedb18061737ba
//! kernel bit dims 1 global 32 local 32
//! arg in char 128 random 1265751251
//! arg in float 66 random 2257155483
//! arg out float 32 zero
kernel void bit(global const char4* in, global const float* a, global float* b) {
  const uint gid = (uint)get_global_id(0);
  b[gid] = a[(in[gid].s1 & 1) * 33 + gid];
}
