// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compression function of SHA-256 on one block per work-item.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

#include <bit>

namespace heddle::bench {
namespace {

// The fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2), computed.
std::vector<uint32_t> constants() {
  std::vector<uint32_t> k;
  for (uint32_t p = 2; k.size() != 64; ++p) {
    bool prime = true;
    for (uint32_t d = 2; d * d <= p; ++d)
      prime = prime && p % d != 0;
    if (prime) {
      const long double root = std::cbrt(static_cast<long double>(p));
      k.push_back(static_cast<uint32_t>((root - std::floor(root)) * 0x1p32L));
    }
  }
  return k;
}

const Register entry("sha_rounds", [](Scale scale) {
  const size_t n = scale == Scale::kFull ? 1 << 15 : 1 << 10;
  auto w = std::make_unique<Workload>();
  w->work = "32 Ki blocks of 64 rounds";
  w->source = R"(
    #define S0(x) (rotate(x, 30u) ^ rotate(x, 19u) ^ rotate(x, 10u))
    #define S1(x) (rotate(x, 26u) ^ rotate(x, 21u) ^ rotate(x, 7u))
    #define G0(x) (rotate(x, 25u) ^ rotate(x, 14u) ^ ((x) >> 3))
    #define G1(x) (rotate(x, 15u) ^ rotate(x, 13u) ^ ((x) >> 10))
    kernel void sha(global uint* out, constant uint* k, uint seed) {
      uint id = get_global_id(0), w[16];
      for (uint i = 0; i < 16; ++i)
        w[i] = (id + seed) * (2 * i + 1);
      uint a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a;
      uint e = 0x510e527f, f = 0x9b05688c, g = 0x1f83d9ab, h = 0x5be0cd19;
      for (uint i = 0; i < 64; ++i) {
        if (i >= 16)
          w[i & 15] += G0(w[(i + 1) & 15]) + w[(i + 9) & 15] + G1(w[(i + 14) & 15]);
        uint t1 = h + S1(e) + bitselect(g, f, e) + k[i] + w[i & 15];
        uint t2 = S0(a) + ((a & b) | (c & (a | b)));
        h = g; g = f; f = e; e = d + t1; d = c; c = b; b = a; a = t1 + t2;
      }
      out[id] = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
    })";
  const auto ks = constants();
  const uint32_t seed = 12345;
  const auto k = w->input(ks);
  const auto out = w->result<uint32_t>(n);
  w->launch("sha", {n}, {256}, out, k, seed);
  w->verify = [=, &w = *w] {
    std::vector<uint32_t> expected(n);
    const auto r = [](uint32_t x, int s) { return std::rotr(x, s); };
    for (uint32_t id = 0; id != n; ++id) {
      uint32_t m[64];
      for (uint32_t i = 0; i != 64; ++i)
        m[i] = i < 16 ? (id + seed) * (2 * i + 1)
                      : m[i - 16] + (r(m[i - 15], 7) ^ r(m[i - 15], 18) ^ (m[i - 15] >> 3)) +
                            m[i - 7] + (r(m[i - 2], 17) ^ r(m[i - 2], 19) ^ (m[i - 2] >> 10));
      uint32_t s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
      for (int i = 0; i != 64; ++i) {
        const uint32_t t1 = s[7] + (r(s[4], 6) ^ r(s[4], 11) ^ r(s[4], 25)) +
                            ((s[4] & s[5]) ^ (~s[4] & s[6])) + ks[i] + m[i];
        const uint32_t t2 = (r(s[0], 2) ^ r(s[0], 13) ^ r(s[0], 22)) +
                            ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (int j = 7; j != 0; --j)
          s[j] = s[j - 1];
        s[4] += t1;
        s[0] = t1 + t2;
      }
      for (const auto word : s)
        expected[id] ^= word;
    }
    return equal(w.view<uint32_t>(out), expected);
  };
  return w;
});

} // namespace
} // namespace heddle::bench
