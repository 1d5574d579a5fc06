// Bytes at places that only each work-item knows, so many that the stores share a function
// (vectorize/emit/shared_lane_stores): of whole groups, and under masks.
//! options -cl-std=CL3.0
#pragma OPENCL FP_CONTRACT OFF

// expect in_whole_groups e2fb337fce35be2e
//! kernel in_whole_groups dims 1 global 64 local 32
//! arg out uchar 65536 zero
//! arg in uint 64 random 5
kernel void in_whole_groups(global uchar* text, global const uint* in) {
  size_t i = get_global_id(0);
  uint step = in[i] % 7 + 1;
  global uchar* own = text + i * 1024;
#pragma unroll
  for (uint k = 0; k < 128; ++k)
    own[(k * step) ^ 3] = k + i;
}
// expect under_masks 32067664daa3e6ae
//! kernel under_masks dims 1 global 61 local 61
//! arg out uchar 65536 zero
//! arg in uint 64 random 5
kernel void under_masks(global uchar* text, global const uint* in) {
  size_t i = get_global_id(0);
  uint step = in[i] % 7 + 1;
  global uchar* own = text + i * 1024;
  if (in[i] & 1) {
#pragma unroll
    for (uint k = 0; k < 128; ++k)
      own[(k * step) ^ 3] = k + i;
  }
}
// expect of_private_text 89cf3ec2cf4146d0
//! kernel of_private_text dims 1 global 64 local 32
//! arg out ulong 64 zero
//! arg in uint 64 random 5
kernel void of_private_text(global ulong* out, global const uint* in) {
  uchar text[256];
  size_t i = get_global_id(0);
  uint step = in[i] % 7 + 1;
  for (uint k = 0; k < 256; ++k)
    text[k] = k;
#pragma unroll
  for (uint k = 0; k < 128; ++k)
    text[((k * step) ^ 3) & 255] = k + i;
  ulong sum = 0;
  for (uint k = 0; k < 256; ++k)
    sum = sum * 31 + text[k];
  out[i] = sum;
}
