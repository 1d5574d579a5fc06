// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Option prices, one option per lane, with a logarithm and an exponential for finite, normal
// arguments only, with an error of 2 ulp.
#include "tests/bench/by_hand/hand.h"
#include "tests/bench/by_hand/vectors.h"

namespace heddle::bench {
namespace {

// For x in [-87, 88]; smaller values are clamped to -87.
Floats exponential(Floats x) {
  x = most(x, all(-87.0f));
  // Adding 1.5 * 2^23 rounds to an integer in the lowest bits.
  const Floats shifted = x * 1.44269504f + 12582912.0f, n = shifted - 12582912.0f;
  const Floats r = (x - n * 0.693359375f) + n * 2.12194440e-4f; // log(2) in two parts
  Floats p = 0.00139529698f * r + 0.00837032157f;
  p = p * r + 0.0416661680f;
  p = p * r + 0.166665067f;
  p = p * r + 0.500000011f;
  p = p * (r * r) + (r + 1.0f);
  return bits_as<Floats>(bits_as<Ints>(p) + (bits_as<Ints>(shifted) << 23));
}

// For positive normal x.
Floats logarithm(Floats x) {
  constexpr int32_t kRootOfHalf = 0x3F3504F3;
  const Ints bits = bits_as<Ints>(x), e = (bits - kRootOfHalf) >> 23;
  const Floats f = bits_as<Floats>(bits - (e << 23)) - 1.0f, n = __builtin_convertvector(e, Floats);
  Floats p = 0.0892729059f * f - 0.143447471f;
  p = p * f + 0.148710987f;
  p = p * f - 0.165662283f;
  p = p * f + 0.199660697f;
  p = p * f - 0.250017320f;
  p = p * f + 0.333338379f;
  const Floats square = f * f;
  p = p * f * square - n * 2.12194440e-4f;
  return (f - 0.5f * square) + p + n * 0.693359375f;
}

Floats normal(Floats d) {
  const Floats size = most(d, -d), k = 1.0f / (1.0f + 0.2316419f * size);
  Floats p = -1.821255978f + k * 1.330274429f;
  p = 1.781477937f + k * p;
  p = -0.356563782f + k * p;
  p = 0.31938153f + k * p;
  const Floats tail = 0.39894228f * exponential(-0.5f * d * d) * (k * p);
  return d > Floats{} ? 1.0f - tail : tail;
}

const ByHand black_scholes("black_scholes", [](Workload& w) {
  const auto price = w.view<const float>(0), strike = w.view<const float>(1),
             years = w.view<const float>(2);
  const auto call = w.view<float>(3), put = w.view<float>(4);
  const float rate = w.value<float>(0, 5), volatility = w.value<float>(0, 6);
  return [=] {
    parallel(price.size() / kLanes, 1 << 8, [=](size_t first, size_t last) {
      for (size_t i = first * kLanes; i != last * kLanes; i += kLanes) {
        const auto s = load<Floats>(&price[i]), x = load<Floats>(&strike[i]),
                   t = load<Floats>(&years[i]);
        const Floats inverse = rsqrt(t), spread = volatility * (t * inverse);
        const Floats drift = (rate + 0.5f * volatility * volatility) * t;
        const Floats d1 = (logarithm(s / x) + drift) * (inverse * (1 / volatility));
        const Floats n1 = normal(d1), n2 = normal(d1 - spread), later = x * exponential(-rate * t);
        const Floats value = s * n1 - later * n2;
        store(&call[i], value);
        store(&put[i], value + later - s); // the parity of put and call
      }
    });
  };
});

} // namespace
} // namespace heddle::bench
