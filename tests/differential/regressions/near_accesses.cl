// Gathers and scatters within a few lines of memory, in orders that only the numbers tell.
// expect exchange bad9980ecd70a180
// expect crossed 62828f89d30be364
// expect sparse 8f82afc0243a7c83
// expect some db99d50b17812168
// expect twice 542b9ad440e9cea4
//! kernel exchange dims 1 global 512 local 256
//! arg out uint 1024 random 1
//! kernel crossed dims 1 global 200 local 40
//! arg out float 1024 random 3
//! arg value uint 05000000
//! kernel sparse dims 1 global 192 local 64
//! arg out int 2048 random 5
//! arg value uint 03000000
//! kernel some dims 1 global 128 local 128
//! arg out uint 1024 random 7
//! arg value uint 07000000
//! kernel twice dims 1 global 64 local 64
//! arg out uint 512 random 9
//! arg value uint 01000000

// A sorting network in local memory.
kernel void exchange(global uint* out) {
  local uint t[512];
  uint l = get_local_id(0), base = get_group_id(0) * 512;
  t[l] = out[base + l];
  t[l + 256] = out[base + l + 256];
  for (uint size = 2; size <= 512; size *= 2)
    for (uint stride = size / 2; stride > 0; stride /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint i = 2 * l - (l & (stride - 1)), j = i + stride;
      uint a = t[i], b = t[j];
      if ((a > b) == ((i & size) == 0)) {
        t[i] = b;
        t[j] = a;
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + l] = t[l];
  out[base + l + 256] = t[l + 256];
}

// Not in rising order, and below lane 0's.
kernel void crossed(global float* out, uint by) {
  uint i = get_global_id(0);
  float a = out[i ^ by], b = out[(i * 2) ^ 3];
  out[600 + (i ^ by)] = a + b;
}

// With gaps, up to the window's last element and past it.
kernel void sparse(global int* out, uint by) {
  uint i = get_global_id(0), at = i * 2 - (i & by), far = i * 2 + (i & 8) * 3;
  int a = out[at], b = out[far % 448];
  out[512 + at] = a;
  out[1024 + i * 2 + 1 + ((i & by) == 2)] = b;
}

// Lanes that take no part.
kernel void some(global uint* out, uint by) {
  uint i = get_global_id(0), at = 2 * i - (i & by), v = 0;
  if (out[i] & 1)
    v = out[at] + 1;
  if (out[i] & 2)
    out[256 + at] = v;
  if (i > 3)
    out[640 + at] += out[at ^ 2];
}

// Two lanes write to one place: one of them stays, here always the same value.
kernel void twice(global uint* out, uint by) {
  uint i = get_global_id(0);
  out[256 + (i >> by)] = out[i >> by] + (i >> 1) * 3;
}
