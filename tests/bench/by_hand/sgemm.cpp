// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices: B is packed into panels of two vectors' width, then each tile of C stays in registers
// while a panel and a few rows of A are streamed.
#include "tests/bench/by_hand/hand.h"
#include "tests/bench/by_hand/vectors.h"

#include <algorithm>
#include <vector>

namespace heddle::bench {
namespace {

constexpr size_t kWidth = 2 * kLanes;                    // of a panel
constexpr size_t kRows = kVectorBytes == 64 ? 12 : 6;    // of a tile: it fills most registers
constexpr size_t kTask = kRows * (kWidth >= 32 ? 2 : 4); // rows a task

// Computes rows of C at `c`, `width` columns; `panel` has kWidth columns, A's rows have n elements.
template <size_t kCount>
void tile(float* c, const float* a, const float* panel, size_t n, size_t width) {
  Floats sum[kCount][2] = {};
  for (size_t k = 0; k != n; ++k) {
    const auto left = load<Floats>(panel + k * kWidth),
               right = load<Floats>(panel + k * kWidth + kLanes);
#pragma GCC unroll 16
    for (size_t r = 0; r != kCount; ++r) {
      const Floats x = all(a[r * n + k]);
      sum[r][0] += x * left;
      sum[r][1] += x * right;
    }
  }
  for (size_t r = 0; r != kCount; ++r)
    std::memcpy(c + r * n, sum[r], width * sizeof(float));
}

// The remaining rows, fewer than kRows.
template <size_t kCount>
void rest(size_t count, float* c, const float* a, const float* panel, size_t n, size_t width) {
  if constexpr (kCount != 0) {
    if (count == kCount)
      tile<kCount>(c, a, panel, n, width);
    else
      rest<kCount - 1>(count, c, a, panel, n, width);
  }
}

void pack(float* panel, const float* b, size_t n, size_t width) {
  for (size_t k = 0; k != n; ++k) {
    if (width == kWidth)
      std::memcpy(panel + k * kWidth, b + k * n, kWidth * sizeof(float));
    else
      std::copy_n(b + k * n, width, panel + k * kWidth);
  }
}

const Prepare sgemm = [](Workload& w) {
  const auto a = w.view<const float>(0), b = w.view<const float>(1);
  const auto c = w.view<float>(2);
  const auto n = static_cast<size_t>(w.value<int32_t>(0, 3));
  const size_t panels = (n + kWidth - 1) / kWidth, tasks = (n + kTask - 1) / kTask;
  const auto packed = std::make_shared<Bytes>(panels * kWidth * n * sizeof(float));
  std::memset(packed->data(), 0, packed->size()); // the columns that fill up the last panel
  return [=] {
    const auto panel = [&](size_t p) {
      return reinterpret_cast<float*>(packed->data()) + p * kWidth * n;
    };
    const auto width = [&](size_t p) { return std::min(kWidth, n - p * kWidth); };
    parallel(panels, 2, [&](size_t first, size_t last) {
      for (size_t p = first; p != last; ++p)
        pack(panel(p), &b[p * kWidth], n, width(p));
    });
    // A task's rows of A stay in the cache for all its panels.
    parallel(tasks * panels, panels, [&](size_t first, size_t last) {
      for (size_t i = first; i != last; ++i) {
        const size_t p = i % panels, end = std::min(n, (i / panels + 1) * kTask);
        for (size_t row = i / panels * kTask; row < end; row += kRows) {
          float* to = &c[row * n + p * kWidth];
          if (end - row >= kRows)
            tile<kRows>(to, &a[row * n], panel(p), n, width(p));
          else
            rest<kRows - 1>(end - row, to, &a[row * n], panel(p), n, width(p));
        }
      }
    });
  };
};
const ByHand naive("sgemm_naive", sgemm), tiled("sgemm_tiled", sgemm);

} // namespace
} // namespace heddle::bench
