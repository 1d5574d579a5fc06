// Vectors by indices that differ freely from lane to lane: whole loads for each lane that are transposed, gathers of
// words that are taken apart. Where a lane is not active, its index is anything.
// expect small 5a986da26352b468
// expect quarter 19c8ecba9a0bc6b7
// expect large 1737325ec6c3f1fa
// expect unaligned 2b2e2a9ba239d410
// expect guarded 44e1eb1daba359f4
// expect chased 2ed6329b8aa3cc61
// expect steps 776ed717206a37a2
// expect planes b26aa1b9adda1110
// expect shared 0e685e43250cf4d6
//! kernel small dims 1 global 200 local 40
//! arg out uint 4096 zero
//! arg in uint 1024 random 1
//! arg in uint 256 random 2
//! kernel quarter dims 1 global 200 local 40
//! arg out uint 8192 zero
//! arg in uint 1024 random 3
//! arg in uint 256 random 4
//! kernel large dims 1 global 100 local 50
//! arg out uint 8192 zero
//! arg in uint 4096 random 5
//! arg in uint 256 random 6
//! kernel unaligned dims 1 global 200 local 8
//! arg out uint 4096 zero
//! arg in uint 1024 random 7
//! arg in uint 256 random 8
//! kernel guarded dims 1 global 256 local 64
//! arg out uint 4096 zero
//! arg in uint 1024 random 9
//! arg in uint 256 random 10
//! kernel chased dims 1 global 130 local 65
//! arg out uint 1024 zero
//! arg in uint 1024 random 11
//! arg in uint 256 random 12
//! kernel steps dims 1 global 96 local 48
//! arg out uint 2048 zero
//! arg in uint 8192 random 13
//! kernel planes dims 2 global 24 12 local 24 4
//! arg out uint 2048 zero
//! arg in uint 1024 random 14
//! arg in uint 512 random 15
//! kernel shared dims 1 global 192 local 64
//! arg out uint 2048 zero
//! arg in uint 256 random 16

// Of two, four and eight bytes.
kernel void small(global uint* out, global const uint* table, global const uint* indices) {
  uint i = get_global_id(0), at = indices[i], a = at & 511, b = (at >> 9) & 511;
  out += i * 14;
  out[0] = as_ushort(((global const char2*)table)[a]);
  out[1] = as_uint(((global const uchar4*)table)[b].wzyx);
  out[2] = as_uint(((global const short2*)table)[a].yx);
  out[3] = as_uint(((global const ushort2*)table)[b]);
  uint2 c = as_uint2(((global const char8*)table)[a].s70615243);
  out[4] = c.x + c.y;
  uint2 d = as_uint2(((global const short4*)table)[b].wxzy);
  out[5] = d.x - d.y;
  float2 e = ((global const float2*)table)[a];
  out[6] = as_uint(e.x);
  out[7] = as_uint(e.y);
  int2 f = ((global const int2*)table)[b];
  out[8] = f.x ^ f.y;
  uint2 g = ((global const uint2*)table)[(a + b) & 511];
  out[9] = g.x * g.y;
}

// Of sixteen.
kernel void quarter(global uint* out, global const uint* table, global const uint* indices) {
  uint i = get_global_id(0), at = indices[i], a = at & 255, b = (at >> 9) & 255;
  out += i * 24;
  vstore4(as_uint4(((global const float4*)table)[a].wzxy), 0, out);
  vstore3(as_uint3(((global const float3*)table)[b].zxy), 0, out + 4);
  vstore4(as_uint4(((global const char16*)table)[a].s13579bdf02468ace), 0, out + 7);
  uint4 c = as_uint4(((global const short8*)table)[b].s70615243);
  out[11] = c.x + c.y * c.z - c.w;
  int4 d = ((global const int4*)table)[b];
  out[12] = d.x ^ d.z;
  out[13] = d.y & d.w;
  ulong2 e = ((global const ulong2*)table)[a];
  out[14] = e.x ^ e.y >> 32;
  out[15] = e.y + (e.x >> 7);
}

// Of 32, 64 and 128.
kernel void large(global uint* out, global const uint* table, global const uint* indices) {
  uint i = get_global_id(0), at = indices[i], a = at & 31, b = (at >> 9) & 31;
  out += i * 64;
  vstore8(as_uint8(((global const double4*)table)[a].wyxz), 0, out);
  vstore8(as_uint8(((global const float8*)table)[b].s76543210), 0, out + 8);
  vstore16(as_uint16(((global const double8*)table)[a].s05274163), 0, out + 16);
  vstore16(((global const uint16*)table)[b].s012345678f9edcab, 0, out + 32);
  ulong16 c = ((global const ulong16*)table)[a];
  out[48] = c.s0 ^ c.s5 ^ c.sa ^ c.sf;
  out[49] = (c.s1 + c.s6 + c.sb + c.s3) >> 16;
}

