// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/image/shape.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace heddle {
namespace {

constexpr std::size_t halve(std::size_t size, unsigned times) {
  return std::max<std::size_t>(size >> times, 1);
}

bool in_range(std::size_t offset, std::size_t size, std::size_t total) {
  return size != 0 && offset <= total && size <= total - offset;
}

} // namespace

bool ImageLevel::contains(const std::array<std::size_t, 3>& origin,
                          const std::array<std::size_t, 3>& region) const {
  return in_range(origin[0], region[0], width) && in_range(origin[1], region[1], height) &&
         in_range(origin[2], region[2], depth);
}

unsigned ImageShape::most_levels() const {
  return static_cast<unsigned>(std::bit_width(std::max({width, height, depth})));
}

void ImageShape::pack() {
  row_pitch = format->row_bytes(width);
  slice_pitch = row_pitch * height;
}

ImageLevel ImageShape::level(unsigned index) const {
  // Levels follow each other; those after the first are packed.
  ImageLevel level{0, width, height, layers(), row_pitch, slice_pitch, false};
  for (unsigned i = 1; i <= index; ++i) {
    level.offset += level.bytes();
    level.width = halve(width, i);
    level.height = halve(height, i);
    level.depth = halve(depth, i) * array_size;
    level.row_pitch = format->row_bytes(level.width);
    level.slice_pitch = level.row_pitch * level.height;
  }
  if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY) {
    std::swap(level.height, level.depth);
    level.rows_are_images = true;
  }
  return level;
}

std::size_t ImageShape::bytes() const {
  std::size_t first = 0;
  if (__builtin_mul_overflow(slice_pitch, layers(), &first))
    return 0;
  if (!has_levels())
    return first;
  const auto last = level(level_count() - 1); // within the limits of the device
  return last.offset + last.bytes();
}

RectLayout layout_of(const ImageLevel& level, const ImageFormat& format,
                     const std::array<std::size_t, 3>& origin,
                     const std::array<std::size_t, 3>& region) {
  const auto row_step = level.row_step();
  const auto begin = level.offset + origin[2] * level.slice_pitch + origin[1] * row_step +
                     format.row_bytes(origin[0]);
  const auto end = begin + (region[2] - 1) * level.slice_pitch + (region[1] - 1) * row_step +
                   format.row_bytes(region[0]);
  return {begin, end, row_step, level.slice_pitch};
}

} // namespace heddle
