// Vectors stored to places that differ freely from lane to lane: scattered as words, or transposed and stored for each
// lane. Where a lane is not active, its index is anything.
// expect small f2f19b27711f28ba
// expect quarter 9fe34baa7c06c57d
// expect large 2470806c373264df
// expect unaligned 4a269b8e1275f75e
// expect guarded 6851627ad6fa9ecf
// expect rounds 6e08643225de3adc
// expect steps f42ca7374f1c4ed0
// expect one_place 5a3625e032a73895
// expect shared 041a32998d741e34
// expect pixels 7a8f2739d664d93e
//! kernel small dims 1 global 200 local 40
//! arg out uint 4096 random 1
//! arg in uint 256 permutation 2
//! arg in uint 256 random 3
//! kernel quarter dims 1 global 200 local 40
//! arg out uint 4096 random 4
//! arg in uint 256 permutation 5
//! arg in uint 256 random 6
//! kernel large dims 1 global 100 local 50
//! arg out uint 16384 random 7
//! arg in uint 128 permutation 8
//! arg in uint 256 random 9
//! kernel unaligned dims 1 global 200 local 8
//! arg out uint 4096 random 10
//! arg in uint 256 permutation 11
//! arg in uint 256 random 12
//! kernel guarded dims 1 global 256 local 64
//! arg out uint 4096 random 13
//! arg in uint 256 permutation 14
//! arg in uint 256 random 15
//! kernel rounds dims 1 global 130 local 65
//! arg out uint 4096 random 16
//! arg in uint 256 permutation 17
//! arg in uint 256 random 18
//! kernel steps dims 1 global 96 local 48
//! arg out uint 8192 random 19
//! arg in uint 256 random 20
//! kernel one_place dims 1 global 128 local 16
//! arg out uint 256 random 21
//! arg in uint 256 random 22
//! kernel shared dims 1 global 192 local 64
//! arg out uint 1024 random 23
//! arg in uint 64 permutation 24
//! arg in uint 256 random 25
//! kernel pixels dims 1 global 203 local 29
//! arg out uint 1024 random 26
//! arg in uint 256 random 27

// Of two, four and eight bytes.
kernel void small(global uint* out, global const uint* places, global const uint* in) {
  uint i = get_global_id(0), at = places[i], a = in[i], b = a * 77;
  ((global char2*)out)[at] = as_char4(a).zx;
  ((global uchar4*)(out + 256))[at] = as_uchar4(a).wxzy;
  ((global short2*)(out + 512))[at] = as_short2(b).yx;
  ((global char8*)(out + 768))[at] = (char8)(as_char4(b).zyxw, as_char4(a));
  ((global ushort4*)(out + 1280))[at] = (ushort4)(as_ushort2(a), as_ushort2(b).yx);
  ((global float2*)(out + 1792))[at] = (float2)(as_float(a), as_float(b));
  ((global int2*)(out + 2304))[at] = as_int2((uint2)(b, a ^ b));
}

// Of sixteen.
kernel void quarter(global uint* out, global const uint* places, global const uint* in) {
  uint i = get_global_id(0), at = places[i], a = in[i], b = a * 77, c = a ^ 12345, d = a >> 5;
  switch (a & 3) {
  case 0:
    ((global float4*)out)[at] = as_float4((uint4)(a, b, c, d));
    break;
  case 1:
    ((global char16*)out)[at] = as_char16((uint4)(a, b, c, d)).s13579bdf02468ace;
    break;
  case 2:
    ((global short8*)out)[at] = as_short8((uint4)(a, b, c, d)).s70615243;
    break;
  default:
    ((global ulong2*)out)[at] = (ulong2)(upsample(a, b), upsample(c, d));
  }
  ((global uint3*)(out + 1024))[at] = (uint3)(a, c, b + d);
  out[1024 + at * 4 + 3] = 0; // has been anything since
  ((global int4*)(out + 2048))[at] = as_int4((uint4)(d, a, c, b));
}

// Of 32, 64 and 128.
kernel void large(global uint* out, global const uint* places, global const uint* in) {
  uint i = get_global_id(0), at = places[i], a = in[i], b = a * 77, c = a ^ 12345, d = a >> 5;
  uint8 v = (uint8)(a, b, c, d, a + b, b * c, c + d, d ^ a);
  ulong8 w = (ulong8)(convert_ulong4(v.s0213), convert_ulong4(v.s4657) << 9);
  ((global ulong4*)out)[at] = w.s7351;
  ((global uint8*)(out + 1024))[at] = v.s75316420;
  ((global ulong8*)(out + 2048))[at] = w;
  ((global uint16*)(out + 4096))[at] = (uint16)(v, v.s01234567 * 3);
  ((global ulong16*)(out + 8192))[at] = (ulong16)(w, w >> 3);
}

