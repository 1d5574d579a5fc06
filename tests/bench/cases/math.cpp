// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One math function per case, float and double, with arguments of the usual range; and where
// results are 0 and 1, on the way to which subnormal numbers would take longer.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

struct Function {
  const char *name, *expression;
  double low, high;
  double (*reference)(double x, double y);
};

constexpr double kPi = 3.14159265358979323846;

// y is in [0.5, 2).
const Function kFunctions[] = {
    {"sqrt", "sqrt(x)", 0, 100, [](double x, double) { return std::sqrt(x); }},
    {"rsqrt", "rsqrt(x)", 0.01, 100, [](double x, double) { return 1 / std::sqrt(x); }},
    {"divide", "x / y", -100, 100, [](double x, double y) { return x / y; }},
    {"exp", "exp(x)", -20, 20, [](double x, double) { return std::exp(x); }},
    {"exp_underflow", "exp(x)", -3000, -800, [](double x, double) { return std::exp(x); }},
    {"exp2", "exp2(x)", -20, 20, [](double x, double) { return std::exp2(x); }},
    {"log", "log(x)", 1e-3, 1000, [](double x, double) { return std::log(x); }},
    {"log2", "log2(x)", 1e-3, 1000, [](double x, double) { return std::log2(x); }},
    {"log10", "log10(x)", 1e-3, 1000, [](double x, double) { return std::log10(x); }},
    {"log1p", "log1p(x)", -0.9, 100, [](double x, double) { return std::log1p(x); }},
    {"pow", "pow(x, y)", 0.01, 100, [](double x, double y) { return std::pow(x, y); }},
    {"powr", "powr(x, y)", 0.01, 100, [](double x, double y) { return std::pow(x, y); }},
    {"sin", "sin(x)", -30, 30, [](double x, double) { return std::sin(x); }},
    {"cos", "cos(x)", -30, 30, [](double x, double) { return std::cos(x); }},
    {"tan", "tan(x)", -1.5, 1.5, [](double x, double) { return std::tan(x); }},
    {"tanh", "tanh(x)", -5, 5, [](double x, double) { return std::tanh(x); }},
    {"erf", "erf(x)", -3, 3, [](double x, double) { return std::erf(x); }},
    {"erf_large", "erf(x)", 6, 60, [](double x, double) { return std::erf(x); }},
    {"erfc", "erfc(x)", -3, 3, [](double x, double) { return std::erfc(x); }},
    {"sinpi", "sinpi(x)", 0.1, 0.9, [](double x, double) { return std::sin(x * kPi); }},
    {"cospi", "cospi(x)", -0.4, 0.4, [](double x, double) { return std::cos(x * kPi); }},
    {"atan", "atan(x)", -10, 10, [](double x, double) { return std::atan(x); }},
    {"atan2", "atan2(x, y)", -10, 10, [](double x, double y) { return std::atan2(x, y); }},
    {"cbrt", "cbrt(x)", -100, 100, [](double x, double) { return std::cbrt(x); }},
    {"fmod", "fmod(x, y)", -100, 100, [](double x, double y) { return std::fmod(x, y); }},
    {"floor", "floor(x)", -100, 100, [](double x, double) { return std::floor(x); }},
    {"hypot", "hypot(x, y)", -100, 100, [](double x, double y) { return std::hypot(x, y); }},
    {"logb", "logb(x)", 1e-3, 1000, [](double x, double) { return std::logb(x); }},
    {"asin", "asin(x)", -1, 1, [](double x, double) { return std::asin(x); }},
    {"sinh", "sinh(x)", -5, 5, [](double x, double) { return std::sinh(x); }},
    {"acosh", "acosh(x)", 1.1, 100, [](double x, double) { return std::acosh(x); }},
};

template <typename T>
std::unique_ptr<Workload> make(Scale scale, const Function& f) {
  const size_t n = scale == Scale::kFull ? 1 << 15 : 1 << 10;
  const std::string type = sizeof(T) == 8 ? "double" : "float";
  auto w = std::make_unique<Workload>();
  w->work = "32 Ki " + type + "s";
  if (sizeof(T) == 8)
    w->needs = {"cl_khr_fp64"};
  w->source = "kernel void k(global " + type + "* out, global const " + type +
              "* xs, global const " + type + "* ys) {\n  size_t i = get_global_id(0);\n  " + type +
              " x = xs[i], y = ys[i];\n  out[i] = " + f.expression + ";\n}";
  const auto x = random_values<T>(n, f.low, f.high), y = random_values<T>(n, 0.5, 2, 2);
  const auto xs = w->input(x), ys = w->input(y);
  const auto out = w->result<T>(n);
  w->launch("k", {n}, {256}, out, xs, ys);
  w->verify = [=, &w = *w] {
    std::vector<double> expected(n);
    for (size_t i = 0; i != n; ++i)
      expected[i] = f.reference(x[i], y[i]);
    // The full profile's largest bound here is 16 ulp.
    const double bound = 16 * (sizeof(T) == 8 ? 0x1p-52 : 0x1p-23);
    return close(w.view<T>(out), expected, bound, 1e-300);
  };
  return w;
}

const bool kRegistered = [] {
  for (const auto& f : kFunctions) {
    Register(std::string("math_float/") + f.name,
             [&f](Scale scale) { return make<float>(scale, f); });
    Register(std::string("math_double/") + f.name,
             [&f](Scale scale) { return make<double>(scale, f); });
  }
  return true;
}();

} // namespace
} // namespace heddle::bench
