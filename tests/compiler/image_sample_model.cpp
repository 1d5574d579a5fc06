// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// API 8.2: addressing and filters in double precision.
#include "tests/compiler/image_model.h"

#include <algorithm>
#include <cmath>

namespace heddle::test {
namespace {

// The texels of one dimension that contribute, with their weights; -1 is the border.
struct Taps {
  std::array<int, 2> index{};
  std::array<double, 2> weight{1, 0};
};

int address(double index, int size, std::uint32_t addressing) {
  switch (addressing) {
  case HEDDLE_SAMPLER_CLAMP:
    return index < 0 || index >= size ? -1 : static_cast<int>(index);
  case HEDDLE_SAMPLER_REPEAT:
    index = index < 0 ? index + size : index >= size ? index - size : index;
    break;
  default:
    break;
  }
  return static_cast<int>(std::clamp(index, 0.0, size - 1.0));
}

Taps taps(float s, int size, std::uint32_t sampler) {
  const auto addressing = sampler & HEDDLE_SAMPLER_ADDRESS_MASK;
  double u = s;
  if (addressing == HEDDLE_SAMPLER_REPEAT)
    u -= std::floor(u);
  if (addressing == HEDDLE_SAMPLER_MIRRORED_REPEAT)
    u = std::fabs(u - 2 * std::nearbyint(0.5 * u));
  if (sampler & HEDDLE_SAMPLER_NORMALIZED)
    u *= size;
  if ((sampler & HEDDLE_SAMPLER_LINEAR) == 0)
    return {{address(std::floor(u), size, addressing), 0}, {1, 0}};
  const double lower = std::floor(u - 0.5);
  const double part = u - 0.5 - lower;
  return {{address(lower, size, addressing), address(lower + 1, size, addressing)},
          {1 - part, part}};
}

} // namespace

Color sample(TestImage& image, int dimensions, std::uint32_t sampler, std::array<float, 3> place,
             int layer) {
  const auto& size = image.size();
  const int sizes[] = {size.width, size.height, size.depth};
  Taps all[3];
  for (int d = 0; d < dimensions; ++d)
    all[d] = taps(place[d], sizes[d], sampler);
  Color sum{};
  for (int k = 0; k < 8; ++k) {
    double weight = 1;
    int index[3];
    bool border = false;
    for (int d = 0; d < 3; ++d) {
      weight *= all[d].weight[k >> d & 1];
      index[d] = all[d].index[k >> d & 1];
      border |= index[d] < 0;
    }
    if (weight == 0)
      continue;
    const auto color =
        border ? border_color(image.format())
               : decode(image.format(), image.texel(index[0], index[1], index[2] + layer));
    for (int c = 0; c < 4; ++c)
      sum[c] += weight * color[c];
  }
  return sum;
}

} // namespace heddle::test
