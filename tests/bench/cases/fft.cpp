// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex transforms of 1024 points, radix 4, each in one group's local memory (Stockham's order:
// no bit reversal); the twiddle factors come from a table.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

#include <complex>
#include <numbers>

namespace heddle::bench {
namespace {

constexpr size_t kPoints = 1024;

void transform(std::vector<std::complex<double>>& v) {
  for (size_t i = 1, j = 0; i != kPoints; ++i) {
    size_t bit = kPoints / 2;
    for (; j & bit; bit /= 2)
      j ^= bit;
    j ^= bit;
    if (i < j)
      std::swap(v[i], v[j]);
  }
  for (size_t size = 2; size <= kPoints; size *= 2)
    for (size_t k = 0; k != size / 2; ++k) {
      const auto t = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) /
                                         static_cast<double>(size));
      for (size_t i = k; i < kPoints; i += size) {
        const auto a = v[i], b = v[i + size / 2] * t;
        v[i] = a + b;
        v[i + size / 2] = a - b;
      }
    }
}

const Register entry("fft", [](Scale scale) {
  const size_t batches = scale == Scale::kFull ? 512 : 4;
  auto w = std::make_unique<Workload>();
  w->work = "512 transforms of 1024 points";
  w->source = R"(
    float2 times(float2 a, float2 b) {
      return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
    }
    kernel __attribute__((reqd_work_group_size(256, 1, 1)))
    void fft(global float2* out, global const float2* in, global const float2* twiddles) {
      local float2 t[1024];
      uint l = get_local_id(0), base = get_group_id(0) * 1024;
      float2 v[4];
      for (uint r = 0; r < 4; ++r)
        v[r] = in[base + l + 256 * r];
      for (uint size = 1; size < 1024; size *= 4) {
        uint k = l & (size - 1);
        if (size > 1) {
          uint step = 256 / size;
          v[1] = times(v[1], twiddles[k * step]);
          v[2] = times(v[2], twiddles[2 * k * step]);
          v[3] = times(v[3], twiddles[3 * k * step]);
        }
        float2 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = v[1] - v[3];
        float2 e = (float2)(d.y, -d.x);
        v[0] = a + c;
        v[1] = b + e;
        v[2] = a - c;
        v[3] = b - e;
        uint to = ((l - k) << 2) + k;
        if (size == 256) {
          for (uint r = 0; r < 4; ++r)
            out[base + to + r * size] = v[r];
        } else {
          for (uint r = 0; r < 4; ++r)
            t[to + r * size] = v[r];
          barrier(CLK_LOCAL_MEM_FENCE);
          for (uint r = 0; r < 4; ++r)
            v[r] = t[l + 256 * r];
          barrier(CLK_LOCAL_MEM_FENCE);
        }
      }
    })";
  const auto data = random_values<float>(batches * kPoints * 2, -1, 1);
  std::vector<float> table;
  for (size_t i = 0; i != kPoints; ++i) {
    const double angle = -2 * std::numbers::pi * static_cast<double>(i) / double{kPoints};
    table.push_back(static_cast<float>(std::cos(angle)));
    table.push_back(static_cast<float>(std::sin(angle)));
  }
  const auto in = w->input(data), twiddles = w->input(table);
  const auto out = w->result<float>(data.size());
  w->launch("fft", {batches * kPoints / 4}, {256}, out, in, twiddles);
  w->verify = [=, &w = *w] {
    std::vector<float> expected;
    std::vector<std::complex<double>> v(kPoints);
    for (size_t b = 0; b != batches; ++b) {
      for (size_t i = 0; i != kPoints; ++i)
        v[i] = {data[2 * (b * kPoints + i)], data[2 * (b * kPoints + i) + 1]};
      transform(v);
      for (const auto& value : v) {
        expected.push_back(static_cast<float>(value.real()));
        expected.push_back(static_cast<float>(value.imag()));
      }
    }
    return close(w.view<float>(out), expected, 1e-4, 1e-3);
  };
  return w;
});

} // namespace
} // namespace heddle::bench
