// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edge cases of the math functions (OpenCL C 7.4): subnormal arguments, and every function in every
// precision, so that no called function is missing.
#include "tests/api/api_test.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

namespace heddle::test {
namespace {

bool has_subnormals(cl_device_info name) {
  cl_device_fp_config config = 0;
  check(clGetDeviceInfo(device(), name, sizeof config, &config, nullptr), "fp config");
  return (config & CL_FP_DENORM) != 0;
}

// The distance in ulp of the reference, for a format with this precision whose smallest subnormal
// number is 2^least.
double ulps(long double got, long double wanted, int digits, int least) {
  int exponent = 0;
  std::frexp(wanted, &exponent);
  return static_cast<double>(std::fabs(got - wanted) /
                             std::ldexp(1.0L, std::max(exponent - digits, least)));
}

// All pairs of subnormal, smallest normal, and ordinary arguments of both signs.
template <class T>
void check_atan2(const char* type, const std::vector<T>& magnitudes, int digits, int least) {
  std::vector<T> y, x;
  for (const T a : magnitudes)
    for (const T b : magnitudes)
      for (const int signs : {0, 1, 2, 3}) {
        y.push_back(signs & 1 ? -a : a);
        x.push_back(signs & 2 ? -b : b);
      }
  const std::string t = type;
  const auto out =
      compute<T>("kernel void k(global " + t + "* out, global const " + t + "* y, global const " +
                     t + "* x) { size_t i = get_global_id(0); out[i] = atan2(y[i], x[i]); }",
                 "", {{y.size()}, {}, {}}, y.size(), y, x);
  for (size_t i = 0; i != y.size(); ++i) {
    const auto wanted = std::atan2(static_cast<long double>(y[i]), static_cast<long double>(x[i]));
    EXPECT_LE(ulps(out[i], wanted, digits, least), 6)
        << "atan2(" << std::hexfloat << y[i] << ", " << x[i] << ") = " << out[i];
  }
}

TEST(MathEdges, Atan2OfSubnormals) {
  if (has_subnormals(CL_DEVICE_SINGLE_FP_CONFIG))
    check_atan2<cl_float>("float",
                          {0x1p-149f, 0x1p-148f, 0x1.8p-148f, 0x1.4p-147f, 0x1.fp-140f, 0x1p-127f,
                           0x1.8p-127f, 0x1p-126f, 0x1.8p-126f, 0x1p-100f, 1.0f, 3.0f},
                          24, -149);
  if (has_fp64() && has_subnormals(CL_DEVICE_DOUBLE_FP_CONFIG))
    check_atan2<cl_double>("double",
                           {0x1p-1074, 0x1p-1073, 0x1.8p-1073, 0x1.4p-1072, 0x1.fp-1060,
                            0x1.8p-1023, 0x1p-1022, 0x1.8p-1022, 0x1p-960, 1.0, 3.0},
                           53, -1074);
}

// The value and the sign; both variants.
template <class T>
void check_lgamma(const char* type, double bound) {
  const std::vector<T> in{T(0.5), T(1.5), T(3), T(10.25), T(100), T(-0.5), T(-1.5), T(-2.25)};
  const std::string t = type;
  const auto out =
      compute<T>("kernel void k(global " + t + "* out, global const " + t + "* in) { size_t i = " +
                     "get_global_id(0); int sign = 0; out[i * 3] = lgamma(in[i]); " +
                     "out[i * 3 + 1] = lgamma_r(in[i], &sign); out[i * 3 + 2] = sign; }",
                 "", {{in.size()}, {}, {}}, in.size() * 3, in);
  for (size_t i = 0; i != in.size(); ++i) {
    const double x = static_cast<double>(in[i]);
    EXPECT_NEAR(out[i * 3], std::lgamma(x), bound) << x;
    EXPECT_EQ(out[i * 3], out[i * 3 + 1]) << x;
    EXPECT_EQ(out[i * 3 + 2], std::tgamma(x) < 0 ? -1 : 1) << x;
  }
}

TEST(MathEdges, LogarithmOfGamma) {
  check_lgamma<cl_float>("float", 1e-4);
  if (has_fp64())
    check_lgamma<cl_double>("double", 1e-12);
}

// Table of -cl-fast-relaxed-math in OpenCL C 7.4: 2.5 ulp for arguments in 2^-62 to 2^62.
TEST(MathEdges, RelaxedDivision) {
  constexpr size_t kCount = 1 << 16;
  std::mt19937 random(7);
  std::uniform_real_distribution<float> digits(1, 2);
  std::uniform_int_distribution<int> exponents(-62, 61), sign(0, 1);
  std::vector<cl_float> x(kCount), y(kCount);
  for (auto* values : {&x, &y})
    for (auto& value : *values)
      value = std::ldexp(sign(random) ? digits(random) : -digits(random), exponents(random));
  x[0] = -0x1.09ce42p-38f; // 3 ulp off with one step of Newton's from a 14-bit estimate
  y[0] = -0x1.0b2ffap-44f;
  for (const char* type : {"float", "float2", "float4", "float16"}) {
    const std::string t = type;
    const size_t items = kCount / (t == "float" ? 1 : std::stoul(t.substr(5)));
    const auto out = compute<cl_float>(
        "kernel void k(global " + t + "* out, global const " + t + "* x, global const " + t +
            "* y) { size_t i = get_global_id(0); out[i] = x[i] / y[i]; }",
        "-cl-fast-relaxed-math", {{items}, {}, {}}, kCount, x, y);
    double worst = 0;
    for (size_t i = 0; i != kCount; ++i)
      worst = std::max(worst, ulps(out[i], static_cast<long double>(x[i]) / y[i], 24, -149));
    EXPECT_LE(worst, 2.5) << type;
  }
}

const char* const kUnary[] = {
    "acos",  "acosh", "acospi", "asin",  "asinh", "asinpi", "atan",  "atanh", "atanpi", "cbrt",
    "ceil",  "cos",   "cosh",   "cospi", "erfc",  "erf",    "exp",   "exp2",  "exp10",  "expm1",
    "fabs",  "floor", "lgamma", "log",   "log2",  "log10",  "log1p", "logb",  "rint",   "round",
    "rsqrt", "sin",   "sinh",   "sinpi", "sqrt",  "tan",    "tanh",  "tanpi", "tgamma", "trunc"};
const char* const kBinary[] = {"atan2", "atan2pi", "copysign",  "fdim",     "fmax",
                               "fmin",  "fmod",    "hypot",     "maxmag",   "minmag",
                               "pow",   "powr",    "nextafter", "remainder"};
const char* const kOther[] = {"fma(x, y, x)",  "mad(x, y, x)", "fract(x, &f)",     "frexp(x, &i)",
                              "(T)(ilogb(x))", "ldexp(x, 3)",  "lgamma_r(x, &i)",  "modf(x, &f)",
                              "nan((U)7)",     "pown(x, 3)",   "remquo(x, y, &i)", "rootn(x, 3)",
                              "sincos(x, &f)"};
const char* const kFloatOnly[] = {
    "half_cos(x)",     "half_divide(x, y)", "half_exp(x)",       "half_exp2(x)",
    "half_exp10(x)",   "half_log(x)",       "half_log2(x)",      "half_log10(x)",
    "half_powr(x, y)", "half_recip(x)",     "half_rsqrt(x)",     "half_sin(x)",
    "half_sqrt(x)",    "half_tan(x)",       "native_cos(x)",     "native_divide(x, y)",
    "native_exp(x)",   "native_exp2(x)",    "native_exp10(x)",   "native_log(x)",
    "native_log2(x)",  "native_log10(x)",   "native_powr(x, y)", "native_recip(x)",
    "native_rsqrt(x)", "native_sin(x)",     "native_sqrt(x)",    "native_tan(x)"};

// A separate kernel for each function, scalar and with eight components, so that a missing function
// fails by name.
TEST(MathEdges, EveryFunctionLinks) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto out = make_buffer(context, 8 * sizeof(cl_double));
  std::vector<std::string> calls;
  for (const std::string name : kUnary)
    calls.push_back(name + "(x)");
  for (const std::string name : kBinary)
    calls.push_back(name + "(x, y)");
  calls.insert(calls.end(), std::begin(kOther), std::end(kOther));
  for (const std::string type : {"float", "double"}) {
    if (type == "double" && !has_fp64())
      continue;
    if (type == "double")
      calls.resize(std::size(kUnary) + std::size(kBinary) + std::size(kOther));
    else
      calls.insert(calls.end(), std::begin(kFloatOnly), std::end(kFloatOnly));
    for (const std::string width : {"", "8"})
      for (const auto& call : calls) {
        std::string text = call;
        if (const auto cast = text.find("(T)"); cast != std::string::npos)
          text.replace(cast, 3, "convert_" + type + width);
        if (const auto cast = text.find("(U)"); cast != std::string::npos)
          text.replace(cast, 3, (type == "double" ? "(ulong" : "(uint") + width + ")");
        const auto program = build(context, "kernel void k(global " + type + width + "* o) { " +
                                                type + width + " x = o[0], y = x + 1, f; int" +
                                                width + " i = 0; o[0] = " + text + "; }");
        const auto kernel = make_kernel(program, "k");
        set_args(kernel, out);
        EXPECT_NO_THROW(run(queue, kernel, {{1}, {}, {}})) << type << width << ": " << call;
      }
  }
}

} // namespace
} // namespace heddle::test
