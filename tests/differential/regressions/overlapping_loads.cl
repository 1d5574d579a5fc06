// Loads that overlap by some elements, of one and of two registers, with and without gaps.
// expect nine cc295f7b8c52b74c
// expect far acf248cf55f1db81
// expect wide 847e45cfa7e188b1
// expect tile ac286389a2a6454b
// expect negative e0d1af1f7cc02a4c
//! kernel nine dims 1 global 512 local 64
//! arg out uint 512 zero
//! arg in float 544 random 1
//! kernel far dims 1 global 256 local 256
//! arg out uint 256 zero
//! arg in uint 384 random 2
//! kernel wide dims 1 global 256 local 32
//! arg out ulong 256 zero
//! arg in ulong 320 random 3
//! kernel tile dims 1 global 384 local 128
//! arg out uint 384 zero
//! arg in uint 400 random 4
//! kernel negative dims 1 global 192 local 64
//! arg out uint 192 zero
//! arg in uint 256 random 6

kernel void nine(global uint* out, global const float* in) {
  size_t i = get_global_id(0);
  uint sum = 0;
  for (int k = 0; k < 9; ++k)
    sum = sum * 31 + as_uint(in[i + k]);
  out[i] = sum;
}

// Further apart than a register is long, with gaps in between.
kernel void far(global uint* out, global const uint* in) {
  size_t i = get_global_id(0);
  uint sum = 0;
  for (int k = 0; k < 40; ++k)
    if (k % 5 != 3)
      sum = sum * 31 + in[i + k];
  for (int k = 0; k < 20; ++k)
    sum = sum * 31 + in[i + 107 - k];
  out[i] = sum;
}

kernel void wide(global ulong* out, global const ulong* in) {
  size_t i = get_global_id(0);
  ulong sum = in[i + 1];
  for (int k = 2; k < 20; ++k)
    sum = sum * 31 + in[i + k];
  out[i] = sum;
}

kernel void tile(global uint* out, global const uint* in) {
  local uint t[144];
  event_t e = async_work_group_copy(t, in + get_group_id(0) * 128, 144, 0);
  wait_group_events(1, &e);
  size_t l = get_local_id(0);
  uint sum = 0;
  for (int k = 0; k < 16; ++k)
    sum = sum * 31 + t[l + k];
  out[get_global_id(0)] = sum;
}

kernel void negative(global uint* out, global const uint* in) {
  size_t i = get_global_id(0) + 32;
  uint sum = 0;
  for (int k = -9; k < 5; ++k)
    sum = (sum ^ in[i + k]) + (k ^ in[i - k]);
  out[i - 32] = sum;
}
