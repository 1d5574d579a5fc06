// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads with a sampler from one level (API 8.2): the nearest texel, or a weighted sum of 2, 4 or 8.
// `place` has the coordinates in x, y, z; `dimensions` is a constant.
#ifndef HEDDLE_IMAGE_SAMPLE_H
#define HEDDLE_IMAGE_SAMPLE_H

#include "image_address.h"
#include "image_decode.h"

// The channels of n texels, zero in the border.
HELPER void read_channels(Image image, Sampler sampler, const __private Bytes* rows,
                          const __private int* x, const __private bool* inside,
                          __private float4* c, const int n) {
  uint4 bits[8];
  load_texels(image->element_size, rows, x, bits, n);
  decode_f(HEDDLE_IMAGE_CODING_OF(image->format), bits, c, n);
  UNROLL for (int k = 0; k < n; ++k) {
    if (has_unused_alpha(HEDDLE_IMAGE_LAYOUT_OF(image->format)))
      c[k].w = 1.0f;
    if (has_border(sampler))
      c[k] = inside[k] ? c[k] : (float4)0.0f;
  }
}

// DEFINE_NEAREST(suffix, result, coordinate): the texel at `place`, an index or unnormalized.
#define LOCATE_NEAREST(place)                                                                      \
  bool inside = true;                                                                              \
  const int x = nearest_index(place.x, level.width, sampler, &inside);                             \
  const int y = dimensions > 1 ? nearest_index(place.y, level.height, sampler, &inside) : 0;       \
  const int z = dimensions > 2 ? nearest_index(place.z, level.depth, sampler, &inside) : 0;        \
  const Bytes row = row_of(level, y, z, dimensions)

#define DEFINE_NEAREST_FLOAT(place_type)                                                           \
  HELPER float4 nearest_f(Image image, Level level, Sampler sampler, place_type place,             \
                          const int dimensions) {                                                  \
    LOCATE_NEAREST(place);                                                                         \
    float4 c;                                                                                      \
    read_channels(image, sampler, &row, &x, &inside, &c, 1);                                       \
    return components_of(HEDDLE_IMAGE_LAYOUT_OF(image->format), c);                                \
  }
DEFINE_NEAREST_FLOAT(int4)
DEFINE_NEAREST_FLOAT(float4)

HELPER void load_i(uint bytes, Bytes row, int x, __private uint4* bits) {
  load_texels(bytes, &row, &x, bits, 1);
}
HELPER void load_ui(uint bytes, Bytes row, int x, __private uint4* bits) {
  if (bytes == 3 || bytes == 5)
    *bits = (uint4)(load_raw(bytes, row, x), 0, 0, 0);
  else
    load_texels(bytes, &row, &x, bits, 1);
}

#define DEFINE_NEAREST_INTEGER(suffix, T, place_type)                                              \
  HELPER T nearest_##suffix(Image image, Level level, Sampler sampler, place_type place,           \
                            const int dimensions) {                                                \
    LOCATE_NEAREST(place);                                                                         \
    const uint layout = HEDDLE_IMAGE_LAYOUT_OF(image->format);                                     \
    uint4 bits;                                                                                    \
    load_##suffix(image->element_size, row, x, &bits);                                             \
    T c = decode_##suffix(HEDDLE_IMAGE_CODING_OF(image->format), bits);                            \
    if (has_unused_alpha(layout))                                                                  \
      c.w = 1;                                                                                     \
    if (has_border(sampler))                                                                       \
      c = inside ? c : (T)0;                                                                       \
    return components_of(layout, c);                                                               \
  }
DEFINE_NEAREST_INTEGER(i, int4, int4)
DEFINE_NEAREST_INTEGER(i, int4, float4)
DEFINE_NEAREST_INTEGER(ui, uint4, int4)
DEFINE_NEAREST_INTEGER(ui, uint4, float4)

HELPER float4 linear_f(Image image, Level level, Sampler sampler, float4 place,
                       const int dimensions) {
  int x[2], y[2] = {0, 0}, z[2] = {0, 0};
  bool inside_x[2], inside_y[2] = {true, true}, inside_z[2] = {true, true};
  const float a = linear_indices(place.x, level.width, sampler, x, inside_x);
  const float b =
      dimensions > 1 ? linear_indices(place.y, level.height, sampler, y, inside_y) : 0.0f;
  const float c = dimensions > 2 ? linear_indices(place.z, level.depth, sampler, z, inside_z) : 0.0f;
  const int n = 1 << dimensions;
  Bytes rows[8];
  int columns[8];
  bool inside[8];
  UNROLL for (int k = 0; k < n; ++k) {
    const int i = k & 1, j = k >> 1 & 1, l = k >> 2;
    rows[k] = row_of(level, y[j], z[l], dimensions);
    columns[k] = x[i];
    inside[k] = inside_x[i] & inside_y[j] & inside_z[l];
  }
  float4 texels[8];
  read_channels(image, sampler, rows, columns, inside, texels, n);
  float4 sum = 0.0f;
  UNROLL for (int k = 0; k < n; ++k) {
    float weight = k & 1 ? a : 1.0f - a;
    if (dimensions > 1)
      weight *= k >> 1 & 1 ? b : 1.0f - b;
    if (dimensions > 2)
      weight *= k >> 2 ? c : 1.0f - c;
    const float4 term = weight * texels[k];
    sum = k == 0 ? term : sum + term;
  }
  return components_of(HEDDLE_IMAGE_LAYOUT_OF(image->format), sum);
}

HELPER float4 unnormalized_place(Level level, Sampler sampler, float4 place, const int dimensions) {
  place.x = texel_coordinate(place.x, level.width, sampler);
  if (dimensions > 1)
    place.y = texel_coordinate(place.y, level.height, sampler);
  if (dimensions > 2)
    place.z = texel_coordinate(place.z, level.depth, sampler);
  return place;
}

// One level: integer coordinates are indices of texels, whatever the sampler's filter.
#define DEFINE_SAMPLE_INTEGER(suffix, T)                                                           \
  HELPER T sample_##suffix(Image image, Level level, Sampler sampler, int4 place,                  \
                           const int dimensions) {                                                 \
    return nearest_##suffix(image, level, sampler, place, dimensions);                             \
  }                                                                                                \
  HELPER T sample_##suffix(Image image, Level level, Sampler sampler, float4 place,                \
                           const int dimensions) {                                                 \
    return nearest_##suffix(image, level, sampler,                                                 \
                            unnormalized_place(level, sampler, place, dimensions), dimensions);    \
  }
DEFINE_SAMPLE_INTEGER(i, int4)
DEFINE_SAMPLE_INTEGER(ui, uint4)

HELPER float4 sample_f(Image image, Level level, Sampler sampler, int4 place,
                       const int dimensions) {
  return nearest_f(image, level, sampler, place, dimensions);
}
HELPER float4 sample_f(Image image, Level level, Sampler sampler, float4 place,
                       const int dimensions) {
  const float4 u = unnormalized_place(level, sampler, place, dimensions);
  return sampler & HEDDLE_SAMPLER_LINEAR ? linear_f(image, level, sampler, u, dimensions)
                                         : nearest_f(image, level, sampler, u, dimensions);
}

#endif