// No more aligned than an element.
kernel void unaligned(global uint* out, global const uint* places, global const uint* in) {
  uint i = get_global_id(0), at = places[i], a = in[i], b = a * 77;
  global uint* odd = out + 1;
  vstore2((uint2)(a, b), at, odd);
  vstore3((uint3)(a, b, a ^ b), at, odd + 512);
  vstore4((uint4)(b, a, a ^ b, b - a), at, odd + 1280);
  vstore4(as_uchar4(a).wzxy, at, (global uchar*)(odd + 2304) + 1);
  vstore2(as_short2(b), at, (global short*)(odd + 2600) + 1);
}

// Indices past every buffer where nothing is stored.
kernel void guarded(global uint* out, global const uint* places, global const uint* in) {
  uint i = get_global_id(0), a = in[i], b = a * 77;
  ulong at = (a >> 16) % 5 < 2 ? places[i] : (ulong)a << 36 | 1ul << 60;
  if ((a >> 16) % 5 < 2) {
    ((global uint4*)out)[at] = (uint4)(a, b, a ^ b, i);
    ((global uint2*)(out + 1024))[at] = (uint2)(a, b);
    if (a & 1)
      ((global uchar4*)(out + 1536))[at] = as_uchar4(b);
    else
      ((global ulong4*)(out + 2048))[at & 127] = (ulong4)(at & 127, 1, 2, 3);
  }
  if (a == 77) { // nobody
    ((global uint4*)out)[at << 30] = (uint4)(a, b, a ^ b, i);
    ((global uint2*)out)[at << 31] = (uint2)(a, b);
  }
}

// For as long as a work-item goes on.
kernel void rounds(global uint* out, global const uint* places, global const uint* in) {
  uint i = get_global_id(0), at = places[i], a = in[i];
  for (uint k = 0; k < (a & 31); ++k) {
    uint4 v = ((global uint4*)out)[at];
    v = v.yzwx * 3 + k;
    if (v.x & 4)
      v.y ^= v.w;
    else
      ((global uint2*)(out + 1024))[at] = v.xw;
    ((global uint4*)out)[at] = v;
  }
}

// Far apart, at steps that are known.
kernel void steps(global uint* out, global const uint* in) {
  size_t i = get_global_id(0);
  uint a = in[i], b = a * 77;
  ((global uint4*)out)[i * 7] = (uint4)(a, b, a ^ b, i);
  ((global uint2*)(out + 2))[i * 14 + 1] = (uint2)(b, a);
  ((global uchar4*)(out + 6))[i * 28] = as_uchar4(b).zwxy;
  ((global ushort8*)(out + 8))[i * 7] = (ushort8)(as_ushort2(a), as_ushort2(b), 1, 2, 3, 4);
  if (a & 1)
    ((global ulong2*)(out + 12))[i * 7] = (ulong2)(a, b);
  else
    ((global char8*)(out + 16))[i * 14] = as_char8((uint2)(a, b)).s13570246;
}

// The last of a sub-group's is what stays: all bring the same.
kernel void one_place(global uint* out, global const uint* in) {
  uint i = get_global_id(0), at = get_group_id(0) * 2 + in[get_group_id(0)] % 2, l = get_local_id(0);
  ((global uint4*)out)[at + in[i] * 0 + (l >> 5)] = (uint4)(at, at * 3, at * 5, 7);
  ((global uint2*)(out + 128))[at] = (uint2)(at + 9, at);
}

// In local memory and in a work-item's own.
kernel void shared(global uint* out, global const uint* places, global const uint* in) {
  local uint4 quads[64];
  local uint2 pairs[64];
  local uchar4 bytes[64];
  uint4 own[4] = {1, 2, 3, 4};
  uint l = get_local_id(0), i = get_global_id(0), a = in[i];
  quads[places[l]] = (uint4)(a, i, a * 3, l);
  pairs[places[63 - l]] = (uint2)(a, i);
  bytes[places[l] ^ 1] = as_uchar4(a);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 0; k < 3; ++k)
    own[(a >> k) & 3] = quads[(l + k) & 63];
  uint4 sum = own[0] * 3 + own[1] * 5 + own[2] * 7 + own[3];
  out[i * 4] = sum.x + sum.y;
  out[i * 4 + 1] = sum.z ^ sum.w;
  out[i * 4 + 2] = pairs[l].x - pairs[l].y;
  out[i * 4 + 3] = as_uint(bytes[l]);
}

// Small vectors side by side, both ways, all lanes or some.
kernel void pixels(global uint* out, global const uint* in) {
  uint i = get_global_id(0);
  global uchar4* to = (global uchar4*)out;
  global const uchar4* from = (global const uchar4*)in;
  to[i] = (from[i].wzyx >> (uchar)1) + from[i + 1];
  ((global short2*)(out + 256))[255 - i] = ((global const short2*)in)[i].yx;
  if (to[i].x & 1)
    ((global char2*)(out + 512))[i] = ((global const char2*)in)[i].yx;
  else
    ((global ushort4*)(out + 640))[i & 127] = (ushort4)((i & 127), 1, 2, 3);
}
