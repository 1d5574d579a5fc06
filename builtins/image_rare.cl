// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The codings and channel orders that image_decode.h and image_encode.h do not inline. Called for
// each lane, unless the compiler knows the format and inlines what is left.
#include "image_decode.h"
#include "image_encode.h"
#include "image_srgb.h"

HELPER float4 decode_snorm(int4 channels, float high, float low) {
  const float4 c = floats_of(channels);
  const float4 value = c * high + c * low;
  return value > -1.0f ? value : -1.0f;
}

float4 __heddle_call_image_decode_f(uint coding, uint2 bits) {
  const uint4 words = (uint4)(bits, 0, 0);
  if (coding == HEDDLE_CODING_SNORM8)
    return decode_snorm(signed_channels_of_8(words), 0x1p-7f, 0x1.020408p-14f);
  if (coding == HEDDLE_CODING_SNORM16)
    return decode_snorm(signed_channels_of_16(words), 0x1p-15f, 0x1.0002p-30f);
  if (coding == HEDDLE_CODING_SRGB8) {
    const uint4 c = channels_of_8(words);
    return (float4)(kLinearOfSrgb[c.x], kLinearOfSrgb[c.y], kLinearOfSrgb[c.z],
                    decode_unorm8(words).w);
  }
  if (is_packed(coding)) {
    const uint4 largest = packed_largest(coding);
    const uint4 c = (uint4)bits.x >> packed_shifts(coding) & largest;
    return floats_of(as_int4(c)) / floats_of(as_int4(largest == 0u ? 1u : largest));
  }
  if (is_unorm_with_low_bits(coding)) {
    const uint shift = low_bits(coding);
    return floats_of(as_int4(channels_of_16(words) >> shift)) / (float)(0xffffu >> shift);
  }
  return 0.0f;
}

uint4 __heddle_call_image_decode_ui(uint coding, uint2 bits) {
  const uint4 c = channels_of_16((uint4)(bits, 0, 0));
  return coding >= HEDDLE_CODING_RAW10 ? c : c >> low_bits(coding);
}

uint4 __heddle_call_image_components(uint layout, uint4 c, uint one) {
  return layout == HEDDLE_LAYOUT_ARGB        ? c.yzwx
         : layout == HEDDLE_LAYOUT_ABGR      ? c.wzyx
         : layout == HEDDLE_LAYOUT_A         ? (uint4)(0, 0, 0, c.x)
         : layout == HEDDLE_LAYOUT_RA        ? (uint4)(c.x, 0, 0, c.y)
         : layout == HEDDLE_LAYOUT_LUMINANCE ? (uint4)(c.xxx, one)
                                             : c.xxxx;
}

// The highest code whose least value is not above.
HELPER uint srgb_of_linear(float value) {
  uint code = 0;
  UNROLL
  for (uint step = 128; step != 0; step /= 2)
    code += value >= kLeastOfSrgb[code + step] ? step : 0;
  return code;
}

uint2 __heddle_call_image_encode_f(uint coding, float4 c) {
  if (coding == HEDDLE_CODING_SNORM8)
    return bits_of_8(as_uint4(normalized(c, -128.0f, 127.0f)) & 0xff).xy;
  if (coding == HEDDLE_CODING_SNORM16)
    return bits_of_16(as_uint4(normalized(c, -32768.0f, 32767.0f)) & 0xffff).xy;
  if (coding == HEDDLE_CODING_SRGB8)
    return bits_of_8((uint4)(srgb_of_linear(c.x), srgb_of_linear(c.y), srgb_of_linear(c.z),
                             as_uint4(normalized(c, 0.0f, 255.0f)).w))
        .xy;
  if (is_packed(coding)) {
    const uint4 largest = packed_largest(coding), shifts = packed_shifts(coding);
    uint bits = 0;
    UNROLL
    for (int i = 0; i < 4; ++i)
      bits |= as_uint4(normalized(c, 0.0f, (float)largest[i]))[i] << shifts[i];
    return (uint2)(bits, 0);
  }
  if (is_unorm_with_low_bits(coding)) {
    const uint shift = low_bits(coding);
    return bits_of_16(as_uint4(normalized(c, 0.0f, (float)(0xffffu >> shift))) << shift).xy;
  }
  return 0;
}

uint2 __heddle_call_image_encode_ui(uint coding, uint4 c) {
  const uint shift = low_bits(coding);
  return bits_of_16(saturated(c, 0xffffu >> shift) << shift).xy;
}

uint4 __heddle_call_image_channels(uint layout, uint4 c) {
  return layout == HEDDLE_LAYOUT_ARGB   ? c.wxyz
         : layout == HEDDLE_LAYOUT_ABGR ? c.wzyx
         : layout == HEDDLE_LAYOUT_A    ? c.wyzw
         : layout == HEDDLE_LAYOUT_RA   ? c.xwzw
                                        : c;
}
