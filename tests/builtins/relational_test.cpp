// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relational functions, OpenCL C 6.15.6: true is 1 for scalars and all ones for vectors.
#include "native_library.h"
#include "rounding_reference.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::test {
namespace {

constexpr int kCount = 14;

template <typename T>
std::vector<T> interesting() {
  using Limits = std::numeric_limits<T>;
  return {T(0),
          T(-0.0),
          T(1),
          T(-1),
          Limits::min(),
          -Limits::min(),
          Limits::max(),
          Limits::denorm_min(),
          -Limits::denorm_min(),
          Limits::infinity(),
          -Limits::infinity(),
          Limits::quiet_NaN(),
          -Limits::quiet_NaN()};
}
template <>
std::vector<_Float16> interesting() {
  std::vector<_Float16> values;
  for (unsigned bits : {0, 0x8000, 0x3c00, 0xbc00, 0x400, 0x8400, 0x7bff, 1, 0x83ff, 0x7c00, 0xfc00,
                        0x7e00, 0xfe01})
    values.push_back(half_from_bits(static_cast<unsigned short>(bits)));
  return values;
}

// The results in the order of the wrapper. T converts to double exactly.
template <typename T>
std::vector<bool> expected(T a, T b, double smallest) {
  double x = static_cast<double>(a), y = static_cast<double>(b);
  bool ordered = !std::isnan(x) && !std::isnan(y);
  bool normal = std::isfinite(x) && std::fabs(x) >= smallest;
  bool negative = sizeof(T) == 8   ? std::signbit(x)
                  : sizeof(T) == 4 ? std::signbit(static_cast<float>(a))
                                   : (half_bits(static_cast<_Float16>(a)) & 0x8000) != 0;
  return {x == y,        ordered ? x != y : true, x > y,   x >= y,   x < y,
          x <= y,        ordered && x != y,       ordered, !ordered, std::isnan(x),
          std::isinf(x), std::isfinite(x),        normal,  negative};
}

template <typename T, typename VectorResult>
void check(double smallest) {
  std::string name = std::string("relational_") + kName<T>;
  for (const char* build : kBuilds) {
    if (!can_run(build))
      continue;
    auto* scalar = reinterpret_cast<void (*)(const T*, const T*, int*)>(find_symbol(build, name));
    auto* vector = reinterpret_cast<void (*)(const T*, const T*, VectorResult*)>(
        find_symbol(build, name + "2"));
    ASSERT_TRUE(scalar && vector);
    for (T a : interesting<T>())
      for (T b : interesting<T>()) {
        int ones[kCount];
        alignas(16) T pair_a[2] = {a, b}, pair_b[2] = {b, a};
        alignas(16) VectorResult all_ones[2 * kCount];
        scalar(&a, &b, ones);
        vector(pair_a, pair_b, all_ones);
        std::vector<bool> forward = expected(a, b, smallest), back = expected(b, a, smallest);
        for (int i = 0; i < kCount; ++i) {
          ASSERT_EQ(ones[i], forward[i] ? 1 : 0) << i << ": " << double(a) << ", " << double(b);
          ASSERT_EQ(all_ones[2 * i], forward[i] ? -1 : 0) << i;
          ASSERT_EQ(all_ones[2 * i + 1], back[i] ? -1 : 0) << i;
        }
      }
  }
}

TEST(Relational, Float) { check<float, int>(std::numeric_limits<float>::min()); }
TEST(Relational, Double) { check<double, long>(std::numeric_limits<double>::min()); }
TEST(Relational, Half) { check<_Float16, short>(0x1p-14); }

TEST(Relational, SelectAnyAll) {
  const std::string build = kBuilds[0];
  for (int n : {2, 3, 4, 8, 16}) {
    std::string width = std::to_string(n);
    auto* select = reinterpret_cast<void (*)(const float*, const float*, const int*, float*)>(
        find_symbol(build, "select_float" + width));
    auto* any = reinterpret_cast<int (*)(const int*)>(find_symbol(build, "any_int" + width));
    auto* all = reinterpret_cast<int (*)(const int*)>(find_symbol(build, "all_int" + width));
    for (int chosen = 0; chosen < n; ++chosen) {
      float a[16], b[16], out[16];
      int one[16], but_one[16], low_bits[16];
      for (int i = 0; i < n; ++i) {
        a[i] = static_cast<float>(i);
        b[i] = static_cast<float>(100 + i);
        one[i] = i == chosen ? -1 : 1; // only the top bit counts in vectors
        but_one[i] = i == chosen ? 0x7fffffff : static_cast<int>(0x80000000);
        low_bits[i] = 1;
      }
      select(a, b, one, out);
      for (int i = 0; i < n; ++i)
        EXPECT_EQ(out[i], i == chosen ? b[i] : a[i]);
      EXPECT_EQ(any(one), 1);
      EXPECT_EQ(any(low_bits), 0);
      EXPECT_EQ(all(but_one), 0);
      but_one[chosen] = -1;
      EXPECT_EQ(all(but_one), 1);
    }
  }
  auto* select = reinterpret_cast<float (*)(float, float, int)>(find_symbol(build, "select_float"));
  EXPECT_EQ(select(1, 2, 1), 2); // any bit counts in scalars
  EXPECT_EQ(select(1, 2, 0), 1);
  auto* any = reinterpret_cast<int (*)(int)>(find_symbol(build, "any_int"));
  EXPECT_EQ(any(1), 0);
  EXPECT_EQ(any(-5), 1);
  auto* bitselect =
      reinterpret_cast<float (*)(float, float, float)>(find_symbol(build, "bitselect_float"));
  EXPECT_EQ(bitselect(1.5f, -2.0f, -0.0f), -1.5f);
}

} // namespace
} // namespace heddle::test
