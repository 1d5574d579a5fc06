// Filters with clamped indices: edges, images narrower than a sub-group, rows side by side, clamps to either side,
// behind stores, under masks, in loops with barriers.
//! options -cl-std=CL3.0
//! kernel wide_image dims 2 global 80 21 local 16 7
//! arg out uint 1680 zero
//! arg in uint 1680 random 1
//! arg value int 50000000
//! arg value int 15000000
kernel void wide_image(global uint* out, global const uint* in, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  uint sum = 0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      int sx = clamp(x + dx, 0, width - 1), sy = clamp(y + dy, 0, height - 1);
      sum = sum * 5 + in[sy * width + sx];
    }
  out[y * width + x] = sum;
}
//! kernel narrow_image dims 2 global 64 16 local 64 8
//! arg out uint 1024 zero
//! arg in uint 128 random 2
//! arg value int 09000000
//! arg value int 05000000
kernel void narrow_image(global uint* out, global const uint* in, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  uint sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      int sx = clamp(x + dx, 0, width - 1), sy = clamp(y + dy, 0, height - 1);
      sum = sum * 3 + in[sy * width + sx];
    }
  out[y * 64 + x] = sum;
}
//! kernel one_side dims 1 global 1000 local 100
//! arg out uint 1000 zero
//! arg in uint 1024 random 3
//! arg value int bc020000
kernel void one_side(global uint* out, global const uint* in, int last) {
  int x = get_global_id(0);
  uint a = in[min(x + 3, last)], b = in[max(x - 50, 0)], c = in[min(x + 1, last)];
  out[x] = a * 7 + b * 3 + c;
}
//! kernel unsigned_sides dims 1 global 512 local 64
//! arg out uint 512 zero
//! arg in uint 1024 random 4
//! arg value uint 90010000
kernel void unsigned_sides(global uint* out, global const uint* in, uint last) {
  uint x = get_global_id(0);
  out[x] = in[min(x + 5u, last)] * 3 + in[min(x - 2u, last)] + in[(x + 0xfffffffeu) & 1023] + in[min(x, last)];
}
//! kernel behind_store dims 1 global 256 local 64
//! arg out uint 256 zero
//! arg out uint 256 zero
//! arg in uint 256 random 5
kernel void behind_store(global uint* out, global uint* other, global const uint* in) {
  int x = get_global_id(0);
  other[x] = in[x] >> 1;
  uint a = in[clamp(x - 1, 0, 255)], b = in[clamp(x + 1, 0, 255)];
  other[x] += a ^ b;
  out[x] = in[clamp(x - 2, 0, 255)] - in[clamp(x + 2, 0, 255)];
}
//! kernel masked dims 1 global 512 local 64
//! arg out uint 512 zero
//! arg in uint 512 random 6
kernel void masked(global uint* out, global const uint* in) {
  int x = get_global_id(0);
  uint sum = in[x];
  if (sum & 1) {
    sum += in[clamp(x - 1, 0, 511)] * 3;
    sum ^= in[clamp(x + 1, 0, 511)] * 5;
    if (sum & 2)
      for (int i = 1; i < (int)(sum & 7); ++i)
        sum += in[clamp(x - i, 0, 511)] * in[clamp(x + i, 0, 511)];
  }
  out[x] = sum;
}
//! kernel with_barriers dims 1 global 256 local 64
//! arg out uint 256 zero
//! arg in uint 256 random 7
kernel void with_barriers(global uint* out, global const uint* in) {
  local uint t[64];
  int l = get_local_id(0), g = get_global_id(0);
  uint sum = in[g];
  for (int i = 0; i < 5; ++i) {
    t[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint a = t[clamp(l - 1 - i, 0, 63)], b = t[clamp(l + 1 + i, 0, 63)], c = in[min(g + i, 255)];
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = a * 3 + b * 5 + c;
  }
  out[g] = sum;
}
// expect wide_image e3beee87b8dd3137
// expect narrow_image 0fa0172b1e0010d8
// expect one_side a01499cac8e7e957
// expect unsigned_sides 6d7c73ae2da030f4
// expect behind_store a6d4d174b2c319f2
// expect masked 7a566ce2fd8c0b64
// expect with_barriers 5c7ca316823f2f4f
