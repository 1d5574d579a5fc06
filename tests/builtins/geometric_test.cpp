// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Geometric functions, OpenCL C 6.15.5: error bounds, and lengths near the limits of the type whose
// sum of squares overflows or underflows.
#include "native_library.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace heddle::test {
namespace {

template <typename T>
using Geometry = void(const T* a, const T* b, T* out);

template <typename T>
Geometry<T>* find(const std::string& build, const std::string& name, int n) {
  std::string symbol = name + "_" + kName<T> + std::to_string(n);
  return reinterpret_cast<Geometry<T>*>(find_symbol(build, symbol));
}

// The distance of actual from the exact value in units in the last place of T.
template <typename T>
double ulps(T actual, long double exact) {
  if (std::isnan(exact) || std::isinf(exact) || static_cast<T>(exact) == actual)
    return std::isnan(exact) ? (std::isnan(actual) ? 0 : INFINITY)
                             : (static_cast<T>(exact) == actual ? 0 : INFINITY);
  constexpr int kDigits = std::numeric_limits<T>::digits;
  int exponent = std::max(std::ilogb(exact), std::numeric_limits<T>::min_exponent - 1);
  return static_cast<double>(std::fabs(actual - exact) / std::ldexp(1.0L, exponent - kDigits + 1));
}

template <typename T>
std::vector<T> components(size_t count) {
  constexpr int kMax = std::numeric_limits<T>::max_exponent;
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> fraction(1, 2);
  std::vector<T> values;
  for (size_t i = 0; i < count; ++i) {
    // Eight consecutive components have the same magnitude, so that all are significant.
    static int scale = 0;
    if (i % 8 == 0)
      scale = static_cast<int>(generator() % static_cast<unsigned>(2 * kMax)) - kMax - 4;
    double value =
        std::ldexp(fraction(generator), std::min(scale + int(generator() % 5), kMax - 3));
    values.push_back(static_cast<T>(generator() & 1 ? -value : value));
  }
  return values;
}

template <typename T>
long double exact_length(const T* v, int n) {
  long double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += static_cast<long double>(v[i]) * v[i];
  return std::sqrt(sum);
}

template <typename T>
void check_random(const std::string& build) {
  std::vector<T> values = components<T>(80000);
  for (int n = 2; n <= 4; ++n) {
    auto *length = find<T>(build, "length", n), *distance = find<T>(build, "distance", n),
         *normalize = find<T>(build, "normalize", n);
    ASSERT_TRUE(length && distance && normalize);
    for (size_t at = 0; at + 8 <= values.size(); at += 8) {
      const T *a = &values[at], *b = a + 4;
      T result[4], difference[4];
      long double exact = exact_length(a, n);
      length(a, b, result);
      ASSERT_LE(ulps(result[0], exact), 3 + 0.5 * (0.5 * n + 0.5 * (n - 1))) << build << " " << n;
      for (int i = 0; i < n; ++i)
        difference[i] = a[i] - b[i];
      distance(a, b, result);
      ASSERT_LE(ulps(result[0], exact_length(difference, n)), 3 + 1.5 * n + 0.5 * (n - 1));
      normalize(a, b, result);
      for (int i = 0; i < n; ++i)
        ASSERT_LE(ulps(result[i], a[i] / exact), 2 + n)
            << build << " " << n << ": " << a[i] << " of length " << static_cast<double>(exact);
    }
  }
}

template <typename T>
void check_special(const std::string& build) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  constexpr T kTiny = std::numeric_limits<T>::denorm_min();
  T b[4] = {}, result[4];
  auto *length = find<T>(build, "length", 4), *normalize = find<T>(build, "normalize", 4);
  T zero[4] = {0, T(-0.0), 0, 0};
  normalize(zero, b, result);
  EXPECT_EQ(result[0], 0);
  EXPECT_TRUE(std::signbit(result[1]));
  T infinite[4] = {-kInfinity, 5, kInfinity, T(-0.0)};
  length(infinite, b, result);
  EXPECT_EQ(result[0], kInfinity);
  normalize(infinite, b, result);
  EXPECT_NEAR(result[0], -std::sqrt(0.5), 1e-6);
  EXPECT_EQ(result[1], 0);
  EXPECT_NEAR(result[2], std::sqrt(0.5), 1e-6);
  T tiny[4] = {3 * kTiny, 0, 4 * kTiny, 0};
  length(tiny, b, result);
  EXPECT_EQ(result[0], 5 * kTiny);
  normalize(tiny, b, result);
  EXPECT_NEAR(result[0], 0.6, 1e-6);
  // A component whose normalized value is denormal, together with one whose square overflows.
  const T large = std::sqrt(std::numeric_limits<T>::max()) * T(3);
  T uneven[4] = {large, std::numeric_limits<T>::min() * large / T(31), 0, 0};
  normalize(uneven, b, result);
  EXPECT_LE(ulps(result[1], uneven[1] / exact_length(uneven, 4)), 6);
  T nan[4] = {std::numeric_limits<T>::quiet_NaN(), 1, 2, 3};
  length(nan, b, result);
  EXPECT_TRUE(std::isnan(result[0]));
  normalize(nan, b, result);
  EXPECT_TRUE(std::isnan(result[3]));
}

