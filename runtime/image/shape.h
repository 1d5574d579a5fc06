// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dimensions of an image and where its elements are.
#pragma once

#include "runtime/image/format.h"
#include "runtime/memory/rect.h"

#include <CL/cl.h>

#include <array>
#include <cstddef>

namespace heddle {

// A mipmap level, or the whole of an image without, as slices of rows of elements. The images of a
// 1D array are rows, those of a 2D array slices.
struct ImageLevel {
  std::size_t offset; // of the first element, in bytes
  std::size_t width;  // elements
  std::size_t height; // rows
  std::size_t depth;  // slices
  std::size_t row_pitch, slice_pitch;
  bool rows_are_images; // of a 1D array: `slice_pitch` apart

  std::size_t bytes() const { return slice_pitch * (rows_are_images ? height : depth); }
  std::size_t row_step() const { return rows_are_images ? slice_pitch : row_pitch; }
  bool contains(const std::array<std::size_t, 3>& origin,
                const std::array<std::size_t, 3>& region) const;
};

struct ImageShape {
  cl_mem_object_type type;
  const ImageFormat* format;
  // 1 in dimensions that the type does not have.
  std::size_t width, height, depth, array_size;
  // In bytes, at least those of a row and of a slice; slice_pitch is also set for types without
  // slices, so that every level is `slice_pitch` * `layers()` bytes large.
  std::size_t row_pitch, slice_pitch;
  cl_uint mip_levels; // as given by the user: 0 or 1 for none

  bool is_array() const {
    return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  }
  bool has_rows() const { // a height
    return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
           type == CL_MEM_OBJECT_IMAGE3D;
  }
  bool has_slices() const { // a slice pitch
    return is_array() || type == CL_MEM_OBJECT_IMAGE3D;
  }
  std::size_t layers() const { return depth * array_size; } // one of which is 1
  bool has_levels() const { return mip_levels > 1; }
  unsigned level_count() const { return has_levels() ? mip_levels : 1; }
  // The number of levels down to one element.
  unsigned most_levels() const;

  // Sets both pitches to the smallest ones.
  void pack();
  ImageLevel level(unsigned index) const;
  // Of all levels; 0 if they overflow size_t.
  std::size_t bytes() const;
};

// The bytes of a region of a level, relative to the image's data; the region is inside the level.
RectLayout layout_of(const ImageLevel& level, const ImageFormat& format,
                     const std::array<std::size_t, 3>& origin,
                     const std::array<std::size_t, 3>& region);

} // namespace heddle
