// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with a bounds check: sizes are rounded up to whole groups, and excess work-items do
// nothing. sgemm.cpp has a matrix product of this kind.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

constexpr size_t rounded_up(size_t n, size_t group) { return (n + group - 1) / group * group; }

const Register axpy("bounds_checks/axpy", [](Scale scale) {
  const size_t n = (scale == Scale::kFull ? 64 * 1024 : 4096) - 77;
  auto w = std::make_unique<Workload>();
  w->work = "64 Ki floats, less 77";
  w->source = R"(
    kernel void axpy(global float* out, global const float* x, global const float* y, float a, uint n) {
      size_t i = get_global_id(0);
      if (i < n)
        out[i] = a * x[i] + y[i];
    })";
  const auto xs = random_values<float>(n, -1, 1), ys = random_values<float>(n, -1, 1, 2);
  const auto x = w->input(xs), y = w->input(ys);
  const auto out = w->result<float>(n);
  w->launch("axpy", {rounded_up(n, 256)}, {256}, out, x, y, 0.75f, static_cast<uint32_t>(n));
  w->verify = [=, &w = *w] {
    std::vector<float> expected(n);
    for (size_t i = 0; i != n; ++i)
      expected[i] = 0.75f * xs[i] + ys[i];
    return close(w.view<float>(out), expected, 1e-5, 1e-5);
  };
  return w;
});

} // namespace
} // namespace heddle::bench
