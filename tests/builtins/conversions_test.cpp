// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// convert_<type>, OpenCL C 6.4.3: every pair of scalar types, rounding and saturation.
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
constexpr Mode kToInteger[] = {{"", Rounding::kToZero},
                               {"_rte", Rounding::kToNearest},
                               {"_rtz", Rounding::kToZero},
                               {"_rtp", Rounding::kUp},
                               {"_rtn", Rounding::kDown}};
constexpr Mode kToFloat[] = {{"", Rounding::kToNearest},
                             {"_rte", Rounding::kToNearest},
                             {"_rtz", Rounding::kToZero},
                             {"_rtp", Rounding::kUp},
                             {"_rtn", Rounding::kDown}};

template <typename T>
constexpr bool kIsInteger = std::is_integral_v<T>;

// Floating-point results are equal when their bits are, or both are NaN.
template <typename T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

template <typename To, typename From>
void check_pair(const std::string& build, const Mode& mode, bool saturate,
                const std::vector<From>& values) {
  std::string name = std::string("convert_") + kName<To> + (saturate ? "_sat" : "") + mode.suffix;
  auto* convert = builtin<To(From)>(build, name, kMangled<From>);
  ASSERT_NE(convert, nullptr);
  int failures = 0;
  for (From value : values) {
    long double exact = static_cast<long double>(value);
    To expected;
    if constexpr (kIsInteger<To>) {
      bool in_range = true;
      expected = round_to_integer<To>(exact, mode.rounding, &in_range);
      if (!in_range && !saturate) {
        if constexpr (!kIsInteger<From>)
          continue; // implementation-defined
        else
          expected = static_cast<To>(value);
      }
    } else {
      expected = round_to_float<To>(exact, mode.rounding);
    }
    To actual = convert(value);
    if (!same(actual, expected) && ++failures < 5)
      ADD_FAILURE() << build << " " << name << "(" << kName<From> << " " << exact << ") is "
                    << static_cast<long double>(actual) << ", not "
                    << static_cast<long double>(expected);
  }
}

template <typename To, typename From>
void check_modes(const std::vector<From>& values) {
  for (const char* build : kBuilds) {
    if (!can_run(build))
      continue;
    for (const Mode& mode : kIsInteger<To> ? kToInteger : kToFloat) {
      check_pair<To, From>(build, mode, false, values);
      if (kIsInteger<To>)
        check_pair<To, From>(build, mode, true, values);
    }
  }
}

template <typename From>
void check_all() {
  const std::vector<From> values = samples<From>();
  check_modes<signed char>(values);
  check_modes<unsigned char>(values);
  check_modes<short>(values);
  check_modes<unsigned short>(values);
  check_modes<int>(values);
  check_modes<unsigned>(values);
  check_modes<long>(values);
  check_modes<unsigned long>(values);
  check_modes<_Float16>(values);
  check_modes<float>(values);
  check_modes<double>(values);
}

TEST(Convert, FromChar) { check_all<signed char>(); }
TEST(Convert, FromUchar) { check_all<unsigned char>(); }
TEST(Convert, FromShort) { check_all<short>(); }
TEST(Convert, FromUshort) { check_all<unsigned short>(); }
TEST(Convert, FromInt) { check_all<int>(); }
TEST(Convert, FromUint) { check_all<unsigned>(); }
TEST(Convert, FromLong) { check_all<long>(); }
TEST(Convert, FromUlong) { check_all<unsigned long>(); }
TEST(Convert, FromHalf) { check_all<_Float16>(); }
TEST(Convert, FromFloat) { check_all<float>(); }
TEST(Convert, FromDouble) { check_all<double>(); }

} // namespace
} // namespace heddle::test
