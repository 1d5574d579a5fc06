// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local alignment, one pair of sequences per lane: in bytes, and again in 16 bits if a score may
// exceed a byte.
#include "tests/bench/by_hand/hand.h"
#include "tests/bench/by_hand/vectors.h"

#include <algorithm>

namespace heddle::bench {
namespace {

constexpr size_t kLength = 128;

// max(x - 1, 0).
template <typename V>
V less_one(V x) {
  return most(x, V{} + 1) - 1;
}

// The scores of as many pairs as V has lanes; only the first `count` exist. A score is correct
// unless it is the type's maximum or one less.
template <typename V>
V align(const uint8_t* as, const uint8_t* bs, size_t count) {
  V a[kLength] = {}, b[kLength] = {};
  for (size_t pair = 0; pair != count; ++pair)
    for (size_t i = 0; i != kLength; ++i) {
      a[i][pair] = as[pair * kLength + i];
      b[i][pair] = bs[pair * kLength + i];
    }
  // For each column of the row above: the score that ends with a match, and the one after a gap.
  V matched[kLength], gap[kLength] = {}, best = {};
  std::ranges::fill(matched, V{} + 2);
  for (size_t row = 0; row != kLength; ++row) {
    V corner_matched = V{} + 2, corner_gap = {}, left = {};
    const V letter = b[row];
    for (size_t column = 0; column != kLength; ++column) {
      const V score =
          most(most(a[column] == letter ? corner_matched : corner_gap, gap[column]), left);
      corner_matched = matched[column];
      corner_gap = gap[column];
      best = most(best, score);
      left = less_one(score);
      matched[column] = score + 2;
      gap[column] = left;
    }
  }
  return best;
}

template <typename V>
bool align_into(int32_t* scores, const uint8_t* as, const uint8_t* bs, size_t count) {
  const V best = align<V>(as, bs, count);
  constexpr auto kGreatest = static_cast<decltype(V{}[0] + 0)>((1u << 8 * sizeof(V{}[0])) - 1);
  bool fits = true;
  for (size_t pair = 0; pair != count; ++pair) {
    scores[pair] = best[pair];
    fits = fits && scores[pair] < kGreatest - 1;
  }
  return fits;
}

const ByHand smith_waterman("smith_waterman", [](Workload& w) {
  const auto as = w.view<const uint8_t>(0), bs = w.view<const uint8_t>(1);
  const auto scores = w.view<int32_t>(2);
  return [=] {
    constexpr size_t kBytes = kVectorBytes, kWords = kVectorBytes / 2;
    parallel((scores.size() + kBytes - 1) / kBytes, 1, [=](size_t first, size_t last) {
      for (size_t pair = first * kBytes; pair < std::min(last * kBytes, scores.size());
           pair += kBytes) {
        const size_t end = std::min(pair + kBytes, scores.size());
        if (align_into<Uchars>(&scores[pair], &as[pair * kLength], &bs[pair * kLength], end - pair))
          continue;
        for (size_t p = pair; p < end; p += kWords)
          align_into<Ushorts>(&scores[p], &as[p * kLength], &bs[p * kLength],
                              std::min(kWords, end - p));
      }
    });
  };
});

} // namespace
} // namespace heddle::bench
