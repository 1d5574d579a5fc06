// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of every scalar type for the tests of conversions and integer functions.
#pragma once

#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace heddle::test {

// All values of 8 and 16 bits; for wider types values around powers of two and around the midpoints
// between floats and halves, special values, and `random` random bit patterns, for floating point
// half of them with small exponents.
template <typename T>
std::vector<T> samples(size_t random = 20000) {
  std::vector<T> values;
  auto add_bits = [&](unsigned long bits) {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    values.push_back(value);
  };
  if constexpr (sizeof(T) <= 2) {
    for (unsigned long bits = 0; bits < (1ul << (8 * sizeof(T))); ++bits)
      add_bits(bits);
    return values;
  } else {
    std::mt19937_64 generator(42);
    for (size_t i = 0; i < random; ++i)
      add_bits(generator());
    if constexpr (std::is_integral_v<T>) {
      for (size_t i = 0; i < random; ++i)
        add_bits(generator() >> (generator() % 64));
      for (int shift = 0; shift < int(8 * sizeof(T)); ++shift)
        for (int other = 0; other < shift; ++other)
          for (long delta = -2; delta <= 2; ++delta) {
            unsigned long value =
                (1ul << shift) + (1ul << other) + static_cast<unsigned long>(delta);
            add_bits(value);
            add_bits(-value);
          }
      for (long delta = -300; delta <= 300; ++delta)
        add_bits(static_cast<unsigned long>(delta));
    } else {
      constexpr int kFraction = std::numeric_limits<T>::digits - 1;
      constexpr unsigned long kBias = std::numeric_limits<T>::max_exponent - 1;
      for (size_t i = 0; i < 4 * random; ++i) {
        unsigned long fraction = generator() & ((1ul << kFraction) - 1);
        if (i % 2) // few significant bits, so that halfway points occur
          fraction &= ~0ul << (generator() % (kFraction + 1));
        unsigned long exponent = kBias - 30 + generator() % 100;
        unsigned long sign = generator() & 1;
        add_bits((sign << (8 * sizeof(T) - 1)) | (exponent << kFraction) | fraction);
      }
      for (int power = -30; power <= 66; ++power)
        for (int halves = 1; halves < 40; ++halves) {
          T value = static_cast<T>(halves) / 2 * static_cast<T>(__builtin_ldexp(1.0, power));
          for (T v : {value, -value}) {
            values.push_back(v);
            values.push_back(std::nextafter(v, std::numeric_limits<T>::infinity()));
            values.push_back(std::nextafter(v, -std::numeric_limits<T>::infinity()));
          }
        }
      using Limits = std::numeric_limits<T>;
      for (T v : {T(0), Limits::min(), Limits::denorm_min(), Limits::max(), Limits::infinity()}) {
        values.push_back(v);
        values.push_back(-v);
      }
      values.push_back(Limits::quiet_NaN());
    }
    return values;
  }
}

} // namespace heddle::test
