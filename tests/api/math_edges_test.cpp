// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edge cases of the math functions (OpenCL C 7.4): subnormal arguments, overflow and underflow, and
// every function in every precision, so that no called function is missing.
#include "tests/api/api_test.h"
#include "tests/api/half_bits.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <random>
#include <string>
#include <type_traits>

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

using Real = long double;

template <class T>
Real value_of(T x) {
  return x;
}
template <>
Real value_of(cl_half bits) {
  return half_value(bits);
}
template <class T>
T nearest(Real x) {
  return static_cast<T>(x);
}
template <>
cl_half nearest(Real x) {
  return to_half(static_cast<double>(x));
}

struct Format {
  const char* type;
  int digits, max_exponent;
  double bound_of_exp, bound_of_pow; // units in the last place
};

// The results of a call with arguments x[i] and y[i]. What cannot be rounded to a finite number, or
// to one above zero, must be infinite or zero.
template <class T, class Y>
void check_results(const Format& format, const char* call, Real (*reference)(Real, Real),
                   double bound, const std::vector<T>& x, const std::vector<Y>& y) {
  const std::string t = format.type, second = std::is_same_v<Y, T> ? t : "int";
  const auto out =
      compute<T>("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(global " + t +
                     "* out, global const " + t + "* xs, global const " + second +
                     "* ys) { size_t i = get_global_id(0); " + t + " x = xs[i]; " + second +
                     " y = ys[i]; out[i] = " + call + "; }",
                 "", {{x.size()}, {}, {}}, x.size(), x, y);
  const Real most = std::ldexp(1.0L, format.max_exponent);
  const int least = 3 - format.max_exponent - format.digits;
  for (size_t i = 0; i != x.size(); ++i) {
    const Real got = value_of(out[i]), wanted = reference(value_of(x[i]), value_of(y[i]));
    const bool beyond =
        std::fabs(wanted) > 1.01L * most || std::fabs(wanted) < std::ldexp(1.0L, least - 6);
    const double error =
        ulps(std::clamp(got, -most, most), std::clamp(wanted, -most, most), format.digits, least);
    EXPECT_LE(error, beyond ? 0.1 : bound)
        << t << " " << call << ", x = " << std::hexfloat << value_of(x[i])
        << ", y = " << value_of(y[i]) << ": " << got << ", not " << wanted;
  }
}

// Powers 2^t for t from below the smallest number's exponent to above the largest one's, more than
// twice as far: there the halves of an exponent leave the range as well.
template <class T>
void check_limits(const Format& format) {
  std::vector<Real> ts;
  for (int k = -600; k <= 600; ++k)
    ts.push_back((k + 0.01L) * format.max_exponent / 256);
  for (const char* call : {"exp(x)", "expm1(x)", "exp2(x)", "exp10(x)"}) {
    const std::string name = call;
    std::vector<T> x;
    for (const Real t : ts)
      x.push_back(nearest<T>(name == "exp2(x)"    ? t
                             : name == "exp10(x)" ? t / std::log2(10.0L)
                                                  : t * std::log(2.0L)));
    auto* reference = +[](Real a, Real) { return std::exp(a); };
    if (name == "expm1(x)")
      reference = [](Real a, Real) { return std::expm1(a); };
    if (name == "exp2(x)")
      reference = [](Real a, Real) { return std::exp2(a); };
    if (name == "exp10(x)")
      reference = [](Real a, Real) { return std::pow(10.0L, a); };
    check_results(format, call, reference, format.bound_of_exp, x, x);
  }

  std::vector<T> x, y;
  for (const Real base :
       {0.01L, 0.501L,   0.6L,  0.7L,   0.7499L, 0.75L, 0.8L, 0.9L, 1.1L,   1.2L,
        1.3L,  1.38379L, 1.45L, 1.499L, 1.5L,    1.6L,  1.8L, 2.0L, 2.999L, 700.0L})
    for (const Real t : ts) {
      x.push_back(nearest<T>(base));
      y.push_back(nearest<T>(t / std::log2(value_of(x.back()))));
    }
  const auto power = [](Real a, Real b) { return std::pow(a, b); };
  check_results(format, "pow(x, y)", +power, format.bound_of_pow, x, y);
  check_results(format, "powr(x, y)", +power, format.bound_of_pow, x, y);

  x.clear();
  std::vector<cl_int> n;
  for (const cl_int exponent : {1, 2, 3, 8, 9, 100, 557, 4097, 70001})
    for (const Real t : ts)
      for (const int signs : {0, 1, 2, 3}) {
        n.push_back(signs & 1 ? -exponent : exponent);
        const Real root = std::exp2(t / n.back());
        x.push_back(nearest<T>(signs & 2 ? -root : root));
      }
  check_results(format, "pown(x, y)", +power, format.bound_of_pow, x, n);

  x.clear();
  n.clear();
  for (const cl_int degree : {1, -1, 2, -2, 3, -3, 64, -65})
    for (const Real t : ts) {
      n.push_back(degree);
      x.push_back(nearest<T>(std::exp2(t)));
    }
  check_results(
      format, "rootn(x, y)", +[](Real a, Real b) { return std::pow(a, 1 / b); },
      format.bound_of_pow, x, n);
}

