// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read_image{f,i,ui} with a level of detail or with gradients (cl_khr_mipmap_image).
#include "image_read.h"

#define COLOR(value) (value)
#define DEPTH(value) (value).x

// The level of detail where the coordinates, in texels of the first level, change by dx and dy.
HELPER float lod_of(float4 dx, float4 dy) { return 0.5f * log2(fmax(dot(dx, dx), dot(dy, dy))); }
HELPER float4 sizes_of(Image image) {
  return (float4)((float)image->width, (float)image->height, (float)image->depth, 0.0f);
}

// Gradients have the coordinates without the layer.
#define GRADIENT_1d float
#define GRADIENT_1d_array float
#define GRADIENT_2d float2
#define GRADIENT_2d_array float2
#define GRADIENT_2d_depth float2
#define GRADIENT_2d_array_depth float2
#define GRADIENT_3d float4
#define EXTEND_1d(g) (float4)((g), 0.0f, 0.0f, 0.0f)
#define EXTEND_1d_array(g) EXTEND_1d(g)
#define EXTEND_2d(g) (float4)((g), 0.0f, 0.0f)
#define EXTEND_2d_array(g) EXTEND_2d(g)
#define EXTEND_2d_depth(g) EXTEND_2d(g)
#define EXTEND_2d_array_depth(g) EXTEND_2d(g)
#define EXTEND_3d(g) (g)

#define WITH_LOD_OF(access, type, name, result, suffix, AS)                                        \
  result OVERLOAD name(access image##type##_t image, sampler_t sampler,                            \
                       COORDINATES_##type(float) c, float lod) {                                   \
    return AS(READ_FUNCTION(mip, suffix, DIMENSIONS_##type)(__heddle_image_descriptor(image),      \
                                                            __heddle_sampler_word(sampler),        \
                                                            PLACE_##type(float, c), lod));         \
  }                                                                                                \
  result OVERLOAD name(access image##type##_t image, sampler_t sampler,                            \
                       COORDINATES_##type(float) c, GRADIENT_##type dx, GRADIENT_##type dy) {      \
    const Image descriptor = __heddle_image_descriptor(image);                                     \
    const float4 sizes = sizes_of(descriptor);                                                     \
    return AS(READ_FUNCTION(mip, suffix, DIMENSIONS_##type)(                                       \
        descriptor, __heddle_sampler_word(sampler), PLACE_##type(float, c),                        \
        lod_of(EXTEND_##type(dx) * sizes, EXTEND_##type(dy) * sizes)));                            \
  }
#define WITH_LOD(type, ...)                                                                        \
  WITH_LOD_OF(read_only, type, __VA_ARGS__) WITH_LOD_OF(read_write, type, __VA_ARGS__)
FOR_COLOR_TYPES(WITH_LOD, read_imagef, float4, f, COLOR)
FOR_COLOR_TYPES(WITH_LOD, read_imagei, int4, i, COLOR)
FOR_COLOR_TYPES(WITH_LOD, read_imageui, uint4, ui, COLOR)
FOR_DEPTH_TYPES(WITH_LOD, read_imagef, float, f, DEPTH)
