// Kernels that begin with bounds checks, of which sub-groups are all within, all outside, or both.
// expect below 39d90630fbbc68c4
// expect unsigned_narrow fb8608495db3472c
// expect wraps 80fddf70389ca977
// expect signed_wraps 55ec3c1b90eb106d
// expect tiny_limit 80ab1018b3349bd1
// expect no_limit 83104f9ce1f176de
// expect inner 35913b86a072dea6
// expect product f16389f14476946c
// expect one_by_one 492447fe0da51186
// expect strided 99b43d54ff31de0f
// expect above 38d75a77bcbec4bd
// expect private_array 2c217ef33c0c29b4
// expect last_rows 43ea0d5309d45992
// expect from_third 9ed5d39daaaad0aa
// expect borders e3f836d35920d27a
// expect one_column c78509d71ea7c718
// expect loads_first c8a041b41f9c0e1b
//! kernel below dims 1 global 320 local 64
//! arg out uint 320 zero
//! arg value uint c9000000
//! kernel unsigned_narrow dims 1 global 300 local 60 offset 40
//! arg out uint 400 random 1
//! arg value uint 2c010000
//! kernel wraps dims 1 global 256 local 64
//! arg out uint 256 random 2
//! arg value uint c0ffffff
//! arg value uint 20000000
//! kernel signed_wraps dims 1 global 256 local 64
//! arg out int 256 random 3
//! arg value int c0ffff7f
//! arg value int 90ffff7f
//! kernel tiny_limit dims 1 global 256 local 64
//! arg out uint 256 random 4
//! arg value int 03000000
//! kernel no_limit dims 1 global 256 local 64
//! arg out uint 256 random 4
//! arg value int 00000080
//! kernel inner dims 2 global 100 24 local 20 4
//! arg out float 2400 random 5
//! arg in float 2400 random 6
//! arg value int 64000000
//! arg value int 18000000
//! kernel product dims 2 global 96 40 local 32 8
//! arg out uint 4096 random 7
//! arg in uint 4096 random 8
//! arg value int 51000000
//! arg value int 1f000000
//! kernel one_by_one dims 2 global 64 16 local 32 8
//! arg out uint 1024 random 9
//! arg value uint 32000000
//! arg value ulong 0d00000000000000
//! kernel strided dims 1 global 256 local 128
//! arg out uint 2048 random 10
//! arg value uint 8d020000
//! kernel above dims 1 global 256 local 64
//! arg out uint 256 random 11
//! arg value uint 4b000000
//! kernel private_array dims 1 global 256 local 64
//! arg out uint 256 random 12
//! arg value uint 82000000
//! kernel last_rows dims 2 global 64 19 local 64 19
//! arg out uint 4096 random 13
//! arg in uint 4096 random 14
//! arg value int 12000000
//! kernel from_third dims 1 global 256 local 64
//! arg out uint 256 random 17
//! arg value ulong 2100000000000000
//! arg value ulong 0300000000000000
//! kernel borders dims 2 global 90 20 local 30 4
//! arg out uint 1800 random 18
//! arg in uint 1800 random 19
//! arg value int 5a000000
//! arg value int 14000000
//! kernel one_column dims 2 global 128 6 local 64 2
//! arg out uint 768 random 20
//! arg value uint 20000080
//! kernel loads_first dims 1 global 256 local 64
//! arg out uint 1024 random 15
//! arg in uint 256 random 16

kernel void below(global uint* out, uint n) {
  size_t i = get_global_id(0);
  if (i < n)
    out[i] = (uint)i * 3 + 1;
}
kernel void unsigned_narrow(global uint* out, uint n) {
  uint i = get_global_id(0);
  if (i >= n)
    return;
  out[i] = out[i] * 5 + i;
}
// Lanes pass zero.
kernel void wraps(global uint* out, uint from, uint n) {
  uint i = (uint)get_global_id(0) + from;
  if (i < n)
    out[get_global_id(0)] = i;
}
kernel void signed_wraps(global int* out, int from, int n) {
  int i = (int)((uint)get_global_id(0) + (uint)from);
  if (i <= n)
    out[get_global_id(0)] = i;
}
kernel void tiny_limit(global uint* out, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  out[i] = out[i] + i;
}
kernel void no_limit(global uint* out, int n) {
  int i = get_global_id(0);
  if (i > n)
    out[i] = out[i] ^ i;
}
kernel void inner(global float* out, global const float* in, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1) {
    int p = y * w + x;
    out[p] = in[p] + in[p - 1] + in[p + 1] + in[p - w] + in[p + w];
  }
}
kernel void product(global uint* out, global const uint* in, int n, int m) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= n || y >= m)
    return;
  uint sum = 0;
  for (int k = 0; k < 37; ++k)
    sum += in[y * 37 + k] * in[k * n + x];
  out[y * n + x] = sum;
}
kernel void one_by_one(global uint* out, uint w, ulong h) {
  uint x = get_global_id(0);
  if (x >= w)
    return;
  size_t y = get_global_id(1);
  if (y >= h)
    return;
  out[y * 64 + x] += x * 7 + (uint)y;
}
kernel void strided(global uint* out, uint n) {
  uint i = get_global_id(0) * 4;
  if (i + 3 < n) {
    out[i] += 1;
    out[i + 3] += out[i + 1] * i;
  }
}
kernel void above(global uint* out, uint n) {
  uint i = get_global_id(0);
  if (i >= n)
    out[i] += i;
}
kernel void private_array(global uint* out, uint n) {
  uint i = get_global_id(0), t[8];
  if (i >= n)
    return;
  for (int k = 0; k < 8; ++k)
    t[k] = out[i] * k;
  out[i] = t[i & 7] + t[(i >> 3) & 7];
}
kernel void last_rows(global uint* out, global const uint* in, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (y > h)
    return;
  uint sum = 0;
  for (int k = 0; k < 20; ++k)
    sum += in[y * 20 + k] * in[k * 64 + x];
  out[y * 64 + x] = sum;
}
// What is known of x - from holds behind the first comparison only.
kernel void from_third(global uint* out, ulong n, ulong from) {
  size_t x = get_global_id(0);
  if (x < from)
    return;
  if (x - from < n)
    out[x] += (uint)x;
}
kernel void borders(global uint* out, global const uint* in, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1), i = y * w + x;
  if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
    out[i] = in[i];
    return;
  }
  out[i] = in[i] * 3 + in[i - 1] + in[i + 1] + in[i - w] + in[i + w];
}
// Of one work-item a row, behind which both go on.
kernel void one_column(global uint* out, uint at) {
  uint x = (uint)get_global_id(0) + 0x80000000u, i = get_global_id(1) * 128 + get_global_id(0), v = out[i];
  if (x == at)
    v += 1000;
  else
    v ^= x;
  out[i] = v * 3;
}
// Where an index that is clamped fails its own check behind the first.
kernel void loads_first(global uint* out, global const uint* in) {
  uint i = get_global_id(0), limit = out[1000] % 150 + 90;
  if (i < limit)
    out[i] = in[min(i + 1, 200u)] + in[min(i + 3, 130u)] + in[min(i * 1u + 2, 255u)];
}
