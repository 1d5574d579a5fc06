// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = a * x + y in half precision: stored as half and computed as float, and computed as half.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

double from_half(uint16_t h) {
  const int exponent = h >> 10 & 31, fraction = h & 1023;
  const double value =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  return h & 0x8000 ? -value : value; // no infinities or NaNs in this data
}

std::unique_ptr<Workload> make(Scale scale, const char* source) {
  const size_t n = scale == Scale::kFull ? 1 << 20 : 1 << 12;
  auto w = std::make_unique<Workload>();
  w->work = "1 Mi halves";
  w->source = source;
  Random random(3);
  std::vector<uint16_t> xs(n), ys(n);
  for (size_t i = 0; i != n; ++i) { // magnitudes from 1/16 to 2
    xs[i] = static_cast<uint16_t>((random.bits() & 0x8000) | ((11 + random.below(5)) << 10) |
                                  random.below(1024));
    ys[i] = static_cast<uint16_t>((random.bits() & 0x8000) | ((11 + random.below(5)) << 10) |
                                  random.below(1024));
  }
  const auto x = w->input(xs), y = w->input(ys);
  const auto z = w->result<uint16_t>(n);
  w->launch("axpy", {n}, {256}, z, x, y, 1.5f);
  w->verify = [=, &w = *w] {
    std::vector<double> expected(n), got;
    for (size_t i = 0; i != n; ++i)
      expected[i] = 1.5 * from_half(xs[i]) + from_half(ys[i]);
    for (const auto half : w.view<uint16_t>(z))
      got.push_back(from_half(half));
    return close(std::span<const double>(got), expected, 1e-3, 3e-3);
  };
  return w;
}

const Register stored("half_axpy", [](Scale scale) {
  return make(scale, R"(
    kernel void axpy(global half* z, global const half* x, global const half* y, float a) {
      size_t i = get_global_id(0);
      vstore_half(a * vload_half(i, x) + vload_half(i, y), i, z);
    })");
});

const Register computed("half_axpy_fp16", [](Scale scale) {
  auto w = make(scale, R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void axpy(global half* z, global const half* x, global const half* y, float a) {
      size_t i = get_global_id(0);
      z[i] = (half)a * x[i] + y[i];
    })");
  w->needs = {"cl_khr_fp16"};
  return w;
});

} // namespace
} // namespace heddle::bench
