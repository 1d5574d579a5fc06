// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rectangular regions of linear memory, in bytes (OpenCL API 5.2.2).
#pragma once

#include <array>
#include <cstddef>
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

  // A pitch of 0 means contiguous rows or slices. Nothing if a dimension of the region is 0, if
  // rows or slices overlap, if the slice pitch is not a multiple of the row pitch, or if an offset
  // overflows size_t.
  static std::optional<RectLayout> make(const std::array<std::size_t, 3>& origin,
                                        const RectRegion& region, std::size_t row_pitch,
                                        std::size_t slice_pitch);
};

// A copy of a region from one layout to another, which several threads may run in pieces. Contiguous
// rows and slices are copied in one piece.
class RectCopy {
 public:
  // The layouts are relative to `to` and `from`.
  RectCopy(std::byte* to, const RectLayout& to_layout, const std::byte* from,
           const RectLayout& from_layout, const RectRegion& region);

  std::size_t bytes() const { return width_ * height_ * depth_; }
  // Whether both address ranges share a byte, so that only run(0, bytes()) is valid.
  bool is_overlapping() const { return is_overlapping_; }
  // Copies the bytes [begin, end) of the region, counted row by row.
  void run(std::size_t begin, std::size_t end) const;

 private:
  std::byte* to_;
  const std::byte* from_;
  std::size_t width_, height_, depth_; // bytes, rows, slices
  std::size_t to_row_, to_slice_, from_row_, from_slice_;
  bool is_overlapping_;
};

// Whether the two regions, whose layouts are relative to `a` and `b`, share a byte.
bool rects_overlap(const std::byte* a, const RectLayout& a_layout, const std::byte* b,
                   const RectLayout& b_layout, const RectRegion& region);

} // namespace heddle
