// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divergent control flow: loops with different trip counts, and a switch whose cases are all
// computed under masks.
#include "tests/bench/by_hand/hand.h"
#include "tests/bench/by_hand/vectors.h"

#include <algorithm>

namespace heddle::bench {
namespace {

// The number of interleaved vectors, to overlap dependency chains.
constexpr size_t kTogether = 4;

template <typename V>
bool any(V mask) {
  return fold(mask, [](V a, V b) { return a | b; }) != 0;
}

void mandelbrot_row(int32_t* out, Floats ci, int width, int most_steps) {
  const Ints lanes = lane_numbers<Ints>();
  const float scale = 3.0f / static_cast<float>(width);
  for (int px = 0; px < width; px += static_cast<int>(kTogether * kLanes)) {
    Floats cr[kTogether], x[kTogether] = {}, y[kTogether] = {};
    Ints steps[kTogether] = {}, inside[kTogether];
    for (size_t v = 0; v != kTogether; ++v) {
      const Ints at = px + static_cast<int>(v * kLanes) + lanes;
      cr[v] = __builtin_convertvector(at, Floats) * scale - 2.25f;
      inside[v] = all(-1);
    }
    for (int i = 0; i < most_steps; ++i) {
      Ints left = {};
#pragma GCC unroll 4
      for (size_t v = 0; v != kTogether; ++v) {
        const Floats xx = x[v] * x[v], yy = y[v] * y[v];
        inside[v] &= xx + yy <= all(4.0f);
        steps[v] -= inside[v];
        left |= inside[v];
        y[v] = (x[v] + x[v]) * y[v] + ci;
        x[v] = xx - yy + cr[v];
      }
      if (!any(left))
        break;
    }
    for (size_t v = 0; v != kTogether; ++v) {
      const int at = px + static_cast<int>(v * kLanes);
      if (at < width)
        std::memcpy(out + at, &steps[v],
                    sizeof(int32_t) * std::min(kLanes, static_cast<size_t>(width - at)));
    }
  }
}

const ByHand mandelbrot("mandelbrot", [](Workload& w) {
  const auto out = w.view<int32_t>(0);
  const auto width = w.value<int32_t>(0, 1), height = w.value<int32_t>(0, 2),
             most_steps = w.value<int32_t>(0, 3);
  return [=] {
    parallel(static_cast<size_t>(height), 4, [=](size_t first, size_t last) {
      for (size_t row = first; row != last; ++row) {
        const float ci = static_cast<float>(row) * (2.5f / static_cast<float>(height)) - 1.25f;
        mandelbrot_row(&out[row * static_cast<size_t>(width)], all(ci), width, most_steps);
      }
    });
  };
});

template <size_t kCount>
void interpret(uint32_t* out, const uint32_t* in) {
  Uints x[kCount], sum[kCount];
  for (size_t v = 0; v != kCount; ++v) {
    x[v] = load<Uints>(in + v * kLanes);
    sum[v] = all(1u);
  }
  for (uint32_t i = 0; i != 64; ++i) {
#pragma GCC unroll 4
    for (size_t v = 0; v != kCount; ++v) {
      const Uints a = x[v], s = sum[v], way = (a >> 13) & 7;
      const Uints shifted = a ^ (a << 7), five = s * 5 + a;
      Uints to = a * 69069 + 1, next = s + (a & 0xFF);
      to = way == 0 ? a * 1664525 + 1013904223 : to;
      to = way == 1 ? shifted : to;
      to = way == 2 ? a + s * 31 : to;
      to = way == 3 ? (a >> 3) | (a << 29) : to;
      to = way == 4 ? a + 0x9E3779B9 : to;
      to = way == 5 ? ~a + s : to;
      to = way == 6 ? a - ((s >> 5) ^ i) : to;
      next = way == 1 ? s + shifted : next;
      next = way == 3 ? s ^ i : next;
      next = way == 4 ? five : next;
      const Uints kept = 0b1100101u >> way; // cases 0, 2, 5 and 6 keep the sum
      next = (kept & 1) != 0 ? s : next;
      x[v] = to;
      sum[v] = next;
    }
  }
  for (size_t v = 0; v != kCount; ++v)
    store(out + v * kLanes, x[v] ^ sum[v]);
}

const ByHand branchy_switch("branchy_switch", [](Workload& w) {
  const auto in = w.view<const uint32_t>(0);
  const auto out = w.view<uint32_t>(1);
  return [=] {
    constexpr size_t kStep = 4 * kLanes;
    parallel(in.size() / kStep, 1 << 4, [=](size_t first, size_t last) {
      for (size_t i = first * kStep; i != last * kStep; i += kStep)
        interpret<4>(&out[i], &in[i]);
    });
  };
});

} // namespace
} // namespace heddle::bench
