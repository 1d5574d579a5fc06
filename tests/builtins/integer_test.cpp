// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer functions, OpenCL C 6.15.3, against their definitions in 128-bit arithmetic.
#include "native_library.h"
#include "samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

namespace heddle::test {
namespace {

using Wide = __int128;

template <typename T>
using Unsigned = std::make_unsigned_t<T>;
template <typename T>
constexpr int kBits = 8 * sizeof(T);

template <typename T>
T saturate(Wide value) {
  Wide low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return static_cast<T>(std::clamp(value, low, high));
}

// Floor division by 2^shift of a product that may need all 128 bits.
template <typename T>
T high_half(T x, T y) {
  if constexpr (std::is_signed_v<T>)
    return static_cast<T>((Wide(x) * Wide(y)) >> kBits<T>);
  else
    return static_cast<T>(((unsigned __int128)(x) * (unsigned __int128)(y)) >> kBits<T>);
}

// Values that are combined in pairs and triples: limits and a few random ones.
template <typename T>
std::vector<T> operands() {
  std::vector<T> all = samples<T>(100), few;
  for (long v : {0, 1, 2, 3, 7, -1, -2, 100, 127, 128, 255})
    few.push_back(static_cast<T>(v));
  few.push_back(std::numeric_limits<T>::min());
  few.push_back(std::numeric_limits<T>::max());
  few.push_back(static_cast<T>(std::numeric_limits<T>::max() - 1));
  few.push_back(static_cast<T>(std::numeric_limits<T>::max() / 2));
  few.push_back(static_cast<T>(std::numeric_limits<T>::min() + 1));
  std::mt19937 generator(7);
  for (int i = 0; i < 60; ++i)
    few.push_back(all[generator() % all.size()]);
  return few;
}

template <typename T>
void check_unary(const std::string& build) {
  std::string type = kMangled<T>;
  auto* clz = builtin<T(T)>(build, "clz", type);
  auto* ctz = builtin<T(T)>(build, "ctz", type);
  auto* popcount = builtin<T(T)>(build, "popcount", type);
  auto* abs = builtin<Unsigned<T>(T)>(build, "abs", type);
  ASSERT_TRUE(clz && ctz && popcount && abs);
  for (T value : samples<T>(100)) {
    auto bits = static_cast<Unsigned<T>>(value);
    ASSERT_EQ(clz(value), static_cast<T>(std::countl_zero(bits))) << +value;
    ASSERT_EQ(ctz(value), static_cast<T>(std::countr_zero(bits))) << +value;
    ASSERT_EQ(popcount(value), static_cast<T>(std::popcount(bits))) << +value;
    ASSERT_EQ(abs(value), static_cast<Unsigned<T>>(Wide(value) < 0 ? -Wide(value) : Wide(value)));
  }
}

template <typename T>
void check_binary(const std::string& build) {
  std::string types = std::string(kMangled<T>) + kMangled<T>;
  auto find = [&](const char* name) { return builtin<T(T, T)>(build, name, types); };
  auto *add_sat = find("add_sat"), *sub_sat = find("sub_sat"), *hadd = find("hadd"),
       *rhadd = find("rhadd"), *max = find("max"), *min = find("min"), *mul_hi = find("mul_hi"),
       *rotate = find("rotate");
  auto* abs_diff = builtin<Unsigned<T>(T, T)>(build, "abs_diff", types);
  for (T x : operands<T>())
    for (T y : operands<T>()) {
      SCOPED_TRACE(std::to_string(x) + ", " + std::to_string(y) + " in " + kName<T>);
      ASSERT_EQ(add_sat(x, y), saturate<T>(Wide(x) + Wide(y)));
      ASSERT_EQ(sub_sat(x, y), saturate<T>(Wide(x) - Wide(y)));
      ASSERT_EQ(hadd(x, y), static_cast<T>((Wide(x) + Wide(y)) >> 1));
      ASSERT_EQ(rhadd(x, y), static_cast<T>((Wide(x) + Wide(y) + 1) >> 1));
      ASSERT_EQ(max(x, y), std::max(x, y));
      ASSERT_EQ(min(x, y), std::min(x, y));
      ASSERT_EQ(mul_hi(x, y), high_half(x, y));
      auto bits = static_cast<Unsigned<T>>(x);
      int count = static_cast<int>(static_cast<Unsigned<T>>(y) % kBits<T>);
      ASSERT_EQ(rotate(x, y), static_cast<T>(std::rotl(bits, count)));
      Wide difference = Wide(x) - Wide(y);
      ASSERT_EQ(abs_diff(x, y),
                static_cast<Unsigned<T>>(difference < 0 ? -difference : difference));
    }
}

template <typename T>
void check_ternary(const std::string& build) {
  std::string types = std::string(kMangled<T>) + kMangled<T> + kMangled<T>;
  auto* mad_sat = builtin<T(T, T, T)>(build, "mad_sat", types);
  auto* mad_hi = builtin<T(T, T, T)>(build, "mad_hi", types);
  auto* clamp = builtin<T(T, T, T)>(build, "clamp", types);
  ASSERT_TRUE(mad_sat && mad_hi && clamp);
  for (T x : operands<T>())
    for (T y : operands<T>())
      for (T z : operands<T>()) {
        T sum;
        if constexpr (std::is_signed_v<T>) {
          sum = saturate<T>(Wide(x) * Wide(y) + Wide(z));
        } else {
          unsigned __int128 exact = (unsigned __int128)(x)*y + z;
          sum = exact > std::numeric_limits<T>::max() ? std::numeric_limits<T>::max()
                                                      : static_cast<T>(exact);
        }
        ASSERT_EQ(mad_sat(x, y, z), sum) << +x << ", " << +y << ", " << +z;
        ASSERT_EQ(mad_hi(x, y, z), static_cast<T>(Unsigned<T>(high_half(x, y)) + Unsigned<T>(z)));
        if (y <= z) {
          ASSERT_EQ(clamp(x, y, z), std::clamp(x, y, z));
        }
      }
}

template <typename T>
void check_type() {
  for (const char* build : kBuilds) {
    if (!can_run(build))
      continue;
    check_unary<T>(build);
    check_binary<T>(build);
    check_ternary<T>(build);
  }
}

TEST(Integer, Char) { check_type<signed char>(); }
TEST(Integer, Uchar) { check_type<unsigned char>(); }
TEST(Integer, Short) { check_type<short>(); }
TEST(Integer, Ushort) { check_type<unsigned short>(); }
TEST(Integer, Int) { check_type<int>(); }
TEST(Integer, Uint) { check_type<unsigned>(); }
TEST(Integer, Long) { check_type<long>(); }
TEST(Integer, Ulong) { check_type<unsigned long>(); }

template <typename Result, typename High, typename Low>
void check_upsample() {
  auto* upsample = builtin<Result(High, Low)>(kBuilds[0], "upsample",
                                              std::string(kMangled<High>) + kMangled<Low>);
  ASSERT_NE(upsample, nullptr);
  for (High high : operands<High>())
    for (Low low : operands<Low>()) {
      Wide expected = Wide(high) * (Wide(1) << kBits<Low>)+Wide(low);
      ASSERT_EQ(upsample(high, low), static_cast<Result>(expected)) << +high << ", " << +low;
    }
}

TEST(Integer, Upsample) {
  check_upsample<short, signed char, unsigned char>();
  check_upsample<unsigned short, unsigned char, unsigned char>();
  check_upsample<int, short, unsigned short>();
  check_upsample<unsigned, unsigned short, unsigned short>();
  check_upsample<long, int, unsigned>();
  check_upsample<unsigned long, unsigned, unsigned>();
}

TEST(Integer, TwentyFourBits) {
  auto* mul24 = builtin<int(int, int)>(kBuilds[0], "mul24", "ii");
  auto* mad24 = builtin<unsigned(unsigned, unsigned, unsigned)>(kBuilds[0], "mad24", "jjj");
  ASSERT_TRUE(mul24 && mad24);
  EXPECT_EQ(mul24(-5000, 3000), -15000000);
  EXPECT_EQ(mul24(-(1 << 23), (1 << 23) - 1), static_cast<int>(-70368735789056));
  EXPECT_EQ(mad24(0xffffff, 0xfffffe, 17), static_cast<unsigned>(0xffffffull * 0xfffffeull + 17));
}

template <typename T>
void check_bits() {
  std::string type = kMangled<T>;
  using U = Unsigned<T>;
  auto* insert =
      builtin<T(T, T, unsigned, unsigned)>(kBuilds[0], "bitfield_insert", type + type + "jj");
  auto* extract =
      builtin<U(T, unsigned, unsigned)>(kBuilds[0], "bitfield_extract_unsigned", type + "jj");
  auto* extend = builtin<std::make_signed_t<T>(T, unsigned, unsigned)>(
      kBuilds[0], "bitfield_extract_signed", type + "jj");
  auto* reverse = builtin<T(T)>(kBuilds[0], "bit_reverse", type);
  ASSERT_TRUE(insert && extract && extend && reverse);
  for (T base : operands<T>()) {
    U reversed = 0;
    for (int i = 0; i < kBits<T>; ++i)
      reversed = static_cast<U>(
          reversed | (static_cast<U>((static_cast<U>(base) >> i) & 1) << (kBits<T> - 1 - i)));
    ASSERT_EQ(reverse(base), static_cast<T>(reversed));
    for (unsigned offset = 0; offset < kBits<T>; ++offset)
      for (unsigned count = 0; offset + count <= kBits<T>; ++count) {
        Wide mask = (Wide(1) << count) - 1;
        Wide field = (Wide(static_cast<U>(base)) >> offset) & mask;
        bool negative = count > 0 && (field >> (count - 1)) & 1;
        ASSERT_EQ(extract(base, offset, count), static_cast<U>(field)) << offset << " " << count;
        ASSERT_EQ(extend(base, offset, count),
                  static_cast<std::make_signed_t<T>>(negative ? field - mask - 1 : field))
            << offset << " " << count;
        T with = static_cast<T>(0x5a3c96e1b4d2780full);
        Wide merged = (Wide(static_cast<U>(base)) & ~(mask << offset)) |
                      ((Wide(static_cast<U>(with)) & mask) << offset);
        ASSERT_EQ(insert(base, with, offset, count), static_cast<T>(merged));
      }
  }
}

TEST(Integer, BitFields) {
  check_bits<signed char>();
  check_bits<unsigned short>();
  check_bits<int>();
  check_bits<unsigned long>();
}

TEST(Integer, PackedDotProducts) {
  using Signed = int(unsigned, unsigned);
  auto* ss = builtin<Signed>(kBuilds[0], "dot_4x8packed_ss_int", "jj");
  auto* us = builtin<Signed>(kBuilds[0], "dot_4x8packed_us_int", "jj");
  auto* su = builtin<Signed>(kBuilds[0], "dot_4x8packed_su_int", "jj");
  auto* uu = builtin<unsigned(unsigned, unsigned)>(kBuilds[0], "dot_4x8packed_uu_uint", "jj");
  auto* accumulate =
      builtin<int(unsigned, unsigned, int)>(kBuilds[0], "dot_acc_sat_4x8packed_ss_int", "jji");
  const unsigned a = 0xff020380, b = 0x7f05fe80; // bytes 80 03 02 ff and 80 fe 05 7f
  EXPECT_EQ(ss(a, b), 128 * 128 - 3 * 2 + 2 * 5 - 127);
  EXPECT_EQ(us(a, b), -128 * 128 - 3 * 2 + 2 * 5 + 255 * 127);
  EXPECT_EQ(su(a, b), -128 * 128 + 3 * 254 + 2 * 5 - 127);
  EXPECT_EQ(uu(a, b), 128u * 128 + 3 * 254 + 2 * 5 + 255 * 127);
  EXPECT_EQ(accumulate(a, b, std::numeric_limits<int>::max() - 5), std::numeric_limits<int>::max());
}

} // namespace
} // namespace heddle::test
