// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/rect.h"

#include "runtime/allocation/shadowed_memory.h"
#include "runtime/memory/fill.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace heddle {
namespace {

// a * b + c, or nothing if it overflows.
std::optional<std::size_t> multiply_add(std::size_t a, std::size_t b, std::size_t c) {
  std::size_t product = 0;
  std::size_t sum = 0;
  if (__builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(product, c, &sum))
    return std::nullopt;
  return sum;
}

// Whether one of `count` intervals [i * pitch, i * pitch + length) overlaps [begin, begin + size);
// the intervals are disjoint (length <= pitch).
struct Progression {
  std::size_t first; // of those that may overlap
  std::size_t last;  // exclusive
};
Progression candidates(std::int64_t begin, std::int64_t size, std::size_t pitch, std::size_t length,
                       std::size_t count) {
  // i * pitch < begin + size and i * pitch + length > begin
  const auto end = begin + size;
  if (end <= 0)
    return {0, 0};
  const auto last = (static_cast<std::size_t>(end) - 1) / pitch + 1;
  const auto past = begin - static_cast<std::int64_t>(length);
  const auto first = past < 0 ? 0 : static_cast<std::size_t>(past) / pitch + 1;
  return {first, std::min(last, count)};
}

} // namespace

std::optional<RectLayout> RectLayout::make(const std::array<std::size_t, 3>& origin,
                                           const RectRegion& region, std::size_t row_pitch,
                                           std::size_t slice_pitch) {
  if (region.width == 0 || region.height == 0 || region.depth == 0)
    return std::nullopt;
  if (row_pitch == 0)
    row_pitch = region.width;
  const auto least_slice = multiply_add(region.height, row_pitch, 0);
  if (row_pitch < region.width || !least_slice)
    return std::nullopt;
  if (slice_pitch == 0)
    slice_pitch = *least_slice;
  if (slice_pitch < *least_slice || slice_pitch % row_pitch != 0)
    return std::nullopt;
  auto begin = multiply_add(origin[2], slice_pitch, origin[0]);
  if (begin)
    begin = multiply_add(origin[1], row_pitch, *begin);
  if (!begin)
    return std::nullopt;
  auto end = multiply_add(region.depth - 1, slice_pitch, *begin);
  if (end)
    end = multiply_add(region.height - 1, row_pitch, *end);
  if (end)
    end = multiply_add(1, region.width, *end);
  if (!end)
    return std::nullopt;
  return RectLayout{*begin, *end, row_pitch, slice_pitch};
}

void RectPieces::merge(std::initializer_list<RectLayout> layouts) {
  auto& [width, height, depth] = region_;
  if (height > 1 &&
      std::any_of(layouts.begin(), layouts.end(),
                  [width = width](const RectLayout& layout) { return layout.row_pitch != width; }))
    return;
  width *= height;
  height = 1;
  if (depth > 1 &&
      std::any_of(layouts.begin(), layouts.end(), [width = width](const RectLayout& layout) {
        return layout.slice_pitch != width;
      }))
    return;
  width *= depth;
  depth = 1;
}

RectCopy::RectCopy(std::byte* to, const RectLayout& to_layout, const std::byte* from,
                   const RectLayout& from_layout, const RectRegion& region)
    : pieces_(region), to_(to), from_(from), to_layout_(to_layout), from_layout_(from_layout) {
  pieces_.merge({to_layout, from_layout});
}

bool RectCopy::is_overlapping() const {
  return to_ + to_layout_.begin < from_ + from_layout_.end &&
         from_ + from_layout_.begin < to_ + to_layout_.end;
}

void RectCopy::run(std::size_t begin, std::size_t end) const {
  pieces_.visit(begin, end, [this](std::size_t x, std::size_t y, std::size_t z, std::size_t size) {
    auto* target = to_ + to_layout_.at(x, y, z);
    const auto* source = from_ + from_layout_.at(x, y, z);
    if (target != source)
      std::memmove(target, source, size);
    shadowed_memory::mark_copied(target, source, size);
  });
}

RectFill::RectFill(std::byte* to, const RectLayout& layout, const RectRegion& region,
                   const std::byte* pattern, std::size_t pattern_size)
    : pieces_(region), to_(to), layout_(layout), pattern_size_(pattern_size) {
  pieces_.merge({layout});
  std::copy_n(pattern, pattern_size, pattern_.begin());
}

void RectFill::run(std::size_t begin, std::size_t end) const {
  pieces_.visit(begin, end, [this](std::size_t x, std::size_t y, std::size_t z, std::size_t size) {
    auto pattern = pattern_;
    const auto first = static_cast<std::ptrdiff_t>(x % pattern_size_);
    std::rotate(pattern.begin(), pattern.begin() + first,
                pattern.begin() + static_cast<std::ptrdiff_t>(pattern_size_));
    auto* to = to_ + layout_.at(x, y, z);
    fill::repeat(to, size, pattern.data(), pattern_size_);
    shadowed_memory::mark_written(to, size);
  });
}

bool rects_overlap(const PlacedRect& a, const PlacedRect& b) {
  const auto* a_begin = a.data + a.layout.begin;
  const auto* b_begin = b.data + b.layout.begin;
  if (a.data + a.layout.end <= b_begin || b.data + b.layout.end <= a_begin)
    return false;
  // Compares each row of a with the few slices and rows of b that it may overlap.
  const auto slice_length = (b.region.height - 1) * b.layout.row_pitch + b.region.width;
  const auto width = static_cast<std::int64_t>(a.region.width);
  for (std::size_t z = 0; z < a.region.depth; ++z)
    for (std::size_t y = 0; y < a.region.height; ++y) {
      const auto row = a_begin + z * a.layout.slice_pitch + y * a.layout.row_pitch - b_begin;
      const auto slices =
          candidates(row, width, b.layout.slice_pitch, slice_length, b.region.depth);
      for (auto s = slices.first; s < slices.last; ++s) {
        const auto in_slice = row - static_cast<std::int64_t>(s * b.layout.slice_pitch);
        const auto rows =
            candidates(in_slice, width, b.layout.row_pitch, b.region.width, b.region.height);
        if (rows.first < rows.last)
          return true;
      }
    }
  return false;
}

} // namespace heddle
