// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sqrt of doubles is correctly rounded (OpenCL C 7.4) in all implementations.
//
// Roots that are computed with multiplications (expand_sqrt_f64) are rounded from
// a value with an error below 2^-40 ulp. The result is wrong only if the root is that close to the
// midpoint m of two numbers. In ulp m = M + 1/2 with 2^52 <= M < 2^53, and x = M^2 + M - k for an
// integer k, so m - sqrt(x) = (k + 1/4) / 2m: only |k| < 2^14 matter. x is a double if its last 52
// or 53 bits are zero, and M^2 + M = k has two solutions modulo a power of two, which are found bit
// by bit. So all relevant numbers can be tested.
#include "tests/api/api_test.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace heddle::test {
namespace {

using Wide = unsigned __int128;

// The solution of M^2 + M = k modulo 2^bits whose lowest bit is this one; k is even.
std::uint64_t solution(std::int64_t k, unsigned bits, std::uint64_t first) {
  std::uint64_t m = first;
  for (unsigned bit = 1; bit < bits; ++bit)
    if ((m * m + m - static_cast<std::uint64_t>(k)) >> bit & 1)
      m += std::uint64_t{1} << bit;
  return m;
}

void add_next_to_middles(std::int64_t k, std::vector<cl_double>& to) {
  for (const unsigned bits : {52U, 53U})
    for (const std::uint64_t first : {0U, 1U}) {
      auto m = solution(k, bits, first);
      for (m |= bits == 52 ? std::uint64_t{1} << 52 : 0; m < std::uint64_t{1} << 53;
           m += std::uint64_t{1} << 53) {
        if (m < std::uint64_t{1} << 52)
          continue;
        const Wide x = Wide{m} * m + m - static_cast<Wide>(static_cast<__int128>(k));
        const auto high = static_cast<std::uint64_t>(x >> bits);
        if (x << (128 - bits) == 0 && high < std::uint64_t{1} << 53)
          to.push_back(std::ldexp(static_cast<double>(high), static_cast<int>(bits) - 104));
      }
    }
}

// Equal to the CPU's instruction bit by bit, except for NaNs.
void check_roots(std::vector<cl_double> in) {
  constexpr size_t kLocal = 64;
  in.resize((in.size() + kLocal - 1) / kLocal * kLocal, 2.0);
  const auto out = compute<cl_double>(
      "kernel void k(global double* out, global const double* in) { size_t i = get_global_id(0); "
      "out[i] = sqrt(in[i]); }",
      "", {{in.size()}, {kLocal}, {}}, in.size(), in);
  for (size_t i = 0; i != in.size(); ++i) {
    const double wanted = std::sqrt(in[i]);
    if (std::isnan(wanted))
      EXPECT_TRUE(std::isnan(out[i])) << std::hexfloat << in[i];
    else
      ASSERT_EQ(std::bit_cast<std::uint64_t>(out[i]), std::bit_cast<std::uint64_t>(wanted))
          << std::hexfloat << "sqrt(" << in[i] << ") = " << out[i] << ", not " << wanted;
  }
}

TEST(SquareRoot, NextToTheMiddleOfTwoNumbers) {
  if (!has_fp64())
    GTEST_SKIP() << "no doubles";
  std::vector<cl_double> in;
  for (std::int64_t k = -(1 << 14); k <= 1 << 14; k += 2)
    add_next_to_middles(k, in);
  ASSERT_GT(in.size(), 29000U);
  check_roots(in);
  for (auto& x : in)
    x = std::ldexp(x, 800);
  check_roots(in);
  for (auto& x : in)
    x = std::ldexp(x, -1700);
  check_roots(in);
}

TEST(SquareRoot, NumbersOfEverySize) {
  if (!has_fp64())
    GTEST_SKIP() << "no doubles";
  std::vector<cl_double> in;
  for (int exponent = -1074; exponent < 1024; ++exponent)
    for (double x = std::ldexp(1.0, exponent);
         const double near :
         {x, std::nextafter(x, 0.0), std::nextafter(x, 1e308), 1.5 * x, 1.75 * x})
      in.push_back(near);
  std::mt19937_64 random(1);
  for (int i = 0; i != 1 << 16; ++i)
    in.push_back(std::bit_cast<double>(random() & ~(std::uint64_t{1} << 63)));
  check_roots(in);
}

// One such number among ordinary ones, in every lane of a vector.
TEST(SquareRoot, NumbersWithoutRootsBesideOthers) {
  if (!has_fp64())
    GTEST_SKIP() << "no doubles";
  using Limits = std::numeric_limits<double>;
  std::vector<cl_double> in;
  for (const double odd : {0.0, -0.0, Limits::infinity(), -Limits::infinity(), -1.0, -1e-310,
                           Limits::quiet_NaN(), Limits::denorm_min(), Limits::min(), Limits::max()})
    for (int place = 0; place != 32; ++place)
      for (int i = 0; i != 32; ++i)
        in.push_back(i == place ? odd : 3.0 + i + place * 0.1);
  check_roots(in);
}

} // namespace
} // namespace heddle::test
