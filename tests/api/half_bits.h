// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Halves on the host, as bits: exact conversion to double, and rounding of numbers to half.
#pragma once

#include <CL/cl.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle::test {

inline double half_value(cl_half bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value;
  if (exponent == 31)
    value = fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                          : std::numeric_limits<double>::infinity();
  else
    value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -value : value;
}

inline bool is_nan_half(cl_half bits) { return (bits & 0x7fff) > 0x7c00; }

// The distance of halves near x.
inline double half_ulp(double x) {
  const int exponent = x == 0 || !std::isfinite(x) ? -14 : std::ilogb(x);
  return std::ldexp(1, std::min(std::max(exponent, -14), 15) - 10);
}

enum class HalfRounding { nearest, zero, up, down };

// A double rounded to half. To nearest the exact value may differ from x by less than x's last bit:
// `error` is the sign of that difference.
inline cl_half to_half(double x, HalfRounding how = HalfRounding::nearest, int error = 0) {
  const auto sign = static_cast<cl_half>(std::signbit(x) ? 0x8000 : 0);
  if (std::isnan(x))
    return 0x7e00;
  const double magnitude = std::fabs(x);
  if (std::isinf(x))
    return static_cast<cl_half>(sign | 0x7c00);
  const double unit = half_ulp(magnitude), scaled = magnitude / unit;
  double whole = std::floor(scaled);
  const double rest = scaled - whole;
  const int beyond = std::signbit(x) ? -error : error; // of the magnitude
  const bool inexact = rest != 0 || beyond != 0;
  const bool away = how == HalfRounding::up ? !std::signbit(x) : std::signbit(x);
  if (how == HalfRounding::nearest) {
    if (rest > 0.5 || (rest == 0.5 && (beyond > 0 || (beyond == 0 && std::fmod(whole, 2) != 0))))
      ++whole;
  } else if (how != HalfRounding::zero && inexact && away) {
    ++whole;
  }
  const double rounded = whole * unit;
  if (rounded > 65504) {
    const bool stays = how == HalfRounding::zero || (how != HalfRounding::nearest && !away);
    return static_cast<cl_half>(sign | (stays ? 0x7bff : 0x7c00));
  }
  if (rounded < std::ldexp(1, -14))
    return static_cast<cl_half>(sign | static_cast<int>(std::ldexp(rounded, 24)));
  const int exponent = std::ilogb(rounded);
  return static_cast<cl_half>(sign | (((exponent + 15) << 10) +
                                      static_cast<int>(std::ldexp(rounded, 10 - exponent)) - 1024));
}

} // namespace heddle::test
