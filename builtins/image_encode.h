// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the components of a color to the bits of a texel (API 8.3): normalized values as
// convert_*_sat_rte, NaN as 0; half to nearest even; integers saturated.
#ifndef HEDDLE_IMAGE_ENCODE_H
#define HEDDLE_IMAGE_ENCODE_H

#include "image_texel.h"

// What is rare, as in image_decode.h: the first 8 bytes of the texel.
uint2 __attribute__((const)) __heddle_call_image_encode_f(uint coding, float4 c);
uint2 __attribute__((const)) __heddle_call_image_encode_ui(uint coding, uint4 c);
uint4 __attribute__((const)) __heddle_call_image_channels(uint layout, uint4 c);

// convert_*_sat_rte(c * largest) for a type with the range from least to largest.
HELPER int4 normalized(float4 c, float least, float largest) {
  c *= largest;
  if (least != 0.0f) // else the next comparison does it
    c = c == c ? c : 0.0f;
  c = c > least ? c : least;
  c = c < largest ? c : largest;
  return __builtin_convertvector(__builtin_elementwise_rint(c), int4);
}

HELPER uint4 halves_of(float4 c) {
  return __builtin_convertvector(as_ushort4(__builtin_convertvector(c, half4)), uint4);
}

HELPER uint4 encode_f(uint coding, float4 c) {
  if (coding == HEDDLE_CODING_UNORM8)
    return bits_of_8(as_uint4(normalized(c, 0.0f, 255.0f)));
  if (coding == HEDDLE_CODING_FLOAT)
    return as_uint4(c);
  if (coding == HEDDLE_CODING_UNORM16)
    return bits_of_16(as_uint4(normalized(c, 0.0f, 65535.0f)));
  if (coding == HEDDLE_CODING_HALF)
    return bits_of_16(halves_of(c));
  return (uint4)(__heddle_call_image_encode_f(coding, c), 0, 0);
}

HELPER int4 saturated(int4 c, int least, int largest) {
  return __builtin_elementwise_min(__builtin_elementwise_max(c, (int4)least), (int4)largest);
}
HELPER uint4 saturated(uint4 c, uint largest) {
  return __builtin_elementwise_min(c, (uint4)largest);
}

HELPER uint4 encode_i(uint coding, int4 c) {
  if (coding == HEDDLE_CODING_SINT8)
    return bits_of_8(as_uint4(saturated(c, -128, 127)) & 0xff);
  if (coding == HEDDLE_CODING_SINT16)
    return bits_of_16(as_uint4(saturated(c, -32768, 32767)) & 0xffff);
  return as_uint4(c);
}

HELPER uint4 encode_ui(uint coding, uint4 c) {
  if (coding == HEDDLE_CODING_UINT8)
    return bits_of_8(saturated(c, 0xff));
  if (coding == HEDDLE_CODING_UINT16)
    return bits_of_16(saturated(c, 0xffff));
  if (coding <= HEDDLE_CODING_UINT32)
    return c;
  return (uint4)(__heddle_call_image_encode_ui(coding, c), 0, 0);
}

// The channels in memory order. Those beyond the texel's are not stored.
#define DEFINE_CHANNELS(T)                                                                         \
  HELPER T##4 channels_of(uint layout, T##4 c) {                                                   \
    if (layout > HEDDLE_LAYOUT_BGRA)                                                               \
      return as_##T##4(__heddle_call_image_channels(layout, as_uint4(c)));                         \
    const bool is_bgra = layout == HEDDLE_LAYOUT_BGRA;                                             \
    return (T##4)(is_bgra ? c.z : c.x, c.y, is_bgra ? c.x : c.z, c.w);                             \
  }
DEFINE_CHANNELS(float)
DEFINE_CHANNELS(int)
DEFINE_CHANNELS(uint)

#endif
