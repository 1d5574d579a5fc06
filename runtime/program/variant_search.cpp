// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/variant_search.h"

#include <algorithm>
#include <charconv>

namespace heddle {
namespace {

// Sub-groups of two work-items gain nothing over scalar code: the neighbors of 4 are 1 and 8. From
// scalar code, registers of 8 floats, which all CPUs but the oldest have, show whether vectors pay.
// Rows of scalar code are not interleaved.
std::uint32_t wider(std::uint32_t lanes) { return lanes == 1 ? 8 : lanes * 2; }
std::uint32_t narrower(std::uint32_t lanes) { return lanes <= 4 ? 1 : lanes / 2; }

bool is_power_of_two(std::uint32_t number) { return number != 0 && (number & (number - 1)) == 0; }

std::optional<VariantShape> parse_shape(std::string_view word) {
  VariantShape shape;
  const auto* end = word.data() + word.size();
  const auto lanes = std::from_chars(word.data(), end, shape.lanes);
  if (lanes.ec != std::errc() || lanes.ptr == end || *lanes.ptr != 'x')
    return std::nullopt;
  const auto rows = std::from_chars(lanes.ptr + 1, end, shape.rows);
  const auto* rest = rows.ptr;
  const auto is_next = [&](char letter) { return rest != end && *rest == letter && ++rest; };
  shape.is_swapped = is_next('s');
  shape.has_long_code = is_next('l');
  if (rows.ec != std::errc() || rest != end || !is_power_of_two(shape.lanes) ||
      !is_power_of_two(shape.rows))
    return std::nullopt;
  return shape;
}

std::string text_of(const VariantShape& shape) {
  return std::to_string(shape.lanes)
      .append("x")
      .append(std::to_string(shape.rows))
      .append(shape.is_swapped ? "s" : "")
      .append(shape.has_long_code ? "l" : "");
}

} // namespace

VariantSearch::VariantSearch(const VariantShape& first, const VariantBounds& bounds)
    : first_(first), best_(first), bounds_(bounds), tried_{first} {}

std::optional<VariantSearch> VariantSearch::from_text(std::string_view text,
                                                      const VariantBounds& bounds) {
  std::vector<VariantShape> shapes;
  while (!text.empty()) {
    const auto word = text.substr(0, text.find(' '));
    const auto shape = parse_shape(word);
    if (!shape)
      return std::nullopt;
    shapes.push_back(*shape);
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  if (shapes.size() < 2)
    return std::nullopt;
  VariantSearch search(shapes[0], bounds);
  search.best_ = shapes[1];
  search.tried_ = std::move(shapes);
  return search;
}

bool VariantSearch::is_possible(const VariantShape& shape) const {
  return shape.lanes >= bounds_.least_lanes && shape.lanes <= bounds_.most_lanes &&
         shape.rows >= 1 &&
         shape.rows <= (shape.is_swapped ? bounds_.most_swapped_rows : bounds_.most_rows) &&
         (bounds_.may_have_long_code || !shape.has_long_code) &&
         std::ranges::find(tried_, shape) == tried_.end();
}

std::optional<VariantShape> VariantSearch::next() const {
  const auto lanes = best_.lanes;
  const auto with_lanes = [this](std::uint32_t number) {
    return VariantShape{number, number == 1 ? 1 : best_.rows, best_.is_swapped,
                        best_.has_long_code};
  };
  const auto with_rows = [this](std::uint32_t number) {
    return VariantShape{best_.lanes, best_.lanes == 1 ? 1 : number, best_.is_swapped,
                        best_.has_long_code};
  };
  // The same registers, of which lanes or rows share more: before steps after each of which the
  // other one is no longer next.
  const VariantShape of_fewer_rows{wider(lanes), best_.rows / 2, best_.is_swapped,
                                   best_.has_long_code};
  const VariantShape of_more_rows{narrower(lanes), narrower(lanes) == 1 ? 0 : best_.rows * 2,
                                  best_.is_swapped, best_.has_long_code};
  // Strides decide between the dimensions, more than anything else does: first, and in the shape
  // that the compiler chose for the other one.
  const VariantShape swapped{
      first_.lanes,
      std::min(first_.rows, first_.is_swapped ? bounds_.most_rows : bounds_.most_swapped_rows),
      !first_.is_swapped};
  auto longer = best_;
  longer.has_long_code = true;
  // The last two because a full register may be the first shape that is faster.
  for (const VariantShape& shape :
       {longer, swapped, of_fewer_rows, with_lanes(wider(lanes)), with_lanes(narrower(lanes)),
        with_rows(best_.rows * 2), with_rows(best_.rows / 2), of_more_rows,
        with_lanes(wider(wider(lanes))), with_lanes(narrower(narrower(lanes)))})
    if (is_possible(shape))
      return shape;
  if (!bounds_.is_exhaustive)
    return std::nullopt;
  for (const bool is_swapped : {false, true})
    for (auto each = bounds_.most_lanes; each > 1; each = narrower(each))
      for (auto row = std::max(bounds_.most_rows, bounds_.most_swapped_rows); row >= 1; row /= 2)
        if (const VariantShape shape{each, row, is_swapped}; is_possible(shape))
          return shape;
  return is_possible({1, 1}) ? std::optional(VariantShape{1, 1}) : std::nullopt;
}

void VariantSearch::tried(const VariantShape& shape, bool is_better) {
  tried_.push_back(shape);
  if (is_better)
    best_ = shape;
}

std::string VariantSearch::text() const {
  auto text = text_of(first_).append(" ").append(text_of(best_));
  for (const auto& shape : tried_)
    if (shape != first_ && shape != best_)
      text.append(" ").append(text_of(shape));
  return text;
}

} // namespace heddle
