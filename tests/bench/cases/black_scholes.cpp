// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Call and put prices with the usual polynomial for the normal distribution: log, exp, sqrt,
// divide.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

double normal(double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); }

const Register entry("black_scholes", [](Scale scale) {
  const size_t n = scale == Scale::kFull ? 1 << 18 : 1 << 10;
  const float rate = 0.02f, volatility = 0.3f;
  auto w = std::make_unique<Workload>();
  w->work = "256 Ki options";
  w->source = R"(
    float normal(float d) {
      float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
      float tail = 0.39894228f * exp(-0.5f * d * d) * k *
          (0.31938153f + k * (-0.356563782f + k * (1.781477937f +
          k * (-1.821255978f + k * 1.330274429f))));
      return d > 0 ? 1.0f - tail : tail;
    }
    kernel void black_scholes(global float* call, global float* put, global const float* price,
                              global const float* strike, global const float* years, float rate,
                              float volatility) {
      size_t i = get_global_id(0);
      float s = price[i], x = strike[i], t = years[i], root = sqrt(t);
      float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
      float d2 = d1 - volatility * root;
      float n1 = normal(d1), n2 = normal(d2), later = x * exp(-rate * t);
      call[i] = s * n1 - later * n2;
      put[i] = later * (1.0f - n2) - s * (1.0f - n1);
    })";
  const auto s = random_values<float>(n, 5, 30), x = random_values<float>(n, 1, 100, 2),
             t = random_values<float>(n, 0.25, 10, 3);
  const auto price = w->input(s), strike = w->input(x), years = w->input(t);
  const auto call = w->result<float>(n), put = w->result<float>(n);
  w->launch("black_scholes", {n}, {256}, call, put, price, strike, years, rate, volatility);
  w->verify = [=, &w = *w] {
    std::vector<float> calls(n), puts(n);
    for (size_t i = 0; i != n; ++i) {
      const double root = std::sqrt(double{t[i]});
      const double d1 =
          (std::log(double{s[i]} / x[i]) + (rate + 0.5 * volatility * volatility) * t[i]) /
          (volatility * root);
      const double d2 = d1 - volatility * root, later = x[i] * std::exp(-double{rate} * t[i]);
      calls[i] = static_cast<float>(s[i] * normal(d1) - later * normal(d2));
      puts[i] = static_cast<float>(later * (1 - normal(d2)) - s[i] * (1 - normal(d1)));
    }
    const auto wrong = close(w.view<float>(call), calls, 1e-4, 1e-3);
    return wrong.empty() ? close(w.view<float>(put), puts, 1e-4, 1e-3) : wrong;
  };
  return w;
});

} // namespace
} // namespace heddle::bench
