// Groups that follow each other in x and are run as one row: sizes that do not fill sub-groups, several rows, edges of
// non-uniform ranges, offsets, kernels that can tell groups apart after all.
//! options -cl-std=CL3.0
//! kernel one_row dims 1 global 1001 local 3 offset 17
//! arg out uint 1024 zero
//! arg in uint 1024 random 1
kernel void one_row(global uint* out, global const uint* in) {
  size_t i = get_global_id(0);
  out[i] = in[i] * 3 + (uint)get_global_size(0) + (uint)get_num_groups(0) + (uint)get_enqueued_local_size(0);
}
//! kernel rows dims 2 global 50 11 local 7 4 offset 3 5
//! arg out uint 1024 zero
//! arg in uint 1024 random 2
kernel void rows(global uint* out, global const uint* in) {
  int x = get_global_id(0), y = get_global_id(1);
  uint v = in[y * 60 + x];
  out[y * 60 + x] = v ^ (x * 1000 + y) ^ ((uint)get_local_id(1) << 8) ^ ((uint)get_group_id(1) << 16) ^ (uint)get_local_size(1);
}
//! kernel planes dims 3 global 20 5 3 local 3 2 2
//! arg out uint 300 zero
kernel void planes(global uint* out) {
  uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  out[(z * 5 + y) * 20 + x] = x + 100 * y + 10000 * z + 7 * (uint)get_global_linear_id();
}
//! kernel loops dims 2 global 96 12 local 8 3
//! arg out uint 1152 zero
//! arg in uint 1152 random 3
kernel void loops(global uint* out, global const uint* in) {
  int x = get_global_id(0), y = get_global_id(1);
  uint sum = 0;
  for (int i = 0; i < 12; ++i)
    sum = sum * 31 + in[i * 96 + x] * (y + 1);
  out[y * 96 + x] = sum;
}
//! kernel looks_at_local_id dims 1 global 700 local 5
//! arg out uint 700 zero
kernel void looks_at_local_id(global uint* out) {
  size_t i = get_global_id(0);
  out[i] = (uint)get_local_id(0) + 10 * (uint)(i - get_local_id(0));
}
//! kernel looks_at_group dims 1 global 703 local 5
//! arg out uint 703 zero
kernel void looks_at_group(global uint* out) {
  size_t i = get_global_id(0);
  out[i] = (uint)get_group_id(0) * 3 + (uint)get_local_size(0);
}
//! kernel first_of_group dims 1 global 640 local 8 offset 64
//! arg out uint 704 zero
kernel void first_of_group(global uint* out) {
  size_t i = get_global_id(0);
  out[i] = (uint)(get_group_id(0) * get_enqueued_local_size(0)) + (uint)(i - get_global_offset(0));
}
//! kernel one_places dims 1 global 515 local 1
//! arg out uint 515 zero
//! arg in uint 515 random 4
kernel void one_places(global uint* out, global const uint* in) {
  uint i = get_global_id(0);
  uint v = in[i];
  for (int n = 0; n < 20 && (v & 7); ++n)
    v = v * 5 + i;
  out[i] = v;
}
// expect one_row 051e51c31730cd82
// expect rows a1a5862dde451dc6
// expect planes 3c2026ef9996cd8c
// expect loops b3b1d07e61938274
// expect looks_at_local_id 9c915853accfd202
// expect looks_at_group 3645b2a1b7a9daed
// expect first_of_group 1cef71bcc96d8e25
// expect one_places 5e68229373f82cb7
