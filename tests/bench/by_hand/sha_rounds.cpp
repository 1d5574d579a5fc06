// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SHA-256's compression function, one block per lane.
#include "tests/bench/by_hand/hand.h"
#include "tests/bench/by_hand/vectors.h"

namespace heddle::bench {
namespace {

template <int kBits>
Uints right(Uints x) {
  return (x >> kBits) | (x << (32 - kBits));
}

// One round of SHA-256; the caller renames the state's words instead of moving them.
inline void round(Uints a, Uints b, Uints c, Uints& d, Uints e, Uints f, Uints g, Uints& h,
                  Uints word) {
  const Uints t = h + word + (right<6>(e) ^ right<11>(e) ^ right<25>(e)) + ((e & f) | (~e & g));
  d += t;
  h = t + (right<2>(a) ^ right<13>(a) ^ right<22>(a)) + ((a & b) | (c & (a | b)));
}

Uints compress(Uints id, const uint32_t* k) {
  Uints w[16];
  for (uint32_t i = 0; i != 16; ++i)
    w[i] = id * (2 * i + 1);
  Uints s[8] = {all(0x6a09e667u), all(0xbb67ae85u), all(0x3c6ef372u), all(0xa54ff53au),
                all(0x510e527fu), all(0x9b05688cu), all(0x1f83d9abu), all(0x5be0cd19u)};
  for (uint32_t first = 0; first != 64; first += 16) {
#pragma GCC unroll 16
    for (uint32_t i = 0; i != 16; ++i) {
      if (first != 0) {
        const Uints x = w[(i + 1) & 15], y = w[(i + 14) & 15];
        w[i] += w[(i + 9) & 15] + (right<7>(x) ^ right<18>(x) ^ (x >> 3)) +
                (right<17>(y) ^ right<19>(y) ^ (y >> 10));
      }
      const auto at = [i](uint32_t word) { return (word - i) & 7; };
      round(s[at(0)], s[at(1)], s[at(2)], s[at(3)], s[at(4)], s[at(5)], s[at(6)], s[at(7)],
            w[i] + k[first + i]);
    }
  }
  return s[0] ^ s[1] ^ s[2] ^ s[3] ^ s[4] ^ s[5] ^ s[6] ^ s[7];
}

const ByHand sha("sha_rounds", [](Workload& w) {
  const auto k = w.view<const uint32_t>(0);
  const auto out = w.view<uint32_t>(1);
  const auto seed = w.value<uint32_t>(0, 2);
  return [=] {
    parallel(out.size() / kLanes, 1 << 5, [=](size_t first, size_t last) {
      const Uints ids = lane_numbers<Uints>() + seed;
      for (size_t i = first * kLanes; i != last * kLanes; i += kLanes)
        store(&out[i], compress(ids + static_cast<uint32_t>(i), k.data()));
    });
  };
});

} // namespace
} // namespace heddle::bench
