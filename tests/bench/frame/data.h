// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deterministic inputs, and comparisons that report the first difference.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::bench {

// A linear congruential generator with a mixed output; the sequence depends only on the seed.
class Random {
 public:
  explicit Random(uint64_t seed = 1) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  uint32_t bits() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = state_ ^ (state_ >> 29);
    x *= 0xBF58476D1CE4E5B9u;
    return static_cast<uint32_t>(x >> 32);
  }
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>((uint64_t{bits()} * limit) >> 32); }
  double uniform(double low, double high) { return low + (high - low) * (bits() * 0x1p-32); }

 private:
  uint64_t state_;
};

template <typename T>
std::vector<T> random_values(size_t count, double low, double high, uint64_t seed = 1) {
  Random random(seed);
  std::vector<T> values(count);
  for (auto& value : values)
    value = static_cast<T>(random.uniform(low, high));
  return values;
}

inline std::vector<uint32_t> random_bits(size_t count, uint64_t seed = 1) {
  Random random(seed);
  std::vector<uint32_t> values(count);
  for (auto& value : values)
    value = random.bits();
  return values;
}

// |got - expected| <= relative * |expected| + absolute for each; a NaN in `got` is a failure.
template <typename T, typename U>
std::string close(std::span<const T> got, const std::vector<U>& expected, double relative,
                  double absolute = 0) {
  if (got.size() != expected.size())
    return "sizes differ";
  for (size_t i = 0; i != got.size(); ++i) {
    const double g = static_cast<double>(got[i]), e = static_cast<double>(expected[i]);
    if (!(std::fabs(g - e) <= relative * std::fabs(e) + absolute))
      return "at " + std::to_string(i) + ": " + std::to_string(g) + " instead of " +
             std::to_string(e);
  }
  return {};
}
template <typename T, typename U>
std::string close(std::span<T> got, const std::vector<U>& expected, double relative,
                  double absolute = 0) {
  return close<T, U>(std::span<const T>(got), expected, relative, absolute);
}

template <typename T>
std::string equal(std::span<T> got, const std::vector<T>& expected) {
  if (got.size() != expected.size())
    return "sizes differ";
  for (size_t i = 0; i != got.size(); ++i)
    if (got[i] != expected[i])
      return "at " + std::to_string(i) + ": " + std::to_string(got[i]) + " instead of " +
             std::to_string(expected[i]);
  return {};
}

} // namespace heddle::bench
