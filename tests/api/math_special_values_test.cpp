// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Special arguments of the math functions (OpenCL C 7.4 and 7.5): zeros of both signs, infinities,
// NaN, subnormal, smallest and largest numbers, and the bounds of domains, mixed with ordinary
// numbers so that the lanes of a vector differ.
#include "tests/api/api_test.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace heddle::test {
namespace {

using Real = long double;
constexpr Real kPi = 3.14159265358979323846264338327950288L;

struct Unary {
  const char* name;
  Real (*reference)(Real);
  double bound; // units in the last place
};

// sin(pi x), exact where x is a multiple of one half.
Real sine_of_half_turns(Real x) {
  const Real turn = x - 2 * std::nearbyint(x / 2), a = std::fabs(turn);
  const Real value = a == 0 || a == 1 ? 0 : std::sin(kPi * std::fmin(a, 1 - a));
  return std::copysign(value, value == 0 ? x : turn);
}
Real cosine_of_half_turns(Real x) {
  const Real a = std::fabs(x - 2 * std::nearbyint(x / 2));
  return a == 0.5L ? 0 : std::cos(kPi * a);
}

const Unary kUnary[] = {
    {"sqrt", [](Real x) { return std::sqrt(x); }, 3},
    {"rsqrt", [](Real x) { return 1 / std::sqrt(x); }, 2},
    {"cbrt", [](Real x) { return std::cbrt(x); }, 2},
    {"exp", [](Real x) { return std::exp(x); }, 3},
    {"exp2", [](Real x) { return std::exp2(x); }, 3},
    {"exp10", [](Real x) { return std::pow(10.0L, x); }, 3},
    {"expm1", [](Real x) { return std::expm1(x); }, 3},
    {"log", [](Real x) { return std::log(x); }, 3},
    {"log2", [](Real x) { return std::log2(x); }, 3},
    {"log10", [](Real x) { return std::log10(x); }, 3},
    {"log1p", [](Real x) { return std::log1p(x); }, 2},
    {"sin", [](Real x) { return std::sin(x); }, 4},
    {"cos", [](Real x) { return std::cos(x); }, 4},
    {"tan", [](Real x) { return std::tan(x); }, 5},
    {"sinpi", sine_of_half_turns, 4},
    {"cospi", cosine_of_half_turns, 4},
    {"sinh", [](Real x) { return std::sinh(x); }, 4},
    {"cosh", [](Real x) { return std::cosh(x); }, 4},
    {"tanh", [](Real x) { return std::tanh(x); }, 5},
    {"asinh", [](Real x) { return std::asinh(x); }, 4},
    {"acosh", [](Real x) { return std::acosh(x); }, 4},
    {"atanh", [](Real x) { return std::atanh(x); }, 5},
    {"asin", [](Real x) { return std::asin(x); }, 4},
    {"acos", [](Real x) { return std::acos(x); }, 4},
    {"atan", [](Real x) { return std::atan(x); }, 5},
    {"erf", [](Real x) { return std::erf(x); }, 16},
    {"erfc", [](Real x) { return std::erfc(x); }, 16},
    {"tgamma", [](Real x) { return std::tgamma(x); }, 16},
    {"floor", [](Real x) { return std::floor(x); }, 0},
    {"ceil", [](Real x) { return std::ceil(x); }, 0},
    {"trunc", [](Real x) { return std::trunc(x); }, 0},
    {"round", [](Real x) { return std::round(x); }, 0},
    {"rint", [](Real x) { return std::nearbyint(x); }, 0},
};

struct Binary {
  const char* name;
  Real (*reference)(Real, Real);
  double bound;
};

const Binary kBinary[] = {
    {"pow", [](Real x, Real y) { return std::pow(x, y); }, 16},
    {"atan2", [](Real y, Real x) { return std::atan2(y, x); }, 6},
    {"hypot", [](Real x, Real y) { return std::hypot(x, y); }, 4},
    {"fmod", [](Real x, Real y) { return std::fmod(x, y); }, 0},
    {"remainder", [](Real x, Real y) { return std::remainder(x, y); }, 0},
    {"fdim", [](Real x, Real y) { return std::fdim(x, y); }, 0.5},
};

// Of both signs.
template <class T>
std::vector<T> arguments() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values;
  for (const T a : {T(0),
                    Limits::denorm_min(),
                    Limits::min() / 2,
                    Limits::min(),
                    Limits::min() * 3,
                    Limits::epsilon(),
                    T(1e-3),
                    T(0.25),
                    T(0.5),
                    T(0.75),
                    T(1) - Limits::epsilon() / 2,
                    T(1),
                    T(1) + Limits::epsilon(),
                    T(1.5),
                    T(2),
                    T(2.5),
                    T(3),
                    T(4.5),
                    T(6),
                    T(10),
                    T(27),
                    T(33.5),
                    T(88),
                    T(89.3),
                    T(104),
                    T(171),
                    T(709.7),
                    T(710.3),
                    T(745.2),
                    T(1024),
                    T(1e5),
                    T(131073),
                    T(8388609),
                    T(1e10),
                    T(0x1p60),
                    T(1e30),
                    Limits::max() / 2,
                    Limits::max() * T(0.8),
                    Limits::max(),
                    Limits::infinity(),
                    Limits::quiet_NaN()}) {
    values.push_back(a);
    values.push_back(-a);
  }
  return values;
}

