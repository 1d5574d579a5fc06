// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images in the library: how a function gets at an image's descriptor, and families over the types
// of images.
//
// Everything in the descriptor is uniform, so branches on format, size of texels and addressing are
// uniform branches: one of them is executed once for all lanes. The compiler removes them where it
// knows the format (compiler/lower/specialize_images.h) or the sampler.
#ifndef HEDDLE_IMAGE_H
#define HEDDLE_IMAGE_H

#include "builtins.h"

#include "../compiler/interface/image_abi.h"

#pragma OPENCL FP_CONTRACT OFF // the same bits on every processor

typedef __constant struct heddle_image* Image;
typedef __global uchar* Bytes;
typedef ulong Sampler; // a sampler word

// F(name of the type in image*_t, access, kind of coordinates), of OpenCL C's types without and with
// a depth component.
#define FOR_ACCESS(F, A, ...)                                                                      \
  F(read_only, A, __VA_ARGS__) F(write_only, A, __VA_ARGS__) F(read_write, A, __VA_ARGS__)
#define FOR_COLOR_TYPES(F, ...)                                                                    \
  F(1d, __VA_ARGS__) F(1d_array, __VA_ARGS__) F(2d, __VA_ARGS__) F(2d_array, __VA_ARGS__)          \
  F(3d, __VA_ARGS__)
#define FOR_DEPTH_TYPES(F, ...) F(2d_depth, __VA_ARGS__) F(2d_array_depth, __VA_ARGS__)

// Conversions that the compiler removes (compiler/lower/lower_target_ext_types.h).
#define DECLARE_DESCRIPTOR(type, ...)                                                              \
  Image OVERLOAD __heddle_image_descriptor(read_only image##type##_t);                             \
  Image OVERLOAD __heddle_image_descriptor(write_only image##type##_t);                            \
  Image OVERLOAD __heddle_image_descriptor(read_write image##type##_t);
FOR_COLOR_TYPES(DECLARE_DESCRIPTOR)
FOR_DEPTH_TYPES(DECLARE_DESCRIPTOR)
DECLARE_DESCRIPTOR(1d_buffer)
Sampler __heddle_sampler_word(sampler_t);

// Coordinates of each type: the number of dimensions, those of the place without a layer, and the
// layer. `c` has the coordinates; L is a member of c or nothing.
#define DIMENSIONS_1d 1
#define DIMENSIONS_1d_buffer 1
#define DIMENSIONS_1d_array 1
#define DIMENSIONS_2d 2
#define DIMENSIONS_2d_array 2
#define DIMENSIONS_2d_depth 2
#define DIMENSIONS_2d_array_depth 2
#define DIMENSIONS_3d 3
#define COORDINATES_1d(T) T
#define COORDINATES_1d_buffer(T) T
#define COORDINATES_1d_array(T) T##2
#define COORDINATES_2d(T) T##2
#define COORDINATES_2d_array(T) T##4
#define COORDINATES_2d_depth(T) T##2
#define COORDINATES_2d_array_depth(T) T##4
#define COORDINATES_3d(T) T##4
// The coordinates as a vector of four, the layer last.
#define PLACE_1d(T, c) (T##4)((c), 0, 0, 0)
#define PLACE_1d_buffer(T, c) PLACE_1d(T, c)
#define PLACE_1d_array(T, c) (T##4)((c).x, 0, 0, (c).y)
#define PLACE_2d(T, c) (T##4)((c).x, (c).y, 0, 0)
#define PLACE_2d_array(T, c) (T##4)((c).x, (c).y, 0, (c).z)
#define PLACE_2d_depth(T, c) PLACE_2d(T, c)
#define PLACE_2d_array_depth(T, c) PLACE_2d_array(T, c)
#define PLACE_3d(T, c) (T##4)((c).x, (c).y, (c).z, 0)

// A level of an image, or of a layer of it.
typedef struct {
  Bytes data;
  int width, height, depth;
  ulong row_pitch, slice_pitch;
} Level;

HELPER Level base_level(Image image) {
  const Level level = {image->data,  image->width,     image->height,
                       image->depth, image->row_pitch, image->slice_pitch};
  return level;
}

// `number` must be below mip_levels.
HELPER Level level_of(Image image, int number) {
  if (image->mip_levels <= 1)
    return base_level(image);
  __constant const struct heddle_image_level* from = image->levels + number;
  const Level level = {image->data + from->offset, from->width,     from->height,
                       from->depth,                from->row_pitch, from->slice_pitch};
  return level;
}

HELPER Level layer_of(Level level, int layer) {
  level.data += (ulong)layer * level.slice_pitch;
  return level;
}

HELPER int size_of(Level level, int dimension) {
  return dimension == 0 ? level.width : dimension == 1 ? level.height : level.depth;
}

// The row of a texel, all of whose indices are inside.
HELPER Bytes row_of(Level level, int y, int z, int dimensions) {
  Bytes row = level.data;
  if (dimensions > 1)
    row += (ulong)y * level.row_pitch;
  if (dimensions > 2)
    row += (ulong)z * level.slice_pitch;
  return row;
}

#endif
