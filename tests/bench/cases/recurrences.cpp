// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations that wait for the ones before, through two to eight values: ciphers, a pendulum, and a
// network that sorts what each work-item has.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace heddle::bench {
namespace {

using Words = std::array<uint32_t, 8>;

constexpr size_t kGroup = 64;

// A kernel `run` that makes eight words of eight words, those of a work-item `n` apart.
std::unique_ptr<Workload> make_words(Scale scale, const char* work, const std::string& steps,
                                     void (*expected_of)(Words&)) {
  const size_t n = scale == Scale::kFull ? 1 << 15 : 1 << 10;
  auto w = std::make_unique<Workload>();
  w->work = work;
  w->source = R"(
    #define ROUND(p, q, r, s)                                                                      \
      p += q; s = rotate(s ^ p, 16u); r += s; q = rotate(q ^ r, 12u);                              \
      p += q; s = rotate(s ^ p, 8u); r += s; q = rotate(q ^ r, 7u);
    kernel void run(global uint* out, global const uint* in, uint n) {
      size_t i = get_global_id(0);
      uint x0 = in[i], x1 = in[i + n], x2 = in[i + 2 * n], x3 = in[i + 3 * n];
      uint x4 = in[i + 4 * n], x5 = in[i + 5 * n], x6 = in[i + 6 * n], x7 = in[i + 7 * n];
      )" + steps +
              R"(
      out[i] = x0; out[i + n] = x1; out[i + 2 * n] = x2; out[i + 3 * n] = x3;
      out[i + 4 * n] = x4; out[i + 5 * n] = x5; out[i + 6 * n] = x6; out[i + 7 * n] = x7;
    })";
  const auto data = random_bits(8 * n);
  const auto in = w->input(data);
  const auto out = w->result<uint32_t>(8 * n);
  w->launch("run", {n}, {kGroup}, out, in, static_cast<uint32_t>(n));
  w->verify = [=, &w = *w] {
    std::vector<uint32_t> expected(8 * n);
    for (size_t i = 0; i != n; ++i) {
      Words words;
      for (size_t k = 0; k != words.size(); ++k)
        words[k] = data[i + k * n];
      expected_of(words);
      for (size_t k = 0; k != words.size(); ++k)
        expected[i + k * n] = words[k];
    }
    return equal(w.view<uint32_t>(out), expected);
  };
  return w;
}

void quarter_round(uint32_t& p, uint32_t& q, uint32_t& r, uint32_t& s) {
  p += q, s = std::rotl(s ^ p, 16), r += s, q = std::rotl(q ^ r, 12);
  p += q, s = std::rotl(s ^ p, 8), r += s, q = std::rotl(q ^ r, 7);
}

const Register kRounds("recurrences/quarter_rounds", [](Scale scale) {
  return make_words(scale, "32 Ki times 8 words, 40 quarter rounds of ChaCha",
                    "for (uint k = 0; k < 20; ++k) { ROUND(x0, x2, x4, x6) ROUND(x1, x3, x5, x7) }",
                    [](Words& x) {
                      for (int k = 0; k != 20; ++k) {
                        quarter_round(x[0], x[2], x[4], x[6]);
                        quarter_round(x[1], x[3], x[5], x[7]);
                      }
                    });
});

const Register kTea("recurrences/tea", [](Scale scale) {
  return make_words(scale, "32 Ki blocks, 32 rounds of TEA", R"(
      for (uint k = 1; k <= 32; ++k) {
        uint sum = k * 0x9e3779b9u;
        x0 += ((x1 << 4) + 5) ^ (x1 + sum) ^ ((x1 >> 5) + 7);
        x1 += ((x0 << 4) + 11) ^ (x0 + sum) ^ ((x0 >> 5) + 13);
      })",
                    [](Words& x) {
                      for (uint32_t k = 1; k <= 32; ++k) {
                        const uint32_t sum = k * 0x9e3779b9U;
                        x[0] += ((x[1] << 4) + 5) ^ (x[1] + sum) ^ ((x[1] >> 5) + 7);
                        x[1] += ((x[0] << 4) + 11) ^ (x[0] + sum) ^ ((x[0] >> 5) + 13);
                      }
                    });
});

const Register kSort("recurrences/sorting_network", [](Scale scale) {
  auto w = make_words(scale, "32 Ki times 8 words, 56 comparisons in a private array", R"(
      uint v[8];
      v[0] = x0; v[1] = x1; v[2] = x2; v[3] = x3; v[4] = x4; v[5] = x5; v[6] = x6; v[7] = x7;
      for (int p = 0; p < 8; ++p)
        for (int q = 0; q < 7; ++q)
          if (v[q] > v[q + 1]) {
            uint t = v[q];
            v[q] = v[q + 1];
            v[q + 1] = t;
          }
      x0 = v[0]; x1 = v[1]; x2 = v[2]; x3 = v[3]; x4 = v[4]; x5 = v[5]; x6 = v[6]; x7 = v[7];)",
                      [](Words& x) { std::sort(x.begin(), x.end()); });
  return w;
});

const Register kPendulums("recurrences/pendulums", [](Scale scale) {
  const size_t n = scale == Scale::kFull ? 1 << 15 : 1 << 10;
  auto w = std::make_unique<Workload>();
  w->work = "32 Ki pairs of coupled pendulums, 64 steps";
  w->source = R"(
    kernel void run(global float* out, global const float* in, uint n) {
      size_t i = get_global_id(0);
      float t1 = in[i], t2 = in[i + n], v1 = 0, v2 = 0;
      for (int k = 0; k < 64; ++k) {
        float s1 = t1 - t1 * t1 * t1 * 0.16666667f, s2 = t2 - t2 * t2 * t2 * 0.16666667f;
        float d = t1 - t2;
        v1 -= 0.01f * (s1 + 0.3f * d);
        v2 -= 0.01f * (s2 - 0.3f * d);
        t1 += 0.01f * v1;
        t2 += 0.01f * v2;
      }
      out[i] = t1 + t2;
    })";
  const auto data = random_values<float>(2 * n, 0.1, 1);
  const auto in = w->input(data);
  const auto out = w->result<float>(n);
  w->launch("run", {n}, {kGroup}, out, in, static_cast<uint32_t>(n));
  w->verify = [=, &w = *w] {
    std::vector<float> expected;
    for (size_t i = 0; i != n; ++i) {
      double t1 = data[i], t2 = data[i + n], v1 = 0, v2 = 0;
      for (int k = 0; k != 64; ++k) {
        const double s1 = t1 - std::pow(t1, 3) / 6, s2 = t2 - std::pow(t2, 3) / 6, d = t1 - t2;
        v1 -= 0.01 * (s1 + 0.3 * d);
        v2 -= 0.01 * (s2 - 0.3 * d);
        t1 += 0.01 * v1;
        t2 += 0.01 * v2;
      }
      expected.push_back(static_cast<float>(t1 + t2));
    }
    return close(w.view<float>(out), expected, 1e-5);
  };
  return w;
});

} // namespace
} // namespace heddle::bench
