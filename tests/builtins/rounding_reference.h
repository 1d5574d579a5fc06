// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions as the specification defines them, with other methods than the library's.
//
// A long double represents every value of every OpenCL scalar type.
#pragma once

#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace heddle::test {

enum class Rounding { kToNearest, kToZero, kUp, kDown };

inline int hardware_mode(Rounding rounding) {
  switch (rounding) {
  case Rounding::kToZero:
    return FE_TOWARDZERO;
  case Rounding::kUp:
    return FE_UPWARD;
  case Rounding::kDown:
    return FE_DOWNWARD;
  default:
    return FE_TONEAREST;
  }
}

inline unsigned short half_bits(_Float16 value) {
  unsigned short bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline _Float16 half_from_bits(unsigned short bits) {
  _Float16 value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// The value of a half's magnitude bits; infinity is 2^16, the value of the next number.
inline long double half_magnitude(unsigned bits) {
  unsigned exponent = bits >> 10, fraction = bits & 0x3ff;
  return exponent ? std::ldexp(1024.0L + fraction, int(exponent) - 25)
                  : std::ldexp(static_cast<long double>(fraction), -24);
}

// Searches the two halves that enclose |value| and chooses one of them.
inline _Float16 round_to_half(long double value, Rounding rounding) {
  bool negative = std::signbit(value);
  long double magnitude = std::fabs(value);
  unsigned low = 0, high = 0x7c00;
  if (std::isnan(value))
    return half_from_bits(0x7e00);
  if (std::isinf(value))
    low = high;
  while (high - low > 1) {
    unsigned middle = (low + high) / 2;
    (half_magnitude(middle) <= magnitude ? low : high) = middle;
  }
  unsigned chosen = low;
  if (half_magnitude(low) < magnitude) {
    long double to_low = magnitude - half_magnitude(low);
    long double to_high = half_magnitude(low + 1) - magnitude;
    bool nearer = to_high < to_low || (to_high == to_low && (low & 1));
    bool away = rounding == Rounding::kToNearest ? nearer
                : rounding == Rounding::kUp      ? !negative
                : rounding == Rounding::kDown    ? negative
                                                 : false;
    chosen = low + (away && low < 0x7c00);
  }
  return half_from_bits(static_cast<unsigned short>(chosen | (negative ? 0x8000u : 0u)));
}

template <typename T>
T round_to_float(long double value, Rounding rounding) {
  if constexpr (std::is_same_v<T, _Float16>) {
    return round_to_half(value, rounding);
  } else {
    std::fesetround(hardware_mode(rounding));
    volatile long double exact = value;
    volatile T result = static_cast<T>(exact);
    std::fesetround(FE_TONEAREST);
    return result;
  }
}

// The result of a conversion to integer T; *in_range is whether it needs no saturation.
template <typename T>
T round_to_integer(long double value, Rounding rounding, bool* in_range) {
  std::fesetround(hardware_mode(rounding));
  volatile long double exact = value;
  volatile long double rounded = std::rint(exact);
  std::fesetround(FE_TONEAREST);
  *in_range = false;
  if (std::isnan(value))
    return 0;
  if (rounded < static_cast<long double>(std::numeric_limits<T>::min()))
    return std::numeric_limits<T>::min();
  if (rounded > static_cast<long double>(std::numeric_limits<T>::max()))
    return std::numeric_limits<T>::max();
  *in_range = true;
  return static_cast<T>(rounded);
}

} // namespace heddle::test
