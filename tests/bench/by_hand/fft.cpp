// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transforms of 1024 points: five steps of radix 4 in Stockham's order, with separate real and
// imaginary parts, a vector of butterflies at a time, in arrays that stay in the L1 cache.
#include "tests/bench/by_hand/hand.h"
#include "tests/bench/by_hand/vectors.h"

#include <algorithm>
#include <array>
#include <vector>

namespace heddle::bench {
namespace {

constexpr size_t kPoints = 1024, kQuarter = kPoints / 4, kVectors = kQuarter / kLanes;

struct Complexes {
  Floats re, im;
};
Complexes operator+(Complexes a, Complexes b) { return {a.re + b.re, a.im + b.im}; }
Complexes operator-(Complexes a, Complexes b) { return {a.re - b.re, a.im - b.im}; }
Complexes operator*(Complexes a, Complexes b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
Complexes times_minus_i(Complexes a) { return {a.im, -a.re}; }

struct Parts { // points as the steps leave them to each other
  alignas(kVectorBytes) std::array<float, kPoints> re, im;
};
Complexes load_points(const Parts& p, size_t at) {
  return {load<Floats>(&p.re[at]), load<Floats>(&p.im[at])};
}

// The twiddle factors of a step's vectors, three for each, in the order of their use.
using Twiddles = std::vector<Complexes>;

// The factors repeat after kSize points, but a vector has at least kLanes of them.
template <size_t kSize>
constexpr size_t kPeriod = std::max<size_t>(kSize / kLanes, 1);

template <size_t kSize>
void add_twiddles(Twiddles& twiddles, std::span<const float> table) {
  for (size_t v = 0; v != kPeriod<kSize>; ++v)
    for (size_t r = 1; r != 4; ++r) {
      Complexes factor;
      for (size_t l = 0; l != kLanes; ++l) {
        const size_t k = r * ((v * kLanes + l) % kSize) * (kQuarter / kSize);
        factor.re[l] = table[2 * k];
        factor.im[l] = table[2 * k + 1];
      }
      twiddles.push_back(factor);
    }
}

void butterfly(Complexes (&v)[4]) {
  const auto a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = times_minus_i(v[1] - v[3]);
  v[0] = a + c;
  v[1] = b + d;
  v[2] = a - c;
  v[3] = b - d;
}

// Results are stored such that the next step loads a vector of each quarter: alternating groups of
// kSize from the four.
template <size_t kSize>
void scatter(float* to, size_t vector, Floats a, Floats b, Floats c, Floats d) {
  if constexpr (kSize < kLanes) {
    const Floats even_low = zip_low<kSize>(a, c), even_high = zip_high<kSize>(a, c),
                 odd_low = zip_low<kSize>(b, d), odd_high = zip_high<kSize>(b, d);
    to += 4 * vector * kLanes;
    store(to, zip_low<kSize>(even_low, odd_low));
    store(to + kLanes, zip_high<kSize>(even_low, odd_low));
    store(to + 2 * kLanes, zip_low<kSize>(even_high, odd_high));
    store(to + 3 * kLanes, zip_high<kSize>(even_high, odd_high));
  } else {
    const size_t k = vector * kLanes % kSize;
    to += 4 * (vector * kLanes - k) + k;
    store(to, a);
    store(to + kSize, b);
    store(to + 2 * kSize, c);
    store(to + 3 * kSize, d);
  }
}

template <size_t kSize>
void scatter(Parts& to, size_t vector, const Complexes (&v)[4]) {
  scatter<kSize>(to.re.data(), vector, v[0].re, v[1].re, v[2].re, v[3].re);
  scatter<kSize>(to.im.data(), vector, v[0].im, v[1].im, v[2].im, v[3].im);
}

// The butterflies of each vector with their factors; calls keep(vector, results).
template <size_t kSize, typename Keep>
void step(const Parts& from, const Complexes*& twiddles, const Keep& keep) {
  for (size_t vector = 0; vector != kVectors; ++vector) {
    Complexes v[4];
    for (size_t r = 0; r != 4; ++r)
      v[r] = load_points(from, r * kQuarter + vector * kLanes);
    for (size_t r = 1; r != 4; ++r)
      v[r] = v[r] * twiddles[vector % kPeriod<kSize> * 3 + r - 1];
    butterfly(v);
    keep(vector, v);
  }
  twiddles += 3 * kPeriod<kSize>;
}
template <size_t kSize>
void step(Parts& to, const Parts& from, const Complexes*& twiddles) {
  step<kSize>(from, twiddles,
              [&](size_t vector, const Complexes(&v)[4]) { scatter<kSize>(to, vector, v); });
}

void transform(float* out, const float* in, const Complexes* twiddles) {
  Parts a, b;
  for (size_t vector = 0; vector != kVectors; ++vector) { // the first step has no factors
    Complexes v[4];
    for (size_t r = 0; r != 4; ++r) {
      const float* from = in + 2 * (r * kQuarter + vector * kLanes);
      const auto low = load<Floats>(from), high = load<Floats>(from + kLanes);
      v[r] = {even_lanes(low, high), odd_lanes(low, high)};
    }
    butterfly(v);
    scatter<1>(a, vector, v);
  }
  step<4>(b, a, twiddles);
  step<16>(a, b, twiddles);
  step<64>(b, a, twiddles);
  step<256>(b, twiddles, [&](size_t vector, const Complexes(&v)[4]) {
    for (size_t r = 0; r != 4; ++r) {
      float* to = out + 2 * (r * kQuarter + vector * kLanes);
      store(to, zip_low<1>(v[r].re, v[r].im));
      store(to + kLanes, zip_high<1>(v[r].re, v[r].im));
    }
  });
}

const ByHand fft("fft", [](Workload& w) {
  const auto in = w.view<const float>(0), table = w.view<const float>(1);
  const auto out = w.view<float>(2);
  const auto twiddles = std::make_shared<Twiddles>(); // of a plan, as libraries of transforms have
  add_twiddles<4>(*twiddles, table);
  add_twiddles<16>(*twiddles, table);
  add_twiddles<64>(*twiddles, table);
  add_twiddles<256>(*twiddles, table);
  return [=] {
    parallel(in.size() / (2 * kPoints), 4, [=](size_t first, size_t last) {
      for (size_t i = first; i != last; ++i)
        transform(&out[2 * i * kPoints], &in[2 * i * kPoints], twiddles->data());
    });
  };
});

} // namespace
} // namespace heddle::bench
