// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the bits of texels to channels (API 8.3). Unsigned normalized values are correctly rounded:
// c / (2^n - 1) is c * 2^-n, which is exact, plus the small rest; every c was checked.
#ifndef HEDDLE_IMAGE_DECODE_H
#define HEDDLE_IMAGE_DECODE_H

#include "image_texel.h"

// What is rare is not inlined unless the compiler knows the format. All that these codings need is in
// the first 8 bytes; `one` is what is read for an absent alpha.
float4 __attribute__((const)) __heddle_call_image_decode_f(uint coding, uint2 bits);
uint4 __attribute__((const)) __heddle_call_image_decode_ui(uint coding, uint2 bits);
uint4 __attribute__((const)) __heddle_call_image_components(uint layout, uint4 c, uint one);

HELPER float4 floats_of(int4 c) { return __builtin_convertvector(c, float4); }

// The result is the same with and without contraction.
HELPER float4 decode_unorm8(uint4 bits) {
#pragma clang fp contract(fast)
  const float4 c = floats_of(as_int4(channels_of_8(bits)));
  return c * 0x1p-8f + c * 0x1.010102p-16f;
}
HELPER float4 decode_unorm16(uint4 bits) {
#pragma clang fp contract(fast)
  const float4 c = floats_of(as_int4(channels_of_16(bits)));
  return c * 0x1p-16f + c * 0x1.0001p-32f;
}
HELPER float4 decode_half(uint4 bits) {
  const ushort4 halves = __builtin_convertvector(channels_of_16(bits), ushort4);
  return __builtin_convertvector(as_half4(halves), float4);
}

// Decodes n texels: the coding is tested once.
HELPER void decode_f(uint coding, const __private uint4* bits, __private float4* c, const int n) {
  if (coding == HEDDLE_CODING_UNORM8) {
    UNROLL for (int k = 0; k < n; ++k) c[k] = decode_unorm8(bits[k]);
  } else if (coding == HEDDLE_CODING_FLOAT) {
    UNROLL for (int k = 0; k < n; ++k) c[k] = as_float4(bits[k]);
  } else if (coding == HEDDLE_CODING_UNORM16) {
    UNROLL for (int k = 0; k < n; ++k) c[k] = decode_unorm16(bits[k]);
  } else if (coding == HEDDLE_CODING_HALF) {
    UNROLL for (int k = 0; k < n; ++k) c[k] = decode_half(bits[k]);
  } else {
    UNROLL for (int k = 0; k < n; ++k) c[k] = __heddle_call_image_decode_f(coding, bits[k].xy);
  }
}

HELPER int4 decode_i(uint coding, uint4 bits) {
  if (coding == HEDDLE_CODING_SINT8)
    return signed_channels_of_8(bits);
  if (coding == HEDDLE_CODING_SINT16)
    return signed_channels_of_16(bits);
  return as_int4(bits);
}

HELPER uint4 decode_ui(uint coding, uint4 bits) {
  if (coding == HEDDLE_CODING_UINT8)
    return channels_of_8(bits);
  if (coding == HEDDLE_CODING_UINT16)
    return channels_of_16(bits);
  if (coding <= HEDDLE_CODING_UINT32)
    return bits;
  return __heddle_call_image_decode_ui(coding, bits.xy);
}

// Channels named x are read as one, except in the border; absent alpha is one in the border too.
HELPER bool has_unused_alpha(uint layout) {
  return layout == HEDDLE_LAYOUT_RGBX || layout == HEDDLE_LAYOUT_RGX;
}
HELPER bool has_no_alpha(uint layout) {
  return layout >= HEDDLE_LAYOUT_R && layout <= HEDDLE_LAYOUT_DEPTH;
}

// The components read for channels in memory order, of which absent ones are zero.
#define DEFINE_COMPONENTS(T, one)                                                                  \
  HELPER T##4 components_of(uint layout, T##4 c) {                                                 \
    if (layout > HEDDLE_LAYOUT_BGRA)                                                               \
      return as_##T##4(__heddle_call_image_components(layout, as_uint4(c), one));                  \
    const bool is_bgra = layout == HEDDLE_LAYOUT_BGRA;                                             \
    return (T##4)(is_bgra ? c.z : c.x, c.y, is_bgra ? c.x : c.z, has_no_alpha(layout) ? 1 : c.w);  \
  }
DEFINE_COMPONENTS(float, 0x3f800000)
DEFINE_COMPONENTS(int, 1)
DEFINE_COMPONENTS(uint, 1)

#endif
