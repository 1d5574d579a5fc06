// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads from an image's first level.
#include "image_read.h"
#include "image_sample.h"

#define DEFINE_READS(suffix, T, dimensions)                                                        \
  T __heddle_image_sample_##suffix##_##dimensions(Image image, Sampler sampler, float4 place) {    \
    const Level level = layer_of(base_level(image), layer_index(place.w, image->array_size));      \
    return sample_##suffix(image, level, sampler, place, dimensions);                              \
  }                                                                                                \
  T __heddle_image_texel_##suffix##_##dimensions(Image image, Sampler sampler, int4 place) {       \
    const Level level = layer_of(base_level(image), layer_index(place.w, image->array_size));      \
    return sample_##suffix(image, level, sampler, place, dimensions);                              \
  }
#define DEFINE_ALL_READS(suffix, T)                                                                \
  DEFINE_READS(suffix, T, 1) DEFINE_READS(suffix, T, 2) DEFINE_READS(suffix, T, 3)
DEFINE_ALL_READS(f, float4)
DEFINE_ALL_READS(i, int4)
DEFINE_ALL_READS(ui, uint4)
