// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of the register width of the target CPU, with the extensions that Clang and GCC share,
// and functions that these lack (rsqrt, non-temporal stores), with a generic variant for older
// CPUs.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <immintrin.h>
#include <utility>

namespace heddle::bench {

#if defined(__AVX512F__)
inline constexpr size_t kVectorBytes = 64;
#elif defined(__AVX2__)
inline constexpr size_t kVectorBytes = 32;
#else
inline constexpr size_t kVectorBytes = 16;
#endif
inline constexpr size_t kLanes = kVectorBytes / 4; // of 32 bits

using Floats = float __attribute__((vector_size(kVectorBytes)));
using Ints = int32_t __attribute__((vector_size(kVectorBytes)));
using Uints = uint32_t __attribute__((vector_size(kVectorBytes)));
using Ushorts = uint16_t __attribute__((vector_size(kVectorBytes)));
using Uchars = uint8_t __attribute__((vector_size(kVectorBytes)));

template <typename V>
V load(const void* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
template <typename V>
void store(void* to, V v) {
  std::memcpy(to, &v, sizeof v);
}
template <typename To, typename From>
To bits_as(From v) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &v, sizeof to);
  return to;
}

inline Floats all(float x) { return x - Floats{}; } // keeps the sign of zero
inline Ints all(int32_t x) { return x + Ints{}; }
inline Uints all(uint32_t x) { return x + Uints{}; }

template <typename V>
V least(V a, V b) {
  return a < b ? a : b;
}
template <typename V>
V most(V a, V b) {
  return a > b ? a : b;
}

// 0, 1, 2, ... in each lane.
template <typename V>
V lane_numbers() {
  V v;
  for (size_t i = 0; i != sizeof v / sizeof v[0]; ++i)
    v[i] = static_cast<decltype(v[0] + 0)>(i);
  return v;
}

// Lane i of the result is lane kFrom(i) of the concatenation of a and b.
template <auto kFrom, typename V, size_t... kI>
V shuffle_lanes(V a, V b, std::index_sequence<kI...>) {
  return __builtin_shufflevector(a, b, static_cast<int>(kFrom(kI))...);
}
template <auto kFrom, typename V>
V shuffle(V a, V b) {
  return shuffle_lanes<kFrom>(a, b, std::make_index_sequence<sizeof(V) / sizeof(a[0])>());
}
template <auto kFrom, typename V>
V shuffle(V a) {
  return shuffle<kFrom>(a, a);
}

// Alternating groups of kGroup lanes of a and b: the lower and the upper half of that sequence.
template <size_t kGroup, typename V>
V zip_low(V a, V b) {
  return shuffle<[](size_t i) {
    return i / kGroup / 2 * kGroup + i % kGroup + (i / kGroup % 2) * (sizeof(V) / 4);
  }>(a, b);
}
template <size_t kGroup, typename V>
V zip_high(V a, V b) {
  return shuffle<[](size_t i) {
    i += sizeof(V) / 4;
    return i / kGroup / 2 * kGroup + i % kGroup + (i / kGroup % 2) * (sizeof(V) / 4);
  }>(a, b);
}
// Every other lane of the concatenation of a and b: zip's inverse for single lanes.
template <typename V>
V even_lanes(V a, V b) {
  return shuffle<[](size_t i) { return 2 * i; }>(a, b);
}
template <typename V>
V odd_lanes(V a, V b) {
  return shuffle<[](size_t i) { return 2 * i + 1; }>(a, b);
}

// Transposes a square matrix with one row per vector, in place: exchanges blocks of half the size,
// then of a quarter, ...
template <size_t kStep = kLanes / 2, typename V>
void transpose_lanes(V* rows) {
  for (size_t i = 0; i != kLanes; ++i) {
    if (i & kStep)
      continue;
    const V a = rows[i], b = rows[i + kStep];
    rows[i] = shuffle<[](size_t l) { return l & kStep ? l - kStep + kLanes : l; }>(a, b);
    rows[i + kStep] = shuffle<[](size_t l) { return l & kStep ? l + kLanes : l + kStep; }>(a, b);
  }
  if constexpr (kStep > 1)
    transpose_lanes<kStep / 2>(rows);
}

// Reductions of all lanes.
template <typename V, typename Combine>
auto fold(V v, Combine combine) {
  const auto step = [&]<size_t kStep>(auto self, std::integral_constant<size_t, kStep>) {
    v = combine(v, shuffle<[](size_t l) { return l ^ kStep; }>(v));
    if constexpr (kStep > 1)
      self(self, std::integral_constant<size_t, kStep / 2>());
  };
  step(step, std::integral_constant<size_t, kLanes / 2>());
  return v[0];
}
template <typename V>
auto sum(V v) {
  return fold(v, [](V a, V b) { return a + b; });
}

// 1 / sqrt(x) within 2 ulp, for x neither 0 nor denormal: an estimate and a Newton iteration.
inline Floats estimate_rsqrt(Floats x) {
#if defined(__AVX512F__) // maskz: GCC 12 warns of the other form's own header
  return bits_as<Floats>(_mm512_maskz_rsqrt14_ps(0xFFFF, bits_as<__m512>(x)));
#elif defined(__AVX2__)
  return bits_as<Floats>(_mm256_rsqrt_ps(bits_as<__m256>(x)));
#else
  return bits_as<Floats>(_mm_rsqrt_ps(bits_as<__m128>(x)));
#endif
}
inline Floats rsqrt(Floats x) {
  const Floats y = estimate_rsqrt(x), error = 1.0f - x * y * y;
  return y + y * (0.5f * error);
}

// A non-temporal store, for results that are not read soon. `to` is aligned to a vector; end with
// _mm_sfence().
inline void stream(void* to, Floats v) {
#if defined(__AVX512F__)
  _mm512_stream_ps(static_cast<float*>(to), bits_as<__m512>(v));
#elif defined(__AVX2__)
  _mm256_stream_ps(static_cast<float*>(to), bits_as<__m256>(v));
#else
  _mm_stream_ps(static_cast<float*>(to), bits_as<__m128>(v));
#endif
}

} // namespace heddle::bench
