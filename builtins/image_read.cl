// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read_image{f,h,i,ui} of OpenCL C, with a sampler and without.
#include "image_read.h"

// Results: a vector, or the depth.
#define COLOR(T, value) (value)
#define DEPTH(T, value) (value).x
#define HALVES(T, value) __builtin_convertvector(value, half4)

#define WITH_SAMPLER(type, name, result, suffix, AS)                                               \
  result OVERLOAD name(read_only image##type##_t image, sampler_t sampler,                         \
                       COORDINATES_##type(float) c) {                                              \
    return AS(T, READ_FUNCTION(sample, suffix, DIMENSIONS_##type)(                                 \
                     __heddle_image_descriptor(image), __heddle_sampler_word(sampler),             \
                     PLACE_##type(float, c)));                                                     \
  }                                                                                                \
  result OVERLOAD name(read_only image##type##_t image, sampler_t sampler,                         \
                       COORDINATES_##type(int) c) {                                                \
    return AS(T, READ_FUNCTION(texel, suffix, DIMENSIONS_##type)(__heddle_image_descriptor(image), \
                                                                 __heddle_sampler_word(sampler),   \
                                                                 PLACE_##type(int, c)));           \
  }
FOR_COLOR_TYPES(WITH_SAMPLER, read_imagef, float4, f, COLOR)
FOR_COLOR_TYPES(WITH_SAMPLER, read_imagei, int4, i, COLOR)
FOR_COLOR_TYPES(WITH_SAMPLER, read_imageui, uint4, ui, COLOR)
FOR_COLOR_TYPES(WITH_SAMPLER, read_imageh, half4, f, HALVES)
FOR_DEPTH_TYPES(WITH_SAMPLER, read_imagef, float, f, DEPTH)

#define WITHOUT_SAMPLER_OF(access, type, name, result, suffix, AS)                                 \
  result OVERLOAD name(access image##type##_t image, COORDINATES_##type(int) c) {                  \
    return AS(T, READ_FUNCTION(texel, suffix, DIMENSIONS_##type)(                                  \
                     __heddle_image_descriptor(image), NO_SAMPLER, PLACE_##type(int, c)));         \
  }
#define WITHOUT_SAMPLER(type, ...)                                                                 \
  WITHOUT_SAMPLER_OF(read_only, type, __VA_ARGS__) WITHOUT_SAMPLER_OF(read_write, type, __VA_ARGS__)
FOR_COLOR_TYPES(WITHOUT_SAMPLER, read_imagef, float4, f, COLOR)
FOR_COLOR_TYPES(WITHOUT_SAMPLER, read_imagei, int4, i, COLOR)
FOR_COLOR_TYPES(WITHOUT_SAMPLER, read_imageui, uint4, ui, COLOR)
FOR_COLOR_TYPES(WITHOUT_SAMPLER, read_imageh, half4, f, HALVES)
FOR_DEPTH_TYPES(WITHOUT_SAMPLER, read_imagef, float, f, DEPTH)
WITHOUT_SAMPLER(1d_buffer, read_imagef, float4, f, COLOR)
WITHOUT_SAMPLER(1d_buffer, read_imagei, int4, i, COLOR)
WITHOUT_SAMPLER(1d_buffer, read_imageui, uint4, ui, COLOR)
WITHOUT_SAMPLER(1d_buffer, read_imageh, half4, f, HALVES)