// Logarithms of numbers just below 3/4 are differences of the exponent's and the significand's.
TEST(MathEdges, LimitsOfErrorsBelowThreeQuarters) {
  std::vector<cl_float> x, y;
  for (int i = 0; i < 1 << 16; ++i) {
    x.push_back(0.75f - static_cast<float>(i) * 0x1p-22f);
    y.push_back((i & 1 ? -108.0f : 125.0f) / std::log2(x.back()));
  }
  x.push_back(0x1.7d8792p-1f);
  y.push_back(-0x1.00c674p+8f);
  const Format format{"float", 24, 128, 3, 16};
  const auto power = [](Real a, Real b) { return std::pow(a, b); };
  check_results(format, "pow(x, y)", +power, format.bound_of_pow, x, y);
  check_results(format, "powr(x, y)", +power, format.bound_of_pow, x, y);
  const auto logarithm = [](Real a, Real) { return std::log10(a); };
  check_results(format, "log10(x)", +logarithm, 3, x, y);
}

TEST(MathEdges, LimitsOfFloats) {
  if (!has_subnormals(CL_DEVICE_SINGLE_FP_CONFIG))
    GTEST_SKIP() << "no subnormal numbers";
  check_limits<cl_float>({"float", 24, 128, 3, 16});
}
TEST(MathEdges, LimitsOfDoubles) {
  if (!has_fp64())
    GTEST_SKIP() << "no doubles";
  check_limits<cl_double>({"double", 53, 1024, 3, 16});
}
TEST(MathEdges, LimitsOfHalves) {
  if (device_text(CL_DEVICE_EXTENSIONS).find("cl_khr_fp16") == std::string::npos ||
      !has_subnormals(CL_DEVICE_HALF_FP_CONFIG))
    GTEST_SKIP() << "no halves with subnormal numbers";
  check_limits<cl_half>({"half", 11, 16, 2, 4});
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

// Programs subtract it from numbers of its size, such as OpenCV for eigenvalues.
TEST(MathEdges, NativeSquareRoots) {
  std::vector<float> values = {0.0F, INFINITY, 0x1p-100F, 0x1p-40F, 0x1p100F, FLT_MAX};
  for (int i = -5000; i <= 5000; ++i)
    values.push_back(std::pow(1.001F, static_cast<float>(i)));
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto size = values.size() * sizeof(float);
  const auto in = make_buffer(context, size, values.data()), out = make_buffer(context, size);
  const auto program = build(context, "kernel void k(global float* o, global const float* x) {"
                                      "  size_t i = get_global_id(0); o[i] = native_sqrt(x[i]); }");
  const auto kernel = make_kernel(program, "k");
  set_args(kernel, out, in);
  run(queue, kernel, {{values.size()}, {}, {}});
  const auto results = read<float>(queue, out, values.size());
  for (size_t i = 0; i != values.size(); ++i) {
    const float exact = std::sqrt(values[i]);
    if (std::isinf(exact))
      EXPECT_EQ(results[i], exact);
    else
      EXPECT_NEAR(results[i], exact, exact * 0x1p-22F) << values[i];
  }
}

} // namespace
} // namespace heddle::test
