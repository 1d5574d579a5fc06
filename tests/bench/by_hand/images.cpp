// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two dimensions: stencils over rows, a convolution that keeps its weights in registers, and a
// transposition of squares in registers.
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

constexpr int kRows = 2, kRowsRead = kRows + 4; // of results at once, and what they are made of
constexpr int kStep = static_cast<int>(kLanes);

// Computes a vector of each of kRows rows from the pixels around rows[2] + x, rows[3] + x, ...
void convolve(float* out, int width, const float* const (&rows)[kRowsRead], int x,
              const Floats (&weights)[25]) {
  Floats sum[kRows] = {};
#pragma GCC unroll 8
  for (int r = 0; r != kRowsRead; ++r) {
#pragma GCC unroll 5
    for (int dx = 0; dx != 5; ++dx) {
      const auto pixels = load<Floats>(rows[r] + x + dx - 2);
#pragma GCC unroll 4
      for (int to = 0; to != kRows; ++to)
        if (r >= to && r < to + 5)
          sum[to] += pixels * weights[(r - to) * 5 + dx];
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r != kRows; ++r)
    store(out + static_cast<ptrdiff_t>(r) * width, sum[r]);
}

void convolve_rows(float* out, const Image& in, const Floats (&weights)[25], int y) {
  const int width = in.width;
  const float *rows[kRowsRead], *left[kRowsRead], *right[kRowsRead];
  float edges[kRowsRead][2][kLanes + 4]; // the first and the last pixels, and their copies outside
  for (int r = 0; r != kRowsRead; ++r) {
    rows[r] = in.row(y + r - 2);
    left[r] = edges[r][0] + 2;
    std::fill_n(edges[r][0], 2, rows[r][0]);
    std::copy_n(rows[r], kLanes + 2, edges[r][0] + 2);
    right[r] = edges[r][1] + 2;
    std::copy_n(rows[r] + width - kStep - 2, kLanes + 2, edges[r][1]);
    std::fill_n(edges[r][1] + kLanes + 2, 2, rows[r][width - 1]);
  }
  out += static_cast<ptrdiff_t>(y) * width;
  convolve(out, width, left, 0, weights);
  for (int x = kStep; x < width - kStep; x += kStep) {
    const int at = std::min(x, width - kStep - 2); // the last may overlap the one before
    convolve(out + at, width, rows, at, weights);
  }
  convolve(out + width - kStep, width, right, 0, weights);
}

const ByHand convolution("convolution", [](Workload& w) {
  const Image in{w.view<const float>(0).data(), w.value<int32_t>(0, 3), w.value<int32_t>(0, 4)};
  const float* mask = w.view<const float>(1).data();
  float* out = w.view<float>(2).data();
  return [=] {
    parallel(static_cast<size_t>(in.height / kRows), 8, [=](size_t first, size_t last) {
      Floats weights[25];
      for (int i = 0; i != 25; ++i)
        weights[i] = all(mask[i]);
      for (size_t block = first; block != last; ++block)
        convolve_rows(out, in, weights, static_cast<int>(block) * kRows);
    });
  };
});

const ByHand transpose("transpose", [](Workload& w) {
  const auto in = w.view<const float>(0);
  const auto out = w.view<float>(1);
  const auto size = static_cast<size_t>(w.value<int32_t>(0, 2));
  return [=] {
    // Each task writes separate rows, in whole cache lines.
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
