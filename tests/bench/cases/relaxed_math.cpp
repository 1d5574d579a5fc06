// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What options and constants allow a compiler to simplify: chains that may be reassociated, and
// powers by constants.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

const Register kChains("relaxed_math/chains", [](Scale scale) {
  const size_t n = scale == Scale::kFull ? 1 << 18 : 1 << 12;
  auto w = std::make_unique<Workload>();
  w->work = "256 Ki chains of 64 steps that are linear";
  w->options += " -cl-unsafe-math-optimizations";
  w->source = R"(
    kernel void chains(global float* out, global const float* in) {
      float s = in[get_global_id(0)];
      #pragma unroll
      for (int i = 0; i < 64; ++i)
        s = 10 - s * 0.99f;
      out[get_global_id(0)] = s;
    })";
  const auto values = random_values<float>(n, 0, 10);
  const auto in = w->input(values);
  const auto out = w->result<float>(n);
  w->launch("chains", {n}, {}, out, in);
  w->verify = [=, &w = *w] {
    std::vector<double> expected;
    for (double s : values) {
      for (int i = 0; i < 64; ++i)
        s = 10 - s * 0.99f;
      expected.push_back(s);
    }
    return close(w.view<float>(out), expected, 1e-3);
  };
  return w;
});

void add_power(const std::string& name, const std::string& call, double power) {
  Register("powers/" + name, [=](Scale scale) {
    const size_t n = scale == Scale::kFull ? 1 << 18 : 1 << 12;
    auto w = std::make_unique<Workload>();
    w->work = "256 Ki floats, " + call;
    w->source = "kernel void power(global float* out, global const float* in) {\n"
                "  float x = in[get_global_id(0)];\n  out[get_global_id(0)] = " +
                call + ";\n}";
    const auto values = random_values<float>(n, 0.1, 10);
    const auto in = w->input(values);
    const auto out = w->result<float>(n);
    w->launch("power", {n}, {}, out, in);
    w->verify = [=, &w = *w] {
      std::vector<double> expected;
      for (const double value : values)
        expected.push_back(std::pow(value, power));
      return close(w.view<float>(out), expected, 1e-5);
    };
    return w;
  });
}

const bool kAdded = [] {
  add_power("pow_2", "pow(x, 2.0f)", 2);
  add_power("pow_half", "pow(x, 0.5f)", 0.5);
  add_power("powr_3", "powr(x, 3.0f)", 3);
  add_power("pown_4", "pown(x, 4)", 4);
  add_power("rootn_2", "rootn(x, 2)", 0.5);
  add_power("square", "x * x", 2);
  return true;
}();

} // namespace
} // namespace heddle::bench
