// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

std::unique_ptr<Workload> make(size_t n, const char* work) {
  auto w = std::make_unique<Workload>();
  w->work = work;
  w->source = R"(
    kernel void saxpy(global float* z, global const float* x, global const float* y, float a) {
      size_t i = get_global_id(0);
      z[i] = a * x[i] + y[i];
    })";
  const auto xs = random_values<float>(n, -1, 1), ys = random_values<float>(n, -1, 1, 2);
  const auto x = w->input(xs), y = w->input(ys);
  const auto z = w->result<float>(n);
  w->launch("saxpy", {n}, {256}, z, x, y, 1.5f);
  w->verify = [=, &w = *w] {
    std::vector<float> expected(n);
    for (size_t i = 0; i != n; ++i)
      expected[i] = 1.5f * xs[i] + ys[i];
    return close(w.view<float>(z), expected, 1e-6, 1e-6);
  };
  return w;
}

const Register small("saxpy_small", [](Scale) { return make(4096, "4096 floats"); });
const Register large("saxpy_large", [](Scale scale) {
  return make(scale == Scale::kFull ? 16 << 20 : 1 << 13, "16 Mi floats");
});

} // namespace
} // namespace heddle::bench
