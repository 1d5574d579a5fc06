// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with 120 calls of math functions, more code than is inlined, in groups of several sizes.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

constexpr int kSteps = 40;

void add(const std::vector<size_t>& local) {
  const auto name = local.empty() ? std::string("any") : std::to_string(local[0]);
  Register("long_math/" + name, [=](Scale scale) {
    const size_t items = scale == Scale::kFull ? 16384 : 512;
    auto w = std::make_unique<Workload>();
    w->work = "40 times exp, log and pow in straight code, 16384 work-items";
    std::string steps;
    for (int i = 0; i < kSteps; ++i) {
      const auto n = std::to_string(i);
      steps += "s += exp(-s * (0.5f + " + n + " * 0.01f)); s = log(s + (1.5f + " + n +
               " * 0.01f)); s += pow(fabs(s) + 0.1f, 0.3f + " + n + " * 0.013f);\n";
    }
    w->source = "kernel void long_math(global float* out, global const float* in) {\n"
                "size_t i = get_global_id(0); float s = in[i];\n" +
                steps + "out[i] = s; }";
    const auto values = random_values<float>(items, 0, 1);
    std::vector<double> expected(values.begin(), values.end());
    for (auto& s : expected)
      for (int i = 0; i < kSteps; ++i) {
        s += std::exp(-s * (0.5 + i * 0.01));
        s = std::log(s + (1.5 + i * 0.01));
        s += std::pow(std::fabs(s) + 0.1, 0.3 + i * 0.013);
      }
    const auto in = w->input(values);
    const auto out = w->result<float>(items);
    w->launch("long_math", {items}, local, out, in);
    w->verify = [=, &w = *w] { return close(w.view<float>(out), expected, 1e-3); };
    return w;
  });
}

const bool added = [] {
  for (const std::vector<size_t>& local :
       std::initializer_list<std::vector<size_t>>{{16}, {64}, {256}, {}})
    add(local);
  return true;
}();

} // namespace
} // namespace heddle::bench
