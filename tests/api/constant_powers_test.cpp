// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pow with constant exponents, which the compiler replaces by products and square roots (OpenCL C
// 7.4: 16 ulp; 7.5.1: edge cases), beside std::pow.
#include "tests/api/api_test.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace heddle::test {
namespace {

template <class T>
std::vector<T> interesting() {
  using limits = std::numeric_limits<T>;
  std::vector<T> values;
  for (const T a :
       {T(0), limits::denorm_min(), limits::min() / 2, limits::min(), T(1e-20), T(0.3), T(1),
        T(1.5), T(7.1), T(1e4), T(3e12), limits::max() / 3, limits::max(), limits::infinity()})
    values.insert(values.end(), {a, -a});
  values.push_back(limits::quiet_NaN());
  return values;
}

template <class T>
void check_power(const std::string& type, const std::string& exponent) {
  const auto x = interesting<T>();
  const auto got = compute<T>("kernel void k(global " + type + "* out, global const " + type +
                                  "* x) { size_t i = get_global_id(0); out[i] = pow(x[i], (" +
                                  type + ")" + exponent + "); }",
                              "", {{x.size()}, {}, {}}, x.size(), x);
  const auto y = static_cast<T>(std::stod(exponent));
  for (size_t i = 0; i < x.size(); ++i) {
    const auto wanted =
        static_cast<T>(std::pow(static_cast<long double>(x[i]), static_cast<long double>(y)));
    if (std::isnan(wanted)) {
      EXPECT_TRUE(std::isnan(got[i])) << type << " " << x[i] << "^" << exponent << " = " << got[i];
      continue;
    }
    EXPECT_EQ(std::signbit(got[i]), std::signbit(wanted)) << type << " " << x[i] << "^" << exponent;
    if (std::isinf(wanted) || wanted == 0) {
      EXPECT_EQ(got[i], wanted) << type << " " << x[i] << "^" << exponent;
      continue;
    }
    const auto ulp =
        std::nextafter(std::abs(wanted), std::numeric_limits<T>::infinity()) - std::abs(wanted);
    EXPECT_LE(std::abs(got[i] - wanted), 16 * ulp)
        << type << " " << x[i] << "^" << exponent << " = " << got[i] << ", not " << wanted;
  }
}

TEST(ConstantPowers, AsStdPow) {
  for (const auto* exponent :
       {"0", "1", "2", "3", "5", "8", "-1", "-2", "-7", "-8", "9", "0.5", "-0.5", "2.5"}) {
    check_power<cl_float>("float", exponent);
    if (has_fp64())
      check_power<cl_double>("double", exponent);
  }
}

} // namespace
} // namespace heddle::test
