// Ids, sums and products of them that are narrowed to 32 bits and cross a multiple of 2^31 or 2^32
// within one sub-group.
//! options -cl-std=CL3.0
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL FP_CONTRACT OFF
#define OUT out[get_global_linear_id()]

// expect unsigned_id 5bdd05dc5112aacd
//! kernel unsigned_id dims 1 global 96 local 32 offset 4294967270
//! arg out ulong 96 zero
kernel void unsigned_id(global ulong* out) {
  uint n = (uint)get_global_id(0);
  OUT = n;
}
// expect unsigned_id_whole_groups 82f1d5b7e82b19bf
//! kernel unsigned_id_whole_groups dims 1 global 256 local 64 offset 4294967232
//! arg out ulong 256 zero
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void unsigned_id_whole_groups(global ulong* out) {
  uint n = (uint)get_global_id(0) + 8;
  OUT = (ulong)(n + 9) * 3;
}
// expect loop_from_id cc4b50cdefaf8405
//! kernel loop_from_id dims 1 global 96 local 32 offset 4294967270
//! arg out ulong 96 zero
//! arg in uint 128 random 5
kernel void loop_from_id(global ulong* out, global const uint* in) {
  uint n = (uint)get_global_id(0);
  ulong s = (ulong)n * 5;
  for (uint i = n; i < 100; i += 32)
    s = s * 3 + in[i] + i;
  OUT = s;
}
// expect either_side 39399cd754562340
//! kernel either_side dims 1 global 96 local 32 offset 4294967270
//! arg out ulong 96 zero
//! arg in uint 128 random 5
kernel void either_side(global ulong* out, global const uint* in) {
  uint n = (uint)get_global_id(0);
  ulong s = 0;
  if (n < 200)
    s = in[n];
  else
    s = in[~n];
  OUT = s;
}
// expect id_and_constant bfb9470c92dc90c6
//! kernel id_and_constant dims 1 global 96 local 32 offset 4294967270
//! arg out ulong 96 zero
kernel void id_and_constant(global ulong* out) {
  uint n = (uint)get_global_id(0);
  OUT = (ulong)(n + 3);
}
// expect id_less_constant 39bb8bdc082f72ce
//! kernel id_less_constant dims 1 global 96 local 48 offset 4294967302
//! arg out ulong 96 zero
kernel void id_less_constant(global ulong* out) {
  uint n = (uint)get_global_id(0);
  OUT = (ulong)(n - 33) + (ulong)(n - 80);
}
// expect signed_id d02095afd4290d75
//! kernel signed_id dims 1 global 100 local 50 offset 2147483630
//! arg out long 100 zero
//! arg in int 128 random 6
kernel void signed_id(global long* out, global const int* in) {
  int n = (int)get_global_id(0);
  long s = n < 0 ? in[n - (-2147483647 - 1)] : in[2147483647 - n];
  OUT = (long)n * 2 + s;
}
// expect signed_id_less_constant 924ed3fdd5e2d83e
//! kernel signed_id_less_constant dims 1 global 100 local 50 offset 2147483650
//! arg out long 100 zero
kernel void signed_id_less_constant(global long* out) {
  int n = (int)(get_global_id(0) - 17);
  OUT = (long)n + (int)(get_global_id(0) - 60);
}
// expect below_zero 343ead45036b607e
//! kernel below_zero dims 1 global 64 local 64
//! arg out long 64 zero
kernel void below_zero(global long* out) {
  int n = (int)get_global_id(0) - 9;
  OUT = (long)n * 5 + (long)(uint)n;
}
// expect without_offset c02048b512322aaa
//! kernel without_offset dims 1 global 96 local 32 offset 4294967270
//! arg out ulong 96 zero
//! arg in uint 128 random 7
kernel void without_offset(global ulong* out, global const uint* in) {
  uint n = (uint)(get_global_id(0) - get_global_offset(0));
  uint m = (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0) + get_global_offset(0));
  OUT = (ulong)in[n + 1] + m;
}
// expect times_two 5cf978a69e5774f6
//! kernel times_two dims 1 global 96 local 96 offset 2147483600
//! arg out ulong 96 zero
kernel void times_two(global ulong* out) {
  uint n = (uint)(get_global_id(0) * 2);
  int m = (int)(get_global_id(0) * 3 + 7);
  OUT = (ulong)n + (ulong)m * 7;
}
// expect downwards abe1e602dd9a884d
//! kernel downwards dims 1 global 96 local 96 offset 2147483600
//! arg out ulong 96 zero
kernel void downwards(global ulong* out) {
  uint n = (uint)(get_global_size(0) - get_global_id(0));
  int m = (int)(5000 - get_global_id(0));
  OUT = (ulong)n + (ulong)m * 7;
}
// expect local_id_times_factor ea8b47e94c31c05a
//! kernel local_id_times_factor dims 1 global 4096 local 4096
//! arg out ulong 4096 zero
kernel void local_id_times_factor(global ulong* out) {
  uint n = (uint)(get_local_id(0) * 1048575ul);
  int m = (int)(get_local_id(0) * 524288ul - 5);
  int o = (int)(get_local_id(0) * 4096ul - 4096);
  OUT = (ulong)n + (ulong)m * 7 + (ulong)o * 11;
}
// expect two_dimensions 775aaec448f0e64d
//! kernel two_dimensions dims 2 global 60 6 local 20 3 offset 2147483630 4294967294
//! arg out long 360 zero
//! arg in int 512 random 8
kernel void two_dimensions(global long* out, global const int* in) {
  int x = (int)get_global_id(0), y = (int)get_global_id(1);
  uint i = (uint)(y + 2) * 60u + (uint)x - 2147483630u;
  OUT = (long)x + (long)y * 3 + in[i];
}
// expect narrow_rows 243a9441c195773d
//! kernel narrow_rows dims 2 global 6 12 local 3 4 offset 4294967290 2147483640
//! arg out long 72 zero
kernel void narrow_rows(global long* out) {
  uint x = (uint)get_global_id(0), y = (uint)get_global_id(1);
  OUT = (long)x + (long)y * 3 + (long)(int)y;
}
// expect across_barriers 265e3d7e4924740d
//! kernel across_barriers dims 1 global 144 local 48 offset 2147483610
//! arg out long 144 zero
kernel void across_barriers(global long* out) {
  local long seen[48];
  int n = (int)get_global_id(0);
  int l = (int)get_local_id(0);
  long wide = n;
  seen[l] = wide * 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  wide += seen[47 - l];
  for (int i = 1; i < 4; ++i) {
    barrier(CLK_LOCAL_MEM_FENCE);
    seen[l] = wide ^ (long)(int)((uint)n + i - 2 * i);
    barrier(CLK_LOCAL_MEM_FENCE);
    wide += seen[(l + i) % 48];
  }
  OUT = wide;
}
// expect barriers_in_rows 42ac0f3001462265
//! kernel barriers_in_rows dims 2 global 40 8 local 20 4 offset 4294967280 4294967292
//! arg out long 320 zero
kernel void barriers_in_rows(global long* out) {
  local ulong seen[80];
  uint n = (uint)get_global_id(0);
  seen[get_local_linear_id()] = n;
  barrier(CLK_LOCAL_MEM_FENCE);
  OUT = (long)(seen[79 - get_local_linear_id()] * 3 + n);
}
// expect lane_functions a6f3b11ca03d3a85
//! kernel lane_functions dims 1 global 150 local 50 offset 4294967260
//! arg out long 150 zero
kernel void lane_functions(global long* out) {
  uint n = (uint)get_global_id(0);
  ulong sum = work_group_scan_inclusive_add((ulong)n);
  ulong most = work_group_reduce_max((ulong)n);
  OUT = (long)(sum * 3 + most * 5 + (ulong)sub_group_all((ulong)n == (uint)get_global_id(0)));
}
// expect lane_functions_in_rows 4ed0642f521d67c5
//! kernel lane_functions_in_rows dims 2 global 40 6 local 20 3 offset 2147483630 7
//! arg out long 240 zero
kernel void lane_functions_in_rows(global long* out) {
  int n = (int)get_global_id(0);
  long most = work_group_reduce_max((long)n), least = work_group_reduce_min((long)n);
  OUT = most * 3 + least * 5 + n;
}
// expect smaller_group eb9a1c5057f6035b
//! kernel smaller_group dims 1 global 75 local 50 offset 4294967250
//! arg out long 75 zero
kernel void smaller_group(global long* out) {
  uint n = (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0) + 4294967260ul);
  OUT = (long)n * 3 + (long)(uint)get_global_id(0);
}
// expect idle_first_lane ff6004d613f06e27
//! kernel idle_first_lane dims 1 global 64 local 32
//! arg out ulong 64 zero
//! arg in uint 4096 random 9
kernel void idle_first_lane(global ulong* out, global const uint* in) {
  ulong g = get_global_id(0), s = g;
  if (g >= 10 && g < 1000) {
    uint n = (uint)(g - 10);
    s += in[n * 3u + 5u] + (ulong)n * 7;
    if (n >= 20) {
      n -= 20;
      s ^= in[n + 4] + (ulong)n;
    }
  }
  OUT = s;
}
// expect first_lane_leaves_first 256552e4017aba2c
//! kernel first_lane_leaves_first dims 1 global 64 local 32
//! arg out ulong 64 zero
//! arg in uint 256 random 9
kernel void first_lane_leaves_first(global ulong* out, global const uint* in) {
  ulong s = 0;
  for (int i = 2147483600 - (int)get_local_id(0); i < 2147483646; ++i)
    s = s * 3 + in[i - 2147483500];
  OUT = s;
}
// expect blocks_of_rows ca9964492c1bd7ee
//! kernel blocks_of_rows dims 2 global 64 16 local 32 8 offset 4294967270
//! arg out uint 1024 zero
//! arg in uint 2048 random 10
//! arg in uint 8192 random 11
//! arg value int 40000000
kernel void blocks_of_rows(global uint* out, global const uint* a, global const uint* b, int n) {
  uint x = (uint)get_global_id(0), y = (uint)get_global_id(1);
  ulong wrapped = (ulong)x % 61;
  uint sum = 0;
  for (int k = 0; k < n; ++k)
    sum = (sum ^ a[y * 64 + k]) * (b[k * 64 + wrapped] | 1);
  OUT = sum;
}
// All of a group have wrapped around, and do not wrap against each other.
// expect sum_of_a_whole_group dceccb6b79dd45d1
//! kernel sum_of_a_whole_group dims 1 global 64 local 32 offset 8589934564
//! arg out ulong 64 zero
//! arg in uint 64 random 5
kernel void sum_of_a_whole_group(global ulong* out, global const uint* in) {
  uint n = (uint)get_global_id(0) + 28;
  OUT = in[n];
}
// expect product_of_a_whole_group 774eb97bc4208ece
//! kernel product_of_a_whole_group dims 1 global 64 local 32 offset 1073741824
//! arg out ulong 64 zero
//! arg in uint 256 random 5
kernel void product_of_a_whole_group(global ulong* out, global const uint* in) {
  uint n = (uint)get_global_id(0) * 4;
  OUT = in[n] + in[n + 1];
}
