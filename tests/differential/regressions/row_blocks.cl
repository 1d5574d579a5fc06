// Rows of a group that run side by side because they share loads: whole blocks, rows that are left, groups in three
// dimensions, branches that lanes take apart, and values that stay in frames over barriers.
//! options -cl-std=CL3.0
//! kernel product dims 2 global 64 40 local 32 20
//! arg out int 2560 zero
//! arg in int 2560 random 1
//! arg in int 4096 random 2
kernel void product(global int* c, global const int* a, global const int* b) {
  uint x = get_global_id(0), y = get_global_id(1);
  int sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += (a[y * 64 + k] & 0xff) * (b[k * 64 + x] & 0xff);
  c[y * 64 + x] = sum;
}
//! kernel layers dims 3 global 64 22 3 local 64 11 3
//! arg out uint 4224 zero
//! arg in uint 4096 random 3
kernel void layers(global uint* out, global const uint* in) {
  uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  uint sum = z;
  for (uint k = 0; k < 13; ++k)
    sum = (sum ^ (in[k * 64 + x] + y)) * (in[(y * 16 + k) & 4095] | 1);
  out[(z * 22 + y) * 64 + x] = sum;
}
//! kernel apart dims 2 global 64 16 local 64 16
//! arg out uint 1024 zero
//! arg in uint 4096 random 4
kernel void apart(global uint* out, global const uint* in) {
  uint x = get_global_id(0), y = get_global_id(1);
  uint sum = 0;
  for (uint k = 0; k < 24; ++k) {
    uint v = in[k * 64 + x];
    if (v & 1)
      sum += v * (y + 3);
    else if (v & 2)
      continue;
    for (uint i = 0; i < (x & 3); ++i)
      sum ^= v + i * y;
  }
  out[y * 64 + x] = sum;
}
//! kernel tiled dims 2 global 48 48 local 16 16
//! arg out uint 2304 zero
//! arg in uint 2304 random 5
//! arg in uint 2304 random 6
kernel void tiled(global uint* c, global const uint* a, global const uint* b) {
  local uint ta[16][16], tb[16][16];
  int x = get_local_id(0), y = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
  uint sum = 0;
  for (int t = 0; t < 48; t += 16) {
    ta[y][x] = a[row * 48 + t + x];
    tb[y][x] = b[(t + y) * 48 + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k)
      sum += ta[y][k] * tb[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * 48 + col] = sum;
}
//! kernel tiled_odd dims 2 global 64 26 local 32 13
//! arg out uint 1664 zero
//! arg in uint 4096 random 7
kernel void tiled_odd(global uint* out, global const uint* in) {
  local uint t[64];
  uint x = get_local_id(0), y = get_local_id(1), sum = 0, last = y;
  for (uint round = 0; round < 5; ++round) {
    if (y < 2)
      t[y * 32 + x] = in[round * 64 + y * 32 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 8; ++k)
      sum += t[(k * 32 + x) & 63] * (last + k);
    last = sum >> 3;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(1) * 64 + get_global_id(0)] = sum ^ last;
}
// A variable of a loop that is wanted again behind a barrier after its next value has been made.
//! kernel wanted_again dims 1 global 128 local 64
//! arg out uint 128 zero
//! arg in uint 128 random 8
kernel void wanted_again(global uint* out, global const uint* in) {
  local uint t[64];
  uint l = get_local_id(0), g = get_global_id(0), v = in[g], n = 0, sum = 0;
  for (;;) {
    uint next = v * 1664525u + 1013904223u;
    t[l] = next;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += t[l ^ 1];
    if (++n == 7) {
      barrier(CLK_LOCAL_MEM_FENCE);
      sum ^= v + t[l ^ 5] + next;
      break;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += next;
    v = next;
  }
  out[g] = sum;
}
//! kernel two_loops dims 1 global 128 local 64
//! arg out uint 128 zero
//! arg in uint 128 random 9
kernel void two_loops(global uint* out, global const uint* in) {
  local uint t[64];
  uint l = get_local_id(0), g = get_global_id(0), a = in[g], b = ~a;
  for (uint i = 0; i < 4; ++i) {
    for (uint k = 0; k < 3; ++k) {
      t[l] = a;
      barrier(CLK_LOCAL_MEM_FENCE);
      uint other = t[(l + k) & 63];
      barrier(CLK_LOCAL_MEM_FENCE);
      uint old = a;
      a = b + other;
      b = old;
    }
    t[l] = b;
    barrier(CLK_LOCAL_MEM_FENCE);
    b = a ^ t[63 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[g] = a + b;
}
// expect product 03d86271736822d7
// expect layers d420bdadc090f966
// expect apart 9cdf6c759c311ea8
// expect tiled 1a53b1061269a036
// expect tiled_odd ebca1634bdef0dd9
// expect wanted_again d6b7b745566a3a94
// expect two_loops 03889537a67d6ad6
