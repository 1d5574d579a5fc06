// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains of dependent integer operations, as password crackers have them: of one length, and until
// a condition holds.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

#include <bit>

namespace heddle::bench {
namespace {

// The four functions of MD5 in turn, 64 steps; constants and words are of this benchmark.
const char* const kRounds = R"(
  uint rounds(uint word) {
    uint a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
    for (uint i = 0; i < 16; ++i) {
      uint t = a + bitselect(d, c, b) + (word ^ i * 0x9e3779b9);
      a = d; d = c; c = b; b += rotate(t, 7u);
      t = a + bitselect(c, b, d) + (word + i * 0x85ebca6b);
      a = d; d = c; c = b; b += rotate(t, 12u);
      t = a + (b ^ c ^ d) + (word ^ i * 0xc2b2ae35);
      a = d; d = c; c = b; b += rotate(t, 17u);
      t = a + (c ^ (b | ~d)) + (word + i * 0x27d4eb2f);
      a = d; d = c; c = b; b += rotate(t, 22u);
    }
    return a ^ b ^ c ^ d;
  })";

uint32_t rounds(uint32_t word) {
  uint32_t a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
  const auto step = [&](uint32_t value, int by) {
    const uint32_t t = a + value;
    a = d, d = c, c = b, b += std::rotl(t, by);
  };
  for (uint32_t i = 0; i < 16; ++i) {
    step(((b & c) | (~b & d)) + (word ^ i * 0x9e3779b9), 7);
    step(((d & b) | (~d & c)) + (word + i * 0x85ebca6b), 12);
    step((b ^ c ^ d) + (word ^ i * 0xc2b2ae35), 17);
    step((c ^ (b | ~d)) + (word + i * 0x27d4eb2f), 22);
  }
  return a ^ b ^ c ^ d;
}

std::unique_ptr<Workload> make(Scale scale, const char* work, const std::string& kernel,
                               uint32_t (*expected_of)(uint32_t)) {
  const size_t n = scale == Scale::kFull ? 1 << 16 : 1 << 10;
  auto w = std::make_unique<Workload>();
  w->work = work;
  w->source = kRounds + kernel;
  const auto words = random_bits(n);
  const auto in = w->input(words);
  const auto out = w->result<uint32_t>(n);
  w->launch("chains", {n}, {}, out, in);
  w->verify = [=, &w = *w] {
    std::vector<uint32_t> expected;
    for (const auto word : words)
      expected.push_back(expected_of(word));
    return equal(w.view<uint32_t>(out), expected);
  };
  return w;
}

const Register kHash("integer_chains/hash", [](Scale scale) {
  return make(scale, "64 Ki words, 64 rounds",
              R"(
    kernel void chains(global uint* out, global const uint* in) {
      out[get_global_id(0)] = rounds(in[get_global_id(0)]);
    })",
              rounds);
});

constexpr uint32_t kMaxTries = 64, kMask = 15;

const Register kSearch("integer_chains/search", [](Scale scale) {
  return make(scale, "64 Ki searches for a hash that ends with four zeros",
              R"(
    kernel void chains(global uint* out, global const uint* in) {
      uint first = in[get_global_id(0)], found = 64;
      for (uint i = 0; i < 64; ++i)
        if ((rounds(first + i) & 15) == 0) {
          found = i;
          break;
        }
      out[get_global_id(0)] = found;
    })",
              [](uint32_t first) {
                uint32_t i = 0;
                while (i < kMaxTries && (rounds(first + i) & kMask) != 0)
                  ++i;
                return i;
              });
});

} // namespace
} // namespace heddle::bench
