// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// write_image{f,h,i,ui} of OpenCL C, also to a level (cl_khr_mipmap_image_writes). Nothing is
// written outside of the image.
#include "image_encode.h"

#define DEFINE_WRITE(suffix, T, dimensions)                                                        \
  void __heddle_image_write_##suffix##_##dimensions(Image image, int number, int4 place, T color); \
  void __heddle_image_write_##suffix##_##dimensions(Image image, int number, int4 place,           \
                                                    T color) {                                     \
    const uint layout = HEDDLE_IMAGE_LAYOUT_OF(image->format);                                     \
    const uint4 bits =                                                                             \
        encode_##suffix(HEDDLE_IMAGE_CODING_OF(image->format), channels_of(layout, color));        \
    const bool has_level = (uint)number < image->mip_levels;                                       \
    const Level level = number == 0 ? base_level(image) : level_of(image, has_level ? number : 0); \
    bool inside = has_level & ((uint)place.x < (uint)level.width) &                                \
                  ((uint)place.w < (uint)image->array_size);                                       \
    if (dimensions > 1)                                                                            \
      inside &= (uint)place.y < (uint)level.height;                                                \
    if (dimensions > 2)                                                                            \
      inside &= (uint)place.z < (uint)level.depth;                                                 \
    if (inside)                                                                                    \
      store_texel(image->element_size,                                                             \
                  row_of(layer_of(level, place.w), place.y, place.z, dimensions), place.x, bits);  \
  }
#define DEFINE_WRITES(suffix, T)                                                                   \
  DEFINE_WRITE(suffix, T, 1) DEFINE_WRITE(suffix, T, 2) DEFINE_WRITE(suffix, T, 3)
DEFINE_WRITES(f, float4)
DEFINE_WRITES(i, int4)
DEFINE_WRITES(ui, uint4)

#define JOIN(a, b, c) a##b##_##c
#define WRITE_FUNCTION(suffix, dimensions) JOIN(__heddle_image_write_, suffix, dimensions)
#define COLOR(value) (value)
#define DEPTH(value) (float4)((value), 0.0f, 0.0f, 0.0f)
#define HALVES(value) __builtin_convertvector(value, float4)

#define WRITE_OF(access, type, name, T, suffix, AS)                                                \
  void OVERLOAD name(access image##type##_t image, COORDINATES_##type(int) c, T color) {           \
    WRITE_FUNCTION(suffix, DIMENSIONS_##type)                                                      \
    (__heddle_image_descriptor(image), 0, PLACE_##type(int, c), AS(color));                        \
  }
#define WRITE_LEVEL_OF(access, type, name, T, suffix, AS)                                          \
  void OVERLOAD name(access image##type##_t image, COORDINATES_##type(int) c, int lod, T color) {  \
    WRITE_FUNCTION(suffix, DIMENSIONS_##type)                                                      \
    (__heddle_image_descriptor(image), lod, PLACE_##type(int, c), AS(color));                      \
  }
#define WRITES(type, ...)                                                                          \
  WRITE_OF(write_only, type, __VA_ARGS__) WRITE_OF(read_write, type, __VA_ARGS__)
#define WRITES_TO_LEVELS(type, ...)                                                                \
  WRITE_LEVEL_OF(write_only, type, __VA_ARGS__) WRITE_LEVEL_OF(read_write, type, __VA_ARGS__)
FOR_COLOR_TYPES(WRITES, write_imagef, float4, f, COLOR)
FOR_COLOR_TYPES(WRITES, write_imagei, int4, i, COLOR)
FOR_COLOR_TYPES(WRITES, write_imageui, uint4, ui, COLOR)
FOR_COLOR_TYPES(WRITES, write_imageh, half4, f, HALVES)
FOR_DEPTH_TYPES(WRITES, write_imagef, float, f, DEPTH)
WRITES(1d_buffer, write_imagef, float4, f, COLOR)
WRITES(1d_buffer, write_imagei, int4, i, COLOR)
WRITES(1d_buffer, write_imageui, uint4, ui, COLOR)
WRITES(1d_buffer, write_imageh, half4, f, HALVES)
FOR_COLOR_TYPES(WRITES_TO_LEVELS, write_imagef, float4, f, COLOR)
FOR_COLOR_TYPES(WRITES_TO_LEVELS, write_imagei, int4, i, COLOR)
FOR_COLOR_TYPES(WRITES_TO_LEVELS, write_imageui, uint4, ui, COLOR)
FOR_DEPTH_TYPES(WRITES_TO_LEVELS, write_imagef, float, f, DEPTH)
