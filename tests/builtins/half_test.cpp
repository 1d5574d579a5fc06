// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vload_half, vstore_half and relatives (OpenCL C 6.15.7), and the code generator's half helpers.
#include "native_library.h"
#include "rounding_reference.h"
#include "samples.h"

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

struct Mode {
  const char* suffix;
  Rounding rounding;
};
constexpr Mode kModes[] = {{"", Rounding::kToNearest},
                           {"_rte", Rounding::kToNearest},
                           {"_rtz", Rounding::kToZero},
                           {"_rtp", Rounding::kUp},
                           {"_rtn", Rounding::kDown}};

bool is_nan(unsigned short bits) { return (bits & 0x7fff) > 0x7c00; }

template <typename T>
void check_stores(const std::vector<T>& values) {
  for (const char* build : kBuilds) {
    if (!can_run(build))
      continue;
    for (const Mode& mode : kModes) {
      for (const char* space : {"", "U3AS1", "U3AS3", "U3AS4"}) {
        auto* store = builtin<void(T, size_t, unsigned short*)>(
            build, std::string("vstore_half") + mode.suffix,
            std::string(kMangled<T>) + "mP" + space + "Dh");
        ASSERT_NE(store, nullptr);
        int failures = 0;
        for (T value : values) {
          unsigned short memory[3] = {1, 2, 3};
          store(value, 1, memory);
          unsigned short expected = half_bits(round_to_half(value, mode.rounding));
          bool right = memory[1] == expected || (is_nan(memory[1]) && is_nan(expected));
          if ((!right || memory[0] != 1 || memory[2] != 3) && ++failures < 5)
            ADD_FAILURE() << build << " vstore_half" << mode.suffix << "(" << value << ") is "
                          << memory[1] << ", not " << expected;
        }
      }
    }
  }
}

TEST(Half, StoreFloat) { check_stores(samples<float>()); }
TEST(Half, StoreDouble) { check_stores(samples<double>()); }

TEST(Half, LoadEveryValue) {
  for (const char* build : kBuilds) {
    if (!can_run(build))
      continue;
    auto* load = builtin<float(size_t, const unsigned short*)>(build, "vload_half", "mPU3AS1KDh");
    ASSERT_NE(load, nullptr);
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      unsigned short memory[2] = {0, static_cast<unsigned short>(bits)};
      float actual = load(1, memory);
      if (is_nan(memory[1])) {
        EXPECT_TRUE(std::isnan(actual)) << bits;
      } else if ((bits & 0x7fff) == 0x7c00) {
        EXPECT_EQ(actual, bits & 0x8000 ? -INFINITY : INFINITY);
      } else {
        EXPECT_EQ(std::fabs(actual), half_magnitude(bits & 0x7fff)) << bits;
        EXPECT_EQ(std::signbit(actual), (bits & 0x8000) != 0) << bits;
      }
    }
  }
}

// The helpers must be correct on every processor.
TEST(Half, CodeGeneratorHelpers) {
  const std::string build = kBuilds[0];
  auto* from_float = reinterpret_cast<_Float16 (*)(float)>(find_symbol(build, "__truncsfhf2"));
  auto* from_double = reinterpret_cast<_Float16 (*)(double)>(find_symbol(build, "__truncdfhf2"));
  auto* to_float = reinterpret_cast<float (*)(_Float16)>(find_symbol(build, "__extendhfsf2"));
  auto* to_double = reinterpret_cast<double (*)(_Float16)>(find_symbol(build, "__extendhfdf2"));
  ASSERT_TRUE(from_float && from_double && to_float && to_double);
  auto same = [](_Float16 a, _Float16 b) {
    return half_bits(a) == half_bits(b) || (is_nan(half_bits(a)) && is_nan(half_bits(b)));
  };
  for (float value : samples<float>())
    ASSERT_TRUE(same(from_float(value), round_to_half(value, Rounding::kToNearest))) << value;
  for (double value : samples<double>())
    ASSERT_TRUE(same(from_double(value), round_to_half(value, Rounding::kToNearest))) << value;
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    _Float16 value = half_from_bits(static_cast<unsigned short>(bits));
    ASSERT_TRUE(same(round_to_half(to_float(value), Rounding::kToZero), value)) << bits;
    ASSERT_TRUE(same(round_to_half(to_double(value), Rounding::kToZero), value)) << bits;
    if (!is_nan(half_bits(value)) && (bits & 0x7fff) != 0x7c00) {
      ASSERT_EQ(std::fabs(to_float(value)), half_magnitude(bits & 0x7fff)) << bits;
      ASSERT_EQ(std::fabs(to_double(value)), half_magnitude(bits & 0x7fff)) << bits;
    }
  }
}

} // namespace
} // namespace heddle::test
