// Kernels as most programs have them: sizes are rounded up to whole groups, and what is too much
// returns; work-items at the border of an image do something else.
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

const Register sgemm("bounds_checks/sgemm", [](Scale scale) {
  const size_t n = scale == Scale::kFull ? 390 : 70;
  auto w = std::make_unique<Workload>();
  w->work = "390 x 390 floats";
  w->source = R"(
    kernel void sgemm(global float* c, global const float* a, global const float* b, int n) {
      int col = get_global_id(0), row = get_global_id(1);
      if (row >= n || col >= n)
        return;
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[row * n + k] * b[k * n + col];
      c[row * n + col] = sum;
    })";
  const auto as = random_values<float>(n * n, -1, 1), bs = random_values<float>(n * n, -1, 1, 2);
  const auto a = w->input(as), b = w->input(bs);
  const auto c = w->result<float>(n * n);
  const auto size = rounded_up(n, 16);
  w->launch("sgemm", {size, size}, {16, 16}, c, a, b, static_cast<int32_t>(n));
  w->verify = [=, &w = *w] {
    std::vector<float> expected(n * n);
    for (size_t i = 0; i != n; ++i)
      for (size_t k = 0; k != n; ++k)
        for (size_t j = 0; j != n; ++j)
          expected[i * n + j] += as[i * n + k] * bs[k * n + j];
    return close(w.view<float>(c), expected, 1e-4, 1e-4);
  };
  return w;
});

} // namespace
} // namespace heddle::bench
