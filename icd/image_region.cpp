// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/image_region.h"

#include "icd/arguments.h"

#include <algorithm>

namespace heddle::icd {
namespace {

// Which value of an origin is the mipmap level (OpenCL API 5.3.8).
unsigned level_index(cl_mem_object_type type) {
  switch (type) {
  case CL_MEM_OBJECT_IMAGE1D:
    return 1;
  case CL_MEM_OBJECT_IMAGE1D_ARRAY:
  case CL_MEM_OBJECT_IMAGE2D:
    return 2;
  default:
    return 3;
  }
}

} // namespace

Result<ImageRegion> ImageRegion::make(const Image& image, const std::size_t* origin,
                                      const std::size_t* region) {
  if (!origin || !region)
    return CL_INVALID_VALUE;
  ImageRegion made{};
  std::copy_n(origin, 3, made.origin.begin());
  std::copy_n(region, 3, made.region.begin());
  std::size_t level = 0;
  if (image.shape().has_levels()) {
    const auto index = level_index(image.type());
    level = origin[index];
    if (index < 3)
      made.origin[index] = 0;
    if (level >= image.shape().level_count())
      return CL_INVALID_MIP_LEVEL;
  }
  made.level = image.shape().level(static_cast<unsigned>(level));
  const auto pack = image.format().pack(); // shares bytes, so that its parts have no address
  if (!made.level.contains(made.origin, made.region) || made.origin[0] % pack != 0 ||
      made.region[0] % pack != 0)
    return CL_INVALID_VALUE;
  made.layout = layout_of(made.level, image.format(), made.origin, made.region);
  made.bytes = {image.format().row_bytes(made.region[0]), made.region[1], made.region[2]};
  return made;
}

Result<RectLayout> ImageRegion::host_layout(const Image& image, std::size_t row_pitch,
                                            std::size_t slice_pitch) const {
  if (row_pitch == 0)
    row_pitch = bytes.width;
  if (row_pitch < bytes.width || (slice_pitch != 0 && !image.shape().has_slices()))
    return CL_INVALID_VALUE;
  std::size_t least = row_pitch;
  if (!level.rows_are_images && __builtin_mul_overflow(row_pitch, bytes.height, &least))
    return CL_INVALID_VALUE;
  if (slice_pitch == 0)
    slice_pitch = least;
  if (slice_pitch < least)
    return CL_INVALID_VALUE;
  const auto row_step = level.rows_are_images ? slice_pitch : row_pitch;
  std::size_t last_slice = 0;
  std::size_t last_row = 0;
  std::size_t end = 0;
  if (__builtin_mul_overflow(slice_pitch, bytes.depth - 1, &last_slice) ||
      __builtin_mul_overflow(row_step, bytes.height - 1, &last_row) ||
      __builtin_add_overflow(last_slice, last_row, &end) ||
      __builtin_add_overflow(end, bytes.width, &end))
    return CL_INVALID_VALUE;
  return RectLayout{0, end, row_step, slice_pitch};
}

Result<RectLayout> ImageRegion::buffer_layout(std::size_t offset, std::size_t buffer_size) const {
  const auto slice = bytes.width * bytes.height;
  const auto size = slice * bytes.depth;
  if (!in_range(offset, size, buffer_size))
    return CL_INVALID_VALUE;
  return RectLayout{offset, offset + size, bytes.width, slice};
}

} // namespace heddle::icd
