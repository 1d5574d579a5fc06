// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local alignment scores of pairs of sequences: one pair per group, one column per work-item, a
// barrier for each antidiagonal.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

#include <algorithm>

namespace heddle::bench {
namespace {

constexpr size_t kLength = 128;

const Register entry("smith_waterman", [](Scale scale) {
  const size_t pairs = scale == Scale::kFull ? 256 : 8;
  auto w = std::make_unique<Workload>();
  w->work = "256 pairs of 128 letters";
  w->source = R"(
    #define LENGTH 128
    kernel __attribute__((reqd_work_group_size(LENGTH, 1, 1)))
    void align(global int* scores, global const uchar* as, global const uchar* bs) {
      local int h[3][LENGTH + 1], best[LENGTH];
      int l = get_local_id(0), pair = get_group_id(0);
      int letter = as[pair * LENGTH + l], most = 0;
      for (int i = 0; i < 3; ++i)
        h[i][l + 1] = 0;
      if (l == 0)
        h[0][0] = h[1][0] = h[2][0] = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      int before = 0, last = 1, now = 2;
      for (int diagonal = 0; diagonal < 2 * LENGTH - 1; ++diagonal) {
        int row = diagonal - l;
        if (row >= 0 && row < LENGTH) {
          int match = bs[pair * LENGTH + row] == letter ? 2 : -1;
          int up = row == 0 ? 0 : h[last][l + 1];
          int corner = row == 0 ? 0 : h[before][l];
          int score = max(max(0, corner + match), max(up - 1, h[last][l] - 1));
          h[now][l + 1] = score;
          most = max(most, score);
        }
        int t = before;
        before = last;
        last = now;
        now = t;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      best[l] = most;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int s = LENGTH / 2; s > 0; s >>= 1) {
        if (l < s)
          best[l] = max(best[l], best[l + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      if (l == 0)
        scores[pair] = best[0];
    })";
  Random random(5);
  std::vector<uint8_t> as(pairs * kLength), bs(pairs * kLength);
  for (auto& letter : as)
    letter = static_cast<uint8_t>(random.below(4));
  for (auto& letter : bs)
    letter = static_cast<uint8_t>(random.below(4));
  const auto a = w->input(as), b = w->input(bs);
  const auto scores = w->result<int32_t>(pairs);
  w->launch("align", {pairs * kLength}, {kLength}, scores, a, b);
  w->verify = [=, &w = *w] {
    std::vector<int32_t> expected(pairs);
    for (size_t p = 0; p != pairs; ++p) {
      std::vector<int32_t> line(kLength + 1);
      for (size_t r = 0; r != kLength; ++r) {
        int32_t corner = 0;
        for (size_t c = 0; c != kLength; ++c) {
          const int32_t match = as[p * kLength + c] == bs[p * kLength + r] ? 2 : -1;
          const int32_t score = std::max({0, corner + match, line[c + 1] - 1, line[c] - 1});
          corner = line[c + 1];
          line[c + 1] = score;
          expected[p] = std::max(expected[p], score);
        }
      }
    }
    return equal(w.view<int32_t>(scores), expected);
  };
  return w;
});

} // namespace
} // namespace heddle::bench
