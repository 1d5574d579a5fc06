// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which variants of a kernel to try next: a search from the one that the compiler chooses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// What tells variants apart.
struct VariantShape {
  std::uint32_t lanes = 1; // work-items of a sub-group
  std::uint32_t rows = 1;  // interleaved sub-groups
  bool is_swapped = false; // lanes run along the second dimension
  bool has_long_code = false;
  bool operator==(const VariantShape&) const = default;
};

// The shapes that launches of one local size can have.
struct VariantBounds {
  std::uint32_t least_lanes = 1;
  std::uint32_t most_lanes = 1; // a power of two, as all of these
  std::uint32_t most_rows = 1;
  std::uint32_t most_swapped_rows = 0; // of swapped shapes; 0: there are none
  bool may_have_long_code = false;
  // All shapes, not only neighbors of the best one.
  bool is_exhaustive = false;
};

// First the same shape with long code, if there is one, and the other dimension for the lanes, if
// there are two. Then from the best shape so far to twice or half its lanes, twice or half its
// rows, then four times or a quarter of its lanes, until none of these is left that was not tried.
// Not thread-safe.
class VariantSearch {
 public:
  VariantSearch(const VariantShape& first, const VariantBounds& bounds);
  // A search of before, from text(); without bounds, which next() needs. Nothing if it is not
  // well-formed.
  static std::optional<VariantSearch> from_text(std::string_view text,
                                                const VariantBounds& bounds = {});
  void set_bounds(const VariantBounds& bounds) { bounds_ = bounds; }

  const VariantShape& first() const { return first_; }
  const VariantShape& best() const { return best_; }
  // The shape to try next; the same until it is tried. Nothing at the end.
  std::optional<VariantShape> next() const;
  // The last shape of next() was tried, and is better than the best one or not.
  void tried(const VariantShape& shape, bool is_better);
  // "16x1 32x1 64x1 32x1s": the first shape, the best one, and all others that were tried; "s" for
  // swapped dimensions, "l" for long code.
  std::string text() const;

 private:
  bool is_possible(const VariantShape& shape) const;

  VariantShape first_;
  VariantShape best_;
  VariantBounds bounds_;
  std::vector<VariantShape> tried_;
};

} // namespace heddle
