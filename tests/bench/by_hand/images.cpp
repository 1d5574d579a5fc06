// Two dimensions: stencils over rows, a convolution that keeps four rows of sums in registers, and
// a transposition of squares in registers.
#include "tests/bench/by_hand/hand.h"
#include "tests/bench/by_hand/vectors.h"

#include <algorithm>

namespace heddle::bench {
namespace {

const ByHand stencil("stencil", [](Workload& w) {
  const auto in = w.view<const float>(0);
  const auto out = w.view<float>(1);
  const auto width = static_cast<size_t>(w.value<int32_t>(0, 2)),
             height = static_cast<size_t>(w.value<int32_t>(0, 3));
  return [=] {
    parallel(height, 16, [=](size_t first, size_t last) {
      for (size_t y = first; y != last; ++y) {
        const float* __restrict row = &in[y * width];
        float* __restrict to = &out[y * width];
        if (y == 0 || y + 1 == height) {
          std::copy_n(row, width, to);
          continue;
        }
        const float* __restrict above = row - width, * __restrict below = row + width;
        to[0] = row[0];
        for (size_t x = 1; x < width - 1; ++x)
          to[x] = 0.5f * row[x] + 0.125f * (row[x - 1] + row[x + 1] + above[x] + below[x]);
        to[width - 1] = row[width - 1];
      }
    });
  };
});

struct Image {
  const float* pixels;
  int width, height;
  const float* row(int y) const {
    return pixels + static_cast<ptrdiff_t>(std::clamp(y, 0, height - 1)) * width;
  }
};

constexpr int kRows = 4; // of results at once: each pixel is loaded for up to four of them

float convolve_at(const Image& in, const float* weights, int x, int y) {
  float sum = 0;
  for (int dy = 0; dy != 5; ++dy)
    for (int dx = 0; dx != 5; ++dx)
      sum += in.row(y + dy - 2)[std::clamp(x + dx - 2, 0, in.width - 1)] * weights[dy * 5 + dx];
  return sum;
}

// kRows rows from y on, all but two columns at either edge. The last vector overlaps the one
// before.
void convolve_rows(float* out, const Image& in, const float* weights, int y) {
  constexpr int kStep = static_cast<int>(kLanes);
  Floats weight[25];
  for (int i = 0; i != 25; ++i)
    weight[i] = all(weights[i]);
  const float* rows[kRows + 4];
  for (int r = 0; r != kRows + 4; ++r)
    rows[r] = in.row(y + r - 2);
  out += static_cast<ptrdiff_t>(y) * in.width;
  const int width = in.width, last = width - 2 - kStep;
  for (int x = 2; x < width - 2; x += kStep) {
    const int from = std::min(x, last);
    Floats sum[kRows] = {};
#pragma GCC unroll 8
    for (int r = 0; r != kRows + 4; ++r) {
#pragma GCC unroll 5
      for (int dx = 0; dx != 5; ++dx) {
        const auto pixels = load<Floats>(rows[r] + from + dx - 2);
#pragma GCC unroll 4
        for (int to = 0; to != kRows; ++to)
          if (r >= to && r < to + 5)
            sum[to] += pixels * weight[(r - to) * 5 + dx];
      }
    }
#pragma GCC unroll 4
    for (int r = 0; r != kRows; ++r)
      store(out + static_cast<ptrdiff_t>(r) * width + from, sum[r]);
  }
}

const ByHand convolution("convolution", [](Workload& w) {
  const Image in{w.view<const float>(0).data(), w.value<int32_t>(0, 3), w.value<int32_t>(0, 4)};
  const float* weights = w.view<const float>(1).data();
  float* out = w.view<float>(2).data();
  return [=] {
    parallel(static_cast<size_t>(in.height / kRows), 4, [=](size_t first, size_t last) {
      for (size_t block = first; block != last; ++block) {
        const int y = static_cast<int>(block) * kRows;
        convolve_rows(out, in, weights, y);
        for (int r = y; r != y + kRows; ++r)
          for (const int x : {0, 1, in.width - 2, in.width - 1})
            out[static_cast<ptrdiff_t>(r) * in.width + x] = convolve_at(in, weights, x, r);
      }
    });
  };
});

const ByHand transpose("transpose", [](Workload& w) {
  const auto in = w.view<const float>(0);
  const auto out = w.view<float>(1);
  const auto size = static_cast<size_t>(w.value<int32_t>(0, 2));
  return [=] {
    // Each task writes rows of its own, whole cache lines of them.
    parallel(size / kLanes, 2, [=](size_t first, size_t last) {
      for (size_t x = first * kLanes; x != last * kLanes; x += kLanes)
        for (size_t y = 0; y != size; y += kLanes) {
          Floats square[kLanes];
          for (size_t i = 0; i != kLanes; ++i)
            square[i] = load<Floats>(&in[(y + i) * size + x]);
          transpose_lanes(square);
          for (size_t i = 0; i != kLanes; ++i)
            store(&out[(x + i) * size + y], square[i]);
        }
    });
  };
});

} // namespace
} // namespace heddle::bench
