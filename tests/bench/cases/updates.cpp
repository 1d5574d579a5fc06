// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that update memory at an address that they do not change, and the same with the sum in a
// private variable (`_private`), which should be no faster.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

// Products of columns, each element of the result by all steps of an inner loop.
void add_products(const char* name, const char* update) {
  Register(std::string("updates/") + name, [=](Scale scale) {
    const size_t m = scale == Scale::kFull ? 256 : 32;
    auto w = std::make_unique<Workload>();
    w->work = "products of 256 columns of 256 floats with each other";
    w->source = std::string(R"(
      kernel void products(global float* s, global const float* a, int m) {
        int j1 = get_global_id(0);
        for (int j2 = 0; j2 < m; ++j2) {)") +
                update + R"(
        }
      })";
    const auto values = random_values<float>(m * m, 0, 1);
    const auto a = w->input(values);
    const auto s = w->result<float>(m * m);
    w->launch("products", {m}, {}, s, a, static_cast<int32_t>(m));
    w->verify = [=, &w = *w] {
      std::vector<float> expected(m * m);
      for (size_t i = 0; i != m; ++i)
        for (size_t j1 = 0; j1 != m; ++j1)
          for (size_t j2 = 0; j2 != m; ++j2)
            expected[j1 * m + j2] += values[i * m + j1] * values[i * m + j2];
      return close(w.view<float>(s), expected, 1e-4);
    };
    return w;
  });
}

// A field of a structure, in some work-items.
void add_fields(const char* name, const char* loop) {
  Register(std::string("updates/") + name, [=](Scale scale) {
    const size_t n = scale == Scale::kFull ? 1 << 14 : 1 << 9;
    const int32_t steps = 256;
    auto w = std::make_unique<Workload>();
    w->work = "256 updates of a field by each of 16,384 work-items, or none";
    w->source = std::string(R"(
      typedef struct { float x, y, z; } Force;
      kernel void fields(global Force* f, global const float* a, global const int* active, int steps) {
        int i = get_global_id(0);
        f[i].x = i;
        if (active[i]) {)") +
                loop + R"(
        }
      })";
    Random random(3);
    std::vector<int32_t> active(n);
    for (auto& value : active)
      value = static_cast<int32_t>(random.below(2));
    const auto values = random_values<float>(steps, 0, 1);
    const auto a = w->input(values);
    const auto mask = w->input(active);
    const auto f = w->result<float>(3 * n);
    w->launch("fields", {n}, {}, f, a, mask, steps);
    w->verify = [=, &w = *w] {
      std::vector<float> got, expected;
      for (size_t i = 0; i != n; ++i) {
        double sum = static_cast<double>(i);
        for (int32_t j = 0; active[i] && j < steps; ++j)
          sum += static_cast<double>(values[j]) * static_cast<double>(i);
        got.push_back(w.view<float>(f)[3 * i]);
        expected.push_back(static_cast<float>(sum));
      }
      return close(std::span<const float>(got), expected, 1e-4);
    };
    return w;
  });
}

const bool kAdded = [] {
  add_products("products", R"(
          s[j1 * m + j2] = 0;
          for (int i = 0; i < m; ++i)
            s[j1 * m + j2] += a[i * m + j1] * a[i * m + j2];)");
  add_products("products_private", R"(
          float sum = 0;
          for (int i = 0; i < m; ++i)
            sum += a[i * m + j1] * a[i * m + j2];
          s[j1 * m + j2] = sum;)");
  add_fields("fields", R"(
          for (int j = 0; j < steps; ++j)
            f[i].x += a[j] * i;)");
  add_fields("fields_private", R"(
          float x = f[i].x;
          for (int j = 0; j < steps; ++j)
            x += a[j] * i;
          f[i].x = x;)");
  return true;
}();

} // namespace
} // namespace heddle::bench
