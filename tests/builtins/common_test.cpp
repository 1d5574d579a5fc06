// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Common functions, OpenCL C 6.15.4.
#include "native_library.h"
#include "rounding_reference.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heddle::test {
namespace {

template <typename T>
struct Common {
  explicit Common(const std::string& build) : build(build) {}
  std::string build;
  T call(const char* name, T x) const { return builtin<T(T)>(build, name, kMangled<T>)(x); }
  T call(const char* name, T x, T y) const {
    return builtin<T(T, T)>(build, name, std::string(kMangled<T>) + kMangled<T>)(x, y);
  }
  T call(const char* name, T x, T y, T z) const {
    std::string types = std::string(kMangled<T>) + kMangled<T> + kMangled<T>;
    return builtin<T(T, T, T)>(build, name, types)(x, y, z);
  }
};

// Equal values, and zeros of the same sign.
template <typename T>
bool identical(T a, double b) {
  double x = static_cast<double>(a);
  return x == b && std::signbit(x) == std::signbit(b);
}

template <typename T>
void check(double epsilon) {
  for (const char* build : kBuilds) {
    if (!can_run(build))
      continue;
    const Common<T> f(build);
    const T nan = static_cast<T>(NAN), infinity = static_cast<T>(INFINITY);
    EXPECT_TRUE(identical(f.call("sign", T(-0.0)), -0.0));
    EXPECT_TRUE(identical(f.call("sign", T(0)), 0));
    EXPECT_TRUE(identical(f.call("sign", T(-3)), -1));
    EXPECT_TRUE(identical(f.call("sign", infinity), 1));
    EXPECT_TRUE(identical(f.call("sign", nan), 0));

    EXPECT_TRUE(identical(f.call("max", T(-2), T(1)), 1));
    EXPECT_TRUE(identical(f.call("min", T(-2), T(1)), -2));
    EXPECT_TRUE(identical(f.call("clamp", T(5), T(-1), T(2)), 2));
    EXPECT_TRUE(identical(f.call("clamp", T(-5), T(-1), T(2)), -1));
    EXPECT_TRUE(identical(f.call("clamp", T(0.5), T(-1), T(2)), 0.5));

    EXPECT_TRUE(identical(f.call("step", T(1), T(0.5)), 0));
    EXPECT_TRUE(identical(f.call("step", T(1), T(1)), 1));
    EXPECT_TRUE(identical(f.call("mix", T(2), T(6), T(0.25)), 3));
    EXPECT_TRUE(identical(f.call("smoothstep", T(1), T(5), T(0)), 0));
    EXPECT_TRUE(identical(f.call("smoothstep", T(1), T(5), T(9)), 1));
    EXPECT_TRUE(identical(f.call("smoothstep", T(1), T(5), T(2)), 0.15625));

    for (double x : {1.0, -0.125, 3.140625, 100.0, 0.0078125}) {
      double degrees = x * 180 / M_PI, radians = x * M_PI / 180;
      EXPECT_NEAR(static_cast<double>(f.call("degrees", T(x))), degrees,
                  2 * epsilon * std::fabs(degrees));
      EXPECT_NEAR(static_cast<double>(f.call("radians", T(x))), radians,
                  2 * epsilon * std::fabs(radians));
    }
  }
}

TEST(Common, Half) { check<_Float16>(0x1p-11); }
TEST(Common, Float) { check<float>(0x1p-24); }
TEST(Common, Double) { check<double>(0x1p-53); }

} // namespace
} // namespace heddle::test
