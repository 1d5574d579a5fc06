// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads from the level, or the two levels, that a level of detail selects (cl_khr_mipmap_image):
// the nearest one, or a weighted sum. Of an image without levels, all of them are the image.
#include "image_read.h"
#include "image_sample.h"

// The level of detail within the sampler's range and the image's.
HELPER float bounded_lod(Image image, Sampler sampler, float lod) {
  const float last = (float)(image->mip_levels - 1);
  if (sampler & HEDDLE_SAMPLER_LOD_RANGE) {
    const float least = as_float((uint)(sampler >> HEDDLE_SAMPLER_LOD_MIN_SHIFT) << 4);
    const float most = as_float((uint)(sampler >> HEDDLE_SAMPLER_LOD_MAX_SHIFT) << 4);
    lod = bounded(lod, least, most);
  }
  return bounded(lod, 0.0f, last);
}

#define SAMPLE_LEVEL(suffix, number, dimensions)                                                   \
  sample_##suffix(image,                                                                           \
                  layer_of(level_of(image, number), layer_index(place.w, image->array_size)),      \
                  sampler, place, dimensions)

#define DEFINE_INTEGER_MIP(suffix, T, dimensions)                                                  \
  T __heddle_image_mip_##suffix##_##dimensions(Image image, Sampler sampler, float4 place,         \
                                               float lod) {                                        \
    const int number = (int)(bounded_lod(image, sampler, lod) + 0.5f);                             \
    return SAMPLE_LEVEL(suffix, number, dimensions);                                               \
  }
DEFINE_INTEGER_MIP(i, int4, 1)
DEFINE_INTEGER_MIP(i, int4, 2)
DEFINE_INTEGER_MIP(i, int4, 3)
DEFINE_INTEGER_MIP(ui, uint4, 1)
DEFINE_INTEGER_MIP(ui, uint4, 2)
DEFINE_INTEGER_MIP(ui, uint4, 3)

#define DEFINE_FLOAT_MIP(dimensions)                                                               \
  float4 __heddle_image_mip_f_##dimensions(Image image, Sampler sampler, float4 place,             \
                                           float lod) {                                            \
    lod = bounded_lod(image, sampler, lod);                                                        \
    if (!(sampler & HEDDLE_SAMPLER_MIP_LINEAR))                                                    \
      return SAMPLE_LEVEL(f, (int)(lod + 0.5f), dimensions);                                       \
    const int number = (int)lod;                                                                   \
    const int next = number + 1 < (int)image->mip_levels ? number + 1 : number;                    \
    const float weight = lod - (float)number;                                                      \
    return (1.0f - weight) * SAMPLE_LEVEL(f, number, dimensions) +                                 \
           weight * SAMPLE_LEVEL(f, next, dimensions);                                             \
  }
DEFINE_FLOAT_MIP(1)
DEFINE_FLOAT_MIP(2)
DEFINE_FLOAT_MIP(3)
