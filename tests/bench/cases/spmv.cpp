// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sparse matrix in compressed rows times a vector, one work-item per row.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

const Register entry("spmv", [](Scale scale) {
  const uint32_t rows = scale == Scale::kFull ? 1 << 16 : 1 << 10;
  auto w = std::make_unique<Workload>();
  w->work = "64 Ki rows, 8 to 32 entries each";
  w->source = R"(
    kernel void spmv(global float* y, global const uint* starts, global const uint* columns,
                     global const float* values, global const float* x, uint rows) {
      uint row = get_global_id(0);
      if (row >= rows)
        return;
      float sum = 0;
      for (uint i = starts[row]; i < starts[row + 1]; ++i)
        sum += values[i] * x[columns[i]];
      y[row] = sum;
    })";
  Random random(7);
  std::vector<uint32_t> starts{0}, columns;
  for (uint32_t r = 0; r != rows; ++r) {
    for (uint32_t i = 8 + random.below(25); i != 0; --i)
      columns.push_back(random.below(rows));
    starts.push_back(static_cast<uint32_t>(columns.size()));
  }
  const auto values = random_values<float>(columns.size(), -1, 1),
             xs = random_values<float>(rows, -1, 1, 2);
  const auto s = w->input(starts), c = w->input(columns);
  const auto v = w->input(values), x = w->input(xs);
  const auto y = w->result<float>(rows);
  w->launch("spmv", {rows}, {128}, y, s, c, v, x, rows);
  w->verify = [=, &w = *w] {
    std::vector<float> expected(rows);
    for (size_t r = 0; r != rows; ++r)
      for (uint32_t i = starts[r]; i != starts[r + 1]; ++i)
        expected[r] += values[i] * xs[columns[i]];
    return close(w.view<float>(y), expected, 1e-4, 1e-4);
  };
  return w;
});

} // namespace
} // namespace heddle::bench
