// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels written with vector types: chains of dependent operations on each component.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

constexpr int kSteps = 128;

template <typename T>
T stepped(T x, T y, T a, T b) {
  for (int i = 0; i < kSteps; ++i) {
    x = x * y + a;
    y = y * x + b;
  }
  return x + y;
}

// `scalar` is the type of a component in OpenCL C, T on the host. Floats converge.
template <typename T>
void add(const std::string& scalar, size_t components, double most, T a, T b) {
  const auto type = scalar + std::to_string(components);
  Register("vector_types/" + type, [=](Scale scale) {
    const size_t n = (scale == Scale::kFull ? 1 << 20 : 1 << 12) / components;
    auto w = std::make_unique<Workload>();
    w->work = std::to_string(n) + " " + type + ", " + std::to_string(2 * kSteps) +
              " dependent products and sums";
    w->source = "#define STEPS " + std::to_string(kSteps) + "\ntypedef " + type + " T;" + R"(
      kernel void chains(global T* out, global const T* in, )" +
                scalar + " a, " + scalar + R"( b) {
        T x = in[get_global_id(0)], y = x * x;
        for (int i = 0; i < STEPS; ++i) {
          x = x * y + a;
          y = y * x + b;
        }
        out[get_global_id(0)] = x + y;
      })";
    const auto values = random_values<T>(n * components, 0, most);
    const auto in = w->input(values);
    const auto out = w->result<T>(n * components);
    w->launch("chains", {n}, {}, out, in, a, b);
    w->verify = [=, &w = *w] {
      std::vector<T> expected;
      for (const T value : values)
        expected.push_back(stepped<T>(value, value * value, a, b));
      return close(w.view<T>(out), expected, std::is_floating_point_v<T> ? 1e-4 : 0);
    };
    return w;
  });
}

const bool kAdded = [] {
  for (const size_t components : {4, 8, 16}) {
    add<uint32_t>("uint", components, 4e9, 3, 5);
    add<float>("float", components, 0.5, 0.25f, 0.125f);
  }
  return true;
}();

} // namespace
} // namespace heddle::bench
