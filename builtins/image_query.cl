// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// get_image_* of OpenCL C.
#include "image.h"

#define QUERY(access, result, name, type, value)                                                   \
  result OVERLOAD name(access image##type##_t image) {                                             \
    const Image from = __heddle_image_descriptor(image);                                           \
    return value;                                                                                  \
  }
#define QUERIES(type, result, name, value)                                                         \
  QUERY(read_only, result, name, type, value)                                                      \
  QUERY(write_only, result, name, type, value)                                                     \
  QUERY(read_write, result, name, type, value)
#define FOR_ALL_TYPES(F, ...)                                                                      \
  FOR_COLOR_TYPES(F, __VA_ARGS__) FOR_DEPTH_TYPES(F, __VA_ARGS__) F(1d_buffer, __VA_ARGS__)
#define FOR_ARRAY_TYPES(F, ...)                                                                    \
  F(1d_array, __VA_ARGS__) F(2d_array, __VA_ARGS__) F(2d_array_depth, __VA_ARGS__)
#define FOR_TYPES_OF_TWO_DIMENSIONS(F, ...)                                                        \
  F(2d, __VA_ARGS__) F(2d_array, __VA_ARGS__) FOR_DEPTH_TYPES(F, __VA_ARGS__)

FOR_ALL_TYPES(QUERIES, int, get_image_width, from->width)
FOR_TYPES_OF_TWO_DIMENSIONS(QUERIES, int, get_image_height, from->height)
QUERIES(3d, int, get_image_height, from->height)
QUERIES(3d, int, get_image_depth, from->depth)
FOR_TYPES_OF_TWO_DIMENSIONS(QUERIES, int2, get_image_dim, (int2)(from->width, from->height))
QUERIES(3d, int4, get_image_dim, (int4)(from->width, from->height, from->depth, 0))
FOR_ARRAY_TYPES(QUERIES, size_t, get_image_array_size, (size_t)from->array_size)
FOR_ALL_TYPES(QUERIES, int, get_image_channel_data_type, (int)from->channel_data_type)
FOR_ALL_TYPES(QUERIES, int, get_image_channel_order, (int)from->channel_order)
FOR_COLOR_TYPES(QUERIES, int, get_image_num_mip_levels, (int)from->mip_levels)
FOR_DEPTH_TYPES(QUERIES, int, get_image_num_mip_levels, (int)from->mip_levels)
