// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From coordinates to indices of texels (OpenCL C 6.15.15.1, API 8.2). No coordinate, NaN and
// infinities included, gives an index outside of the image: where the specification leaves a result
// undefined, the index is clamped.
#ifndef HEDDLE_IMAGE_ADDRESS_H
#define HEDDLE_IMAGE_ADDRESS_H

#include "image.h"

HELPER uint addressing_of(Sampler sampler) { return (uint)sampler & HEDDLE_SAMPLER_ADDRESS_MASK; }
HELPER bool has_border(Sampler sampler) { return addressing_of(sampler) == HEDDLE_SAMPLER_CLAMP; }

HELPER int clamped_index(int i, int size) {
  i = i < size - 1 ? i : size - 1;
  return i > 0 ? i : 0;
}

// The unnormalized coordinate, mirrored or repeated into [0, size].
HELPER float texel_coordinate(float s, int size, Sampler sampler) {
  const uint addressing = addressing_of(sampler);
  if (addressing == HEDDLE_SAMPLER_REPEAT)
    s -= __builtin_floorf(s);
  else if (addressing == HEDDLE_SAMPLER_MIRRORED_REPEAT)
    s = __builtin_fabsf(s - 2.0f * __builtin_rintf(0.5f * s));
  return sampler & HEDDLE_SAMPLER_NORMALIZED ? s * (float)size : s;
}

// Comparisons are written so that NaN gives the lower bound.
HELPER float bounded(float value, float low, float high) {
  value = value > low ? value : low;
  return value < high ? value : high;
}

// The index of the texel that contains u. *inside: whether it is not the border.
HELPER int nearest_index(float u, int size, Sampler sampler, __private bool* inside) {
  const float end = (float)size;
  if (addressing_of(sampler) == HEDDLE_SAMPLER_REPEAT) {
    const int i = (int)bounded(u, 0.0f, end);
    return i >= size ? i - size : i;
  }
  if (has_border(sampler))
    *inside = *inside & (u >= 0.0f) & (u < end);
  return (int)bounded(u, 0.0f, (float)(size - 1));
}

HELPER int nearest_index(int i, int size, Sampler sampler, __private bool* inside) {
  if (has_border(sampler))
    *inside = *inside & ((uint)i < (uint)size);
  return clamped_index(i, size);
}

// The two texels around u, and the weight of the second one.
HELPER float linear_indices(float u, int size, Sampler sampler, __private int* index,
                            __private bool* inside) {
  const float lower = __builtin_floorf(u - 0.5f);
  const int first = (int)bounded(lower, -2.0f, (float)size);
  UNROLL for (int k = 0; k < 2; ++k) {
    int i = first + k;
    inside[k] = !has_border(sampler) | ((uint)i < (uint)size);
    if (addressing_of(sampler) == HEDDLE_SAMPLER_REPEAT) {
      i = i < 0 ? i + size : i;
      i = i >= size ? i - size : i;
    }
    index[k] = clamped_index(i, size);
  }
  return u - 0.5f - lower;
}

HELPER int layer_index(float layer, int layers) {
  return (int)bounded(__builtin_rintf(layer), 0.0f, (float)(layers - 1));
}
HELPER int layer_index(int layer, int layers) { return clamped_index(layer, layers); }

#endif
