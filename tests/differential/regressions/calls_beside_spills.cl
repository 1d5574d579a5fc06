// Vectors spilled between calls of a function of vectors. Its calling convention had the caller save the frame pointer,
// which moved the stack pointer, and hence the spills, by half of its alignment where stacks are probed.
// expect k ab403a9e1130d172
//! options -cl-std=CL3.0
#pragma OPENCL FP_CONTRACT OFF
//! kernel k dims 2 global 16 8
//! arg out ulong 128 zero
//! arg in uint 128 permutation 2950512508
//! arg out double 512 random 236808070
__attribute__((noinline)) double remainder_of(double x) {
  x -= fmod(x, x);
  return x;
}
kernel void k(global ulong* result, global const uint* perm, global double* own) {
  const uint gid = (uint)get_global_linear_id();
  if (gid >= 384)
    return;
  double one = remainder_of(own[128 + perm[gid]]);
  volatile double sum = one + remainder_of(1.0);
  float last = convert_float(remainder_of(1.0));
  result[gid] = gid;
}