template <typename T>
void check_products(const std::string& build) {
  T a[4] = {1, -2, 3, 4}, b[4] = {5, 6, -7, 8}, result[4];
  const T dots[] = {0, 5, -7, -28, 4};
  for (int n = 2; n <= 4; ++n) {
    find<T>(build, "dot", n)(a, b, result);
    EXPECT_EQ(static_cast<double>(result[0]), static_cast<double>(dots[n])) << n;
  }
  for (int n = 3; n <= 4; ++n) {
    result[3] = 9;
    find<T>(build, "cross", n)(a, b, result);
    EXPECT_EQ(static_cast<double>(result[0]), -4);
    EXPECT_EQ(static_cast<double>(result[1]), 22);
    EXPECT_EQ(static_cast<double>(result[2]), 16);
    EXPECT_EQ(static_cast<double>(result[3]), n == 3 ? 9 : 0);
  }
}

TEST(Geometric, ErrorBounds) {
  for (const char* build : kBuilds)
    if (can_run(build)) {
      check_random<float>(build);
      check_random<double>(build);
    }
}

TEST(Geometric, SpecialValues) {
  for (const char* build : kBuilds)
    if (can_run(build)) {
      check_special<float>(build);
      check_special<double>(build);
    }
}

TEST(Geometric, Products) {
  for (const char* build : kBuilds)
    if (can_run(build)) {
      check_products<float>(build);
      check_products<double>(build);
      check_products<_Float16>(build);
    }
}

TEST(Geometric, HalvesDoNotOverflow) {
  _Float16 a[4] = {24576, 32768, 0, 0}, b[4] = {0, 0, 0, 0}, result[4];
  find<_Float16>(kBuilds[0], "length", 3)(a, b, result);
  EXPECT_EQ(static_cast<float>(result[0]), 40960);
  find<_Float16>(kBuilds[0], "normalize", 3)(a, b, result);
  EXPECT_NEAR(static_cast<float>(result[0]), 0.6, 1e-3);
  _Float16 c[4] = {40000, 0, 0, 0}, d[4] = {-40000, 0, 0, 0};
  find<_Float16>(kBuilds[0], "distance", 2)(c, d, result);
  EXPECT_EQ(static_cast<float>(result[0]), INFINITY);
}

TEST(Geometric, FastForms) {
  float a[4] = {3, 0, 4, 0}, b[4] = {}, result[4];
  find<float>(kBuilds[0], "fast_length", 4)(a, b, result);
  EXPECT_FLOAT_EQ(result[0], 5);
  find<float>(kBuilds[0], "fast_normalize", 3)(a, b, result);
  EXPECT_FLOAT_EQ(result[2], 0.8f);
  find<float>(kBuilds[0], "fast_normalize", 3)(b, b, result);
  EXPECT_EQ(result[2], 0);
}

} // namespace
} // namespace heddle::test