template <class T>
void expect_close(T got, Real wanted, double bound, const std::string& what) {
  const T rounded = static_cast<T>(wanted);
  if (std::isnan(wanted)) {
    EXPECT_TRUE(std::isnan(got)) << what << " = " << got;
  } else if (rounded == 0 && wanted == 0) {
    EXPECT_EQ(got, 0) << what;
    EXPECT_EQ(std::signbit(got), std::signbit(wanted)) << what << ": sign of zero";
  } else if (std::isinf(rounded) || bound == 0) {
    EXPECT_EQ(got, rounded) << what;
  } else {
    using Limits = std::numeric_limits<T>;
    int exponent = 0;
    std::frexp(wanted, &exponent);
    const Real unit = std::ldexp(1.0L, std::max(exponent, Limits::min_exponent) - Limits::digits);
    EXPECT_LE(std::fabs(got - wanted), bound * unit) << what << " = " << got << ", not " << wanted;
  }
}

template <class T>
std::string call_text(const char* name, T x) {
  std::ostringstream text;
  text << name << "(" << std::hexfloat << x << ")";
  return text.str();
}

template <class T>
void check_unary(const std::string& type) {
  const auto in = arguments<T>();
  for (const auto& f : kUnary) {
    const auto out =
        compute<T>("kernel void k(global " + type + "* out, global const " + type +
                       "* in) { size_t i = get_global_id(0); out[i] = " + f.name + "(in[i]); }",
                   "", {{in.size()}, {}, {}}, in.size(), in);
    for (size_t i = 0; i != in.size(); ++i)
      expect_close(out[i], f.reference(in[i]), f.bound, call_text(f.name, in[i]));
  }
}

template <class T>
void check_binary(const std::string& type) {
  const auto values = arguments<T>();
  std::vector<T> x, y;
  for (const T a : values)
    for (const T b : values) {
      x.push_back(a);
      y.push_back(b);
    }
  for (const auto& f : kBinary) {
    const auto out = compute<T>(
        "kernel void k(global " + type + "* out, global const " + type + "* x, global const " +
            type + "* y) { size_t i = get_global_id(0); out[i] = " + f.name + "(x[i], y[i]); }",
        "", {{x.size()}, {}, {}}, x.size(), x, y);
    for (size_t i = 0; i != x.size(); ++i)
      expect_close(out[i], f.reference(x[i], y[i]), f.bound,
                   call_text(f.name, x[i]) + ", " + std::to_string(y[i]));
  }
}

TEST(MathSpecialValues, OneFloat) { check_unary<cl_float>("float"); }
TEST(MathSpecialValues, TwoFloats) { check_binary<cl_float>("float"); }
TEST(MathSpecialValues, OneDouble) {
  if (!has_fp64())
    GTEST_SKIP() << "no doubles";
  check_unary<cl_double>("double");
}
TEST(MathSpecialValues, TwoDoubles) {
  if (!has_fp64())
    GTEST_SKIP() << "no doubles";
  check_binary<cl_double>("double");
}

// OpenCL C 7.4: 8192 units in the last place, angles below 2^16. For the native_ functions, whose
// precision is implementation-defined, 13 bits if arguments and results are normal numbers.
TEST(MathSpecialValues, HalfAndNative) {
  auto in = arguments<cl_float>();
  for (int k = -300; k <= 300; ++k)
    in.push_back(static_cast<cl_float>(k) * 0.37f);
  for (const std::string name : {"sqrt", "rsqrt", "exp", "exp2", "exp10", "log", "log2", "log10",
                                 "sin", "cos", "tan", "recip"})
    for (const std::string prefix : {"half_", "native_"}) {
      const auto out = compute<cl_float>(
          "kernel void k(global float* out, global const float* in) { size_t i = get_global_id(0); "
          "out[i] = " +
              prefix + name + "(in[i]); }",
          "", {{in.size()}, {}, {}}, in.size(), in);
      const auto* known = std::find_if(std::begin(kUnary), std::end(kUnary),
                                       [&](const Unary& f) { return f.name == name; });
      const bool angle = name == "sin" || name == "cos" || name == "tan";
      const bool native = prefix == "native_";
      for (size_t i = 0; i != in.size(); ++i) {
        const auto x = in[i];
        const Real wanted = known == std::end(kUnary) ? 1 / Real(x) : known->reference(x);
        const auto rounded = static_cast<cl_float>(wanted);
        if (angle && std::isfinite(x) && std::fabs(x) > 0x1p16f) {
          // Any valid sine or tangent.
          EXPECT_LE(std::fabs(out[i]), name == "tan" ? INFINITY : 1.001F)
              << call_text((prefix + name).c_str(), x);
          continue;
        }
        if (native && !(std::isnormal(x) && std::isnormal(rounded)))
          continue;
        expect_close(out[i], wanted, native ? 2048 : 8192, call_text((prefix + name).c_str(), x));
      }
    }
}

// A sine or cosine close to a maximum is rounded to 1, never above.
template <class T>
void check_peaks(const std::string& type) {
  std::vector<T> in;
  for (const T peak : {T(0), T(kPi / 2), T(kPi), T(3 * kPi / 2), T(33 * kPi / 2), T(0.5), T(1)})
    for (int k = -2000; k <= 2000; ++k)
      in.push_back(peak + T(k) * T(1e-6));
  for (const char* name : {"sin", "cos", "sinpi", "cospi"}) {
    const auto out =
        compute<T>("kernel void k(global " + type + "* out, global const " + type +
                       "* in) { size_t i = get_global_id(0); out[i] = " + name + "(in[i]); }",
                   "", {{in.size()}, {}, {}}, in.size(), in);
    for (size_t i = 0; i != in.size(); ++i)
      EXPECT_LE(std::fabs(out[i]), 1) << call_text(name, in[i]);
  }
}

TEST(MathSpecialValues, PeaksOfSines) {
  check_peaks<cl_float>("float");
  if (has_fp64())
    check_peaks<cl_double>("double");
}

} // namespace
} // namespace heddle::test
