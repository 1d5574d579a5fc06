// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sparse rows, and the nearest centers of points.
#include "tests/bench/by_hand/hand.h"
#include "tests/bench/by_hand/vectors.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace heddle::bench {
namespace {

// One row: entries [i, end). Row lengths vary so much that mispredicted branches dominate: the last
// entries are masked instead of processed in a second loop.
float multiply_row(const float* values, const uint32_t* columns, const float* x, uint32_t i,
                   uint32_t end) {
#if defined(__AVX2__)
  const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  __m256 sum = _mm256_setzero_ps();
  for (; i < end; i += 8) {
    const auto left = _mm256_set1_epi32(static_cast<int32_t>(end - i));
    const auto mask = _mm256_cmpgt_epi32(left, lanes);
    const auto at = _mm256_maskload_epi32(reinterpret_cast<const int*>(columns + i), mask);
    const auto value = _mm256_maskload_ps(values + i, mask);
    sum = _mm256_add_ps(sum, _mm256_mul_ps(value, _mm256_i32gather_ps(x, at, 4)));
  }
  __m128 four = _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps(sum, 1));
  four = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return four[0] + four[1];
#else
  float sum[4] = {};
  for (; i + 4 <= end; i += 4)
    for (uint32_t c = 0; c != 4; ++c)
      sum[c] += values[i + c] * x[columns[i + c]];
  for (; i != end; ++i)
    sum[0] += values[i] * x[columns[i]];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
#endif
}

const ByHand spmv("spmv", [](Workload& w) {
  const auto starts = w.view<const uint32_t>(0), columns = w.view<const uint32_t>(1);
  const auto values = w.view<const float>(2), x = w.view<const float>(3);
  const auto y = w.view<float>(4);
  return [=] {
    parallel(y.size(), 1 << 10, [=](size_t first, size_t last) {
      for (size_t row = first; row != last; ++row)
        y[row] =
            multiply_row(values.data(), columns.data(), x.data(), starts[row], starts[row + 1]);
    });
  };
});

// Without the point's own square, which is the same for all centers, the squared distance is |c|^2
// - 2 p.c: one operation for each feature instead of two.
template <size_t kCount>
void assign(uint32_t* labels, const float* points, size_t n, const float* doubled,
            const float* squares, uint32_t centres, size_t features) {
  Floats least_yet[kCount];
  Ints label[kCount] = {};
  for (auto& v : least_yet)
    v = all(std::numeric_limits<float>::infinity());
  for (uint32_t c = 0; c != centres; ++c) {
    Floats distance[kCount];
    for (auto& v : distance)
      v = all(squares[c]);
    for (size_t f = 0; f != features; ++f)
      for (size_t v = 0; v != kCount; ++v)
        distance[v] += doubled[c * features + f] * load<Floats>(points + f * n + v * kLanes);
    for (size_t v = 0; v != kCount; ++v) {
      label[v] = distance[v] < least_yet[v] ? all(static_cast<int32_t>(c)) : label[v];
      least_yet[v] = least(distance[v], least_yet[v]);
    }
  }
  for (size_t v = 0; v != kCount; ++v)
    store(labels + v * kLanes, label[v]);
}

const ByHand kmeans("kmeans", [](Workload& w) {
  const auto points = w.view<const float>(0), centres = w.view<const float>(1);
  const auto labels = w.view<uint32_t>(2);
  const auto n = w.value<uint32_t>(0, 3), count = w.value<uint32_t>(0, 4);
  const size_t features = w.value<uint32_t>(0, 5);
  return [=] {
    std::vector<float> doubled(centres.size()), squares(count);
    for (size_t i = 0; i != centres.size(); ++i) {
      doubled[i] = -2 * centres[i];
      squares[i / features] += centres[i] * centres[i];
    }
    constexpr size_t kTogether = 4, kStep = kTogether * kLanes;
    parallel(n / kStep, 1 << 5, [&](size_t first, size_t last) {
      for (size_t i = first * kStep; i != last * kStep; i += kStep)
        assign<kTogether>(&labels[i], &points[i], n, doubled.data(), squares.data(), count,
                          features);
    });
  };
});

} // namespace
} // namespace heddle::bench
