// Pointers that differ between work-items: into one of two buffers, of two variables, in a function.
//! options -cl-std=CL3.0
// expect choose 7252393b59db20e8
float first(global const float* p, uint n) {
  for (uint i = 0; i < n; ++i)
    if (p[i] > 20.0f)
      return p[i] * 0.5f;
  return -1.0f;
}

//! kernel choose dims 1 global 45 local 3
//! arg out float 90 zero
//! arg in float 256 random 16
//! arg in float 256 random 17
kernel void choose(global float* out, global const float* a, global const float* restrict b) {
  const uint gid = (uint)get_global_id(0);
  global const float* p = (gid & 1u) ? a + gid : b + (gid >> 1);
  float x = first(p, (gid & 7u) + 1u), y = 2.0f;
  float* q = x > 10.0f ? &x : &y;
  *q += 3.0f;
  volatile float z = x;
  z = z + 1.0f;
  out[gid * 2] = fabs(x) < 1e30f ? z : 0.0f;
  out[gid * 2 + 1] = y;
}
