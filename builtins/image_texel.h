// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of texels: up to 16 bytes as four words, the channels in memory order from the least
// significant bit, absent ones zero.
#ifndef HEDDLE_IMAGE_TEXEL_H
#define HEDDLE_IMAGE_TEXEL_H

#include "image.h"

// Texels are aligned to their channels.
typedef uint Uint2 __attribute__((ext_vector_type(2), aligned(2)));
typedef uint Uint4 __attribute__((ext_vector_type(4), aligned(4)));

// A texel of RAW10 or RAW12, whose packs have so many bytes: the upper 8 bits of each texel, and then
// the lower ones of all.
HELPER uint load_raw(uint bytes, Bytes row, int x) {
  const uint shift = bytes == 5 ? 2 : 1, low_bits = bytes == 5 ? 2 : 4;
  const uint texels = 1u << shift, i = (uint)x & (texels - 1);
  const Bytes pack = row + ((uint)x >> shift) * bytes;
  const uint low = (uint)pack[texels] >> i * low_bits & ((1u << low_bits) - 1);
  return (uint)pack[i] << low_bits | low;
}

// Loads n texels of the same size, which is a power of two.
HELPER void load_texels(uint bytes, const __private Bytes* rows, const __private int* x,
                        __private uint4* bits, const int n) {
  if (bytes == 4) {
    UNROLL for (int k = 0; k < n; ++k)
      bits[k] = (uint4)(((__global const uint*)rows[k])[x[k]], 0, 0, 0);
  } else if (bytes == 16) {
    UNROLL for (int k = 0; k < n; ++k)
      bits[k] = ((__global const Uint4*)rows[k])[x[k]];
  } else if (bytes == 1) {
    UNROLL for (int k = 0; k < n; ++k)
      bits[k] = (uint4)(rows[k][x[k]], 0, 0, 0);
  } else if (bytes == 8) {
    UNROLL for (int k = 0; k < n; ++k)
      bits[k] = (uint4)(((__global const Uint2*)rows[k])[x[k]], 0, 0);
  } else {
    UNROLL for (int k = 0; k < n; ++k)
      bits[k] = (uint4)(((__global const ushort*)rows[k])[x[k]], 0, 0, 0);
  }
}

HELPER void store_texel(uint bytes, Bytes row, int x, uint4 bits) {
  if (bytes == 4)
    ((__global uint*)row)[x] = bits.x;
  else if (bytes == 16)
    ((__global Uint4*)row)[x] = bits;
  else if (bytes == 1)
    row[x] = (uchar)bits.x;
  else if (bytes == 8)
    ((__global Uint2*)row)[x] = bits.xy;
  else
    ((__global ushort*)row)[x] = (ushort)bits.x;
}

HELPER uint4 channels_of_8(uint4 bits) {
  return (uint4)(bits.x & 0xff, bits.x >> 8 & 0xff, bits.x >> 16 & 0xff, bits.x >> 24);
}
HELPER uint4 channels_of_16(uint4 bits) {
  return (uint4)(bits.x & 0xffff, bits.x >> 16, bits.y & 0xffff, bits.y >> 16);
}
HELPER int4 signed_channels_of_8(uint4 bits) {
  return (int4)((int)(bits.x << 24) >> 24, (int)(bits.x << 16) >> 24, (int)(bits.x << 8) >> 24,
                (int)bits.x >> 24);
}
HELPER int4 signed_channels_of_16(uint4 bits) {
  return (int4)((int)(bits.x << 16) >> 16, (int)bits.x >> 16, (int)(bits.y << 16) >> 16,
                (int)bits.y >> 16);
}
// The low bits of each channel must be all that is set.
HELPER uint4 bits_of_8(uint4 c) {
  return (uint4)(c.x | c.y << 8 | c.z << 16 | c.w << 24, 0, 0, 0);
}
HELPER uint4 bits_of_16(uint4 c) { return (uint4)(c.x | c.y << 16, c.z | c.w << 16, 0, 0); }

// A packed coding's channels, the first in the most significant bits: where they begin and how many
// bits they have.
HELPER uint4 packed_shifts(uint coding) {
  return coding == HEDDLE_CODING_UNORM565        ? (uint4)(11, 5, 0, 0)
         : coding == HEDDLE_CODING_UNORM555      ? (uint4)(10, 5, 0, 0)
         : coding == HEDDLE_CODING_UNORM101010   ? (uint4)(20, 10, 0, 0)
         : coding == HEDDLE_CODING_UNORM101010_2 ? (uint4)(22, 12, 2, 0)
                                                 : (uint4)(30, 20, 10, 0);
}
HELPER uint4 packed_largest(uint coding) {
  return coding == HEDDLE_CODING_UNORM565        ? (uint4)(31, 63, 31, 0)
         : coding == HEDDLE_CODING_UNORM555      ? (uint4)(31, 31, 31, 0)
         : coding == HEDDLE_CODING_UNORM101010   ? (uint4)(1023, 1023, 1023, 0)
         : coding == HEDDLE_CODING_UNORM101010_2 ? (uint4)(1023, 1023, 1023, 3)
                                                 : (uint4)(3, 1023, 1023, 1023);
}
HELPER bool is_packed(uint coding) {
  return coding >= HEDDLE_CODING_UNORM565 && coding <= HEDDLE_CODING_UNORM2_101010;
}

// The unused low bits of 10X6, 12X4 and 14X2.
HELPER uint low_bits(uint coding) {
  return coding == HEDDLE_CODING_UNORM10X6 || coding == HEDDLE_CODING_UINT10X6   ? 6
         : coding == HEDDLE_CODING_UNORM12X4 || coding == HEDDLE_CODING_UINT12X4 ? 4
                                                                                 : 2;
}
HELPER bool is_unorm_with_low_bits(uint coding) {
  return coding >= HEDDLE_CODING_UNORM10X6 && coding <= HEDDLE_CODING_UNORM14X2;
}

#endif