// No more aligned than an element.
kernel void unaligned(global uint* out, global const uint* table, global const uint* indices) {
  uint i = get_global_id(0), at = indices[i], a = at & 127, b = (at >> 9) & 127;
  out += i * 20;
  global const uint* odd = table + 1 + 2 * (at >> 31);
  vstore2(vload2(a, odd), 0, out);
  vstore3(vload3(b, odd), 0, out + 2);
  vstore4(vload4(a, odd), 0, out + 5);
  vstore8(vload8(b & 63, odd), 0, out + 9);
  uint2 c = as_uint2(vload8(a, (global const uchar*)odd + 3));
  out[17] = c.x + c.y;
  out[18] = as_uint(vload4(b, (global const char*)odd + 1));
  out[19] = as_uint(vload2(a, (global const short*)odd + 1));
}

// Indices past every buffer where nothing is loaded.
kernel void guarded(global uint* out, global const uint* table, global const uint* indices) {
  uint i = get_global_id(0), at = indices[i] >> 20, sum = i;
  ulong far = at < 1536 ? at & 127 : (ulong)at << 40;
  if (far < 128) {
    uint4 a = ((global const uint4*)table)[far];
    uint2 b = ((global const uint2*)table)[far];
    sum += a.x * a.y + a.z * a.w + b.x - b.y;
    if (a.x & 1) {
      uchar4 c = ((global const uchar4*)table)[far];
      ushort8 d = ((global const ushort8*)table)[far];
      sum += c.x * c.y + c.z * c.w + d.s0 * (uint)d.s7 + d.s3;
    } else {
      uchar2 c = ((global const uchar2*)table)[far];
      ulong4 d = ((global const ulong4*)table)[far];
      sum += c.x * c.y + d.x + d.w;
    }
  }
  if (indices[i] == 77) { // nobody
    at = indices[i];
    uint4 a = ((global const uint4*)table)[(ulong)at << 30];
    uint2 b = ((global const uint2*)table)[(ulong)at << 31];
    sum += a.x + a.y * a.z + a.w + b.x * b.y;
  }
  out[i] = sum;
}

// What is loaded says where to go on, for as long as it does.
kernel void chased(global uint* out, global const uint* table, global const uint* indices) {
  uint i = get_global_id(0), at = indices[i] & 127, sum = 0, rounds = 0;
  while (rounds < 40) {
    uint4 a = ((global const uint4*)table)[at];
    short s = (short)(a.x & 127);
    uint2 b = ((global const uint2*)table)[s];
    sum = sum * 31 + a.y + b.x - a.w;
    at = b.y & 255;
    ++rounds;
    if ((a.z & 15) == 3)
      break;
    if ((b.x & 3) == 1)
      continue;
    ushort4 c = ((global const ushort4*)table)[at];
    sum ^= c.x * (uint)c.w + c.y;
  }
  out[i * 2] = sum;
  out[i * 2 + 1] = rounds;
}

// Far apart, at steps that are known.
kernel void steps(global uint* out, global const uint* table) {
  uint i = get_global_id(0);
  size_t l = get_global_id(0);
  uint4 a = ((global const uint4*)table)[l * 7];
  uint2 b = ((global const uint2*)table)[l * 11 + 1];
  uchar4 c = ((global const uchar4*)table)[l * 5];
  ushort8 d = ((global const ushort8*)table)[900 - l * 9];
  uint sum = a.x + a.y * a.z - a.w;
  if (b.x & 1) {
    ulong2 e = ((global const ulong2*)table)[l * 3];
    short4 f = ((global const short4*)table)[l * 13];
    sum += e.x + (e.y >> 8) + f.x - f.w;
  }
  out[i * 3] = sum;
  out[i * 3 + 1] = b.x * b.y + c.x + c.y * c.z * c.w;
  out[i * 3 + 2] = d.s0 + d.s1 * (uint)d.s2 - d.s5 * (uint)d.s7;
}

// In several dimensions, with what differs by x or y alone.
kernel void planes(global uint* out, global const uint* table, global const uint* indices) {
  uint x = get_global_id(0), y = get_global_id(1);
  uint sum = 0;
  for (uint k = 0; k < 8; ++k) {
    uint4 a = ((global const uint4*)table)[indices[x * 8 + k] & 255];
    uint2 b = ((global const uint2*)table)[indices[y * 8 + k + 200] & 511];
    sum = sum * 17 + a.x * b.x + a.w * b.y;
    if ((a.y ^ y) & 1)
      sum += ((global const ushort4*)table)[(x * y + k) & 511].z;
  }
  out[y * 24 + x] = sum;
}

// In local memory and in a work-item's own.
kernel void shared(global uint* out, global const uint* indices) {
  local uint4 quads[64];
  local uint2 pairs[64];
  uint4 own[4];
  uint l = get_local_id(0), i = get_global_id(0);
  quads[l] = (uint4)(i, i * 3, i * 5, indices[i]);
  pairs[l] = (uint2)(indices[i] >> 3, i * 7);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint at = indices[i], sum = 0;
  for (uint k = 0; k < 4; ++k)
    own[(k + i) & 3] = quads[(at + k * 5) & 63] + k;
  for (uint k = 0; k < 4; ++k) {
    uint4 a = own[(at >> k) & 3];
    uint2 b = pairs[(at >> (k * 6)) & 63];
    sum = sum * 13 + a.x + a.y * a.z + a.w + b.x * b.y;
  }
  out[i] = sum;
}
