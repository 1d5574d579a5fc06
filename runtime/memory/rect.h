// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rectangular regions of linear memory, in bytes (OpenCL API 5.2.2).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>

namespace heddle {

struct RectRegion {
  std::size_t width;  // bytes
  std::size_t height; // rows
  std::size_t depth;  // slices
};

struct RectLayout {
  std::size_t begin; // offset of the first byte
  std::size_t end;   // one past the last byte
  std::size_t row_pitch;
  std::size_t slice_pitch;

  std::size_t at(std::size_t x, std::size_t y, std::size_t z) const {
    return begin + z * slice_pitch + y * row_pitch + x;
  }

  // A pitch of 0 means contiguous rows or slices. Nothing if a dimension of the region is 0, if
  // rows or slices overlap, if the slice pitch is not a multiple of the row pitch, or if an offset
  // overflows size_t.
  static std::optional<RectLayout> make(const std::array<std::size_t, 3>& origin,
                                        const RectRegion& region, std::size_t row_pitch,
                                        std::size_t slice_pitch);
};

// A region of which several threads may process pieces, counted in bytes row by row.
class RectPieces {
 public:
  explicit RectPieces(const RectRegion& region) : region_(region) {}
  // Makes one row of rows, and of slices, that are contiguous in all layouts.
  void merge(std::initializer_list<RectLayout> layouts);

  std::size_t bytes() const { return region_.width * region_.height * region_.depth; }
  // Calls visit(x, y, z, size) for the parts of rows that the bytes [begin, end) are.
  template <class Visit>
  void visit(std::size_t begin, std::size_t end, Visit visit) const {
    const auto row = begin / region_.width;
    auto x = begin % region_.width;
    auto y = row % region_.height;
    auto z = row / region_.height;
    while (begin < end) {
      const auto size = std::min(region_.width - x, end - begin);
      visit(x, y, z, size);
      begin += size;
      x = 0;
      if (++y == region_.height) {
        y = 0;
        ++z;
      }
    }
  }

 private:
  RectRegion region_;
};

class RectCopy {
 public:
  // The layouts are relative to `to` and `from`.
  RectCopy(std::byte* to, const RectLayout& to_layout, const std::byte* from,
           const RectLayout& from_layout, const RectRegion& region);

  std::size_t bytes() const { return pieces_.bytes(); }
  // Whether both address ranges share a byte, so that only run(0, bytes()) is valid.
  bool is_overlapping() const;
  void run(std::size_t begin, std::size_t end) const;

 private:
  RectPieces pieces_;
  std::byte* to_;
  const std::byte* from_;
  RectLayout to_layout_, from_layout_;
};

// Fills a region with a pattern of a power of two of bytes, at most kMaxPattern; rows are
// multiples of it, and so are the ends of pieces.
class RectFill {
 public:
  static constexpr std::size_t kMaxPattern = 16;
  RectFill(std::byte* to, const RectLayout& layout, const RectRegion& region,
           const std::byte* pattern, std::size_t pattern_size);

  std::size_t bytes() const { return pieces_.bytes(); }
  void run(std::size_t begin, std::size_t end) const;

 private:
  RectPieces pieces_;
  std::byte* to_;
  RectLayout layout_;
  std::array<std::byte, kMaxPattern> pattern_{};
  std::size_t pattern_size_;
};

// Whether two regions share a byte.
struct PlacedRect {
  const std::byte* data; // to which the layout is relative
  RectLayout layout;
  RectRegion region;
};
bool rects_overlap(const PlacedRect& a, const PlacedRect& b);

} // namespace heddle
