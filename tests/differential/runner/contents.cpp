// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/differential/runner/contents.h"

#include <cstring>
#include <limits>
#include <utility>

namespace heddle::differential {
namespace {

// splitmix64: short and portable.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  uint64_t state_;
};

// Small values, limits and arbitrary ones, as bits of the widest integer, which the caller
// truncates to the type.
uint64_t random_integer(Random& random, size_t bytes) {
  const uint64_t r = random.next();
  const uint64_t sign = uint64_t{1} << (8 * bytes - 1);
  switch (r & 15) {
  case 0:
    return 0;
  case 1:
    return ~uint64_t{0};
  case 2:
    return sign;
  case 3:
    return sign - 1;
  case 4:
  case 5:
  case 6:
  case 7:
    return (r >> 8) % 17;
  case 8:
    return -((r >> 8) % 17);
  default:
    return random.next();
  }
}

template <class T>
T random_real(Random& random) {
  using Limits = std::numeric_limits<T>;
  const uint64_t r = random.next();
  const T sign = (r & 256) ? T(-1) : T(1);
  switch (r & 31) {
  case 0:
    return sign * T(0);
  case 1:
    return sign * Limits::infinity();
  case 2:
    return Limits::quiet_NaN();
  case 3:
    return sign * Limits::denorm_min() * T(1 + ((r >> 16) & 1023));
  case 4:
    return sign * Limits::max();
  case 5:
    return sign * Limits::min();
  case 6:
    return sign * T(r >> 12) * T(1 << 20);
  case 7:
  case 8:
  case 9:
  case 10:
  case 11:
  case 12:
    return sign * T((r >> 16) % 33);
  default:
    return sign * T(r >> 40) / T(1 << 18);
  }
}

// Bits of a half that is not a signaling NaN.
uint16_t random_half(Random& random) {
  const uint64_t r = random.next();
  const auto bits = static_cast<uint16_t>(r >> 16);
  if ((r & 7) != 0) // of modest size
    return static_cast<uint16_t>((bits & 0x8fff) + 0x3000);
  return (bits & 0x7c00) == 0x7c00 && (bits & 0x3ff) ? uint16_t{0x7e00} : bits;
}

template <class T>
void put(std::vector<unsigned char>& bytes, size_t index, T value) {
  std::memcpy(bytes.data() + index * sizeof value, &value, sizeof value);
}

void fill_random(std::vector<unsigned char>& bytes, const Argument& argument) {
  Random random(argument.seed);
  const size_t size = scalar_size(argument.type);
  for (size_t i = 0; i != argument.count; ++i) {
    if (argument.type == "float")
      put(bytes, i, random_real<float>(random));
    else if (argument.type == "double")
      put(bytes, i, random_real<double>(random));
    else if (argument.type == "half")
      put(bytes, i, random_half(random));
    else {
      const uint64_t value = random_integer(random, size);
      std::memcpy(bytes.data() + i * size, &value, size);
    }
  }
}

void fill_permutation(std::vector<unsigned char>& bytes, const Argument& argument) {
  std::vector<uint32_t> order(argument.count);
  for (size_t i = 0; i != order.size(); ++i)
    order[i] = static_cast<uint32_t>(i);
  Random random(argument.seed);
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random.next() % i]);
  for (size_t i = 0; i != order.size(); ++i)
    put(bytes, i, order[i]);
}

} // namespace

std::vector<unsigned char> initial_contents(const Argument& argument) {
  const size_t size = argument.count * scalar_size(argument.type);
  std::vector<unsigned char> bytes(size + kGuardBytes);
  if (argument.fill == Fill::Random)
    fill_random(bytes, argument);
  else if (argument.fill == Fill::Permutation)
    fill_permutation(bytes, argument);
  std::memset(bytes.data() + size, 0xa5, kGuardBytes);
  return bytes;
}

} // namespace heddle::differential
