// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that all reads of OpenCL C call, by the kind of result (f, i, ui) and the number of
// dimensions. The layer of a place is its last component, and inside of the image.
#ifndef HEDDLE_IMAGE_READ_H
#define HEDDLE_IMAGE_READ_H

#include "image.h"

// sample: coordinates are floats; texel: indices; mip: from the level of detail `lod`.
#define DECLARE_READS(suffix, T, dimensions)                                                       \
  T __heddle_image_sample_##suffix##_##dimensions(Image image, Sampler sampler, float4 place);     \
  T __heddle_image_texel_##suffix##_##dimensions(Image image, Sampler sampler, int4 place);        \
  T __heddle_image_mip_##suffix##_##dimensions(Image image, Sampler sampler, float4 place,         \
                                               float lod);
#define DECLARE_ALL_READS(suffix, T)                                                               \
  DECLARE_READS(suffix, T, 1) DECLARE_READS(suffix, T, 2) DECLARE_READS(suffix, T, 3)
DECLARE_ALL_READS(f, float4)
DECLARE_ALL_READS(i, int4)
DECLARE_ALL_READS(ui, uint4)

#define JOIN3(a, b, c) a##b##_##c
#define READ_FUNCTION(kind, suffix, dimensions)                                                    \
  JOIN3(__heddle_image_##kind##_, suffix, dimensions)

// A read without a sampler has indices that must be inside.
#define NO_SAMPLER ((Sampler)(HEDDLE_SAMPLER_CLAMP_TO_EDGE | HEDDLE_SAMPLER_NEAREST))

#endif
