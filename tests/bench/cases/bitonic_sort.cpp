// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bitonic sorting networks: blocks of 512 keys in local memory with a barrier per step, and one
// array in global memory with a launch per step.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

#include <algorithm>

namespace heddle::bench {
namespace {

const char* const kLocal = R"(
  kernel __attribute__((reqd_work_group_size(256, 1, 1)))
  void sort(global uint* out, global const uint* in) {
    local uint t[512];
    uint l = get_local_id(0), base = get_group_id(0) * 512;
    t[l] = in[base + l];
    t[l + 256] = in[base + l + 256];
    for (uint size = 2; size <= 512; size *= 2) {
      for (uint stride = size / 2; stride > 0; stride /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint i = 2 * l - (l & (stride - 1)), j = i + stride;
        bool up = (i & size) == 0;
        uint a = t[i], b = t[j];
        if ((a > b) == up) {
          t[i] = b;
          t[j] = a;
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + l] = t[l];
    out[base + l + 256] = t[l + 256];
  })";

const char* const kGlobal = R"(
  kernel void exchange(global uint* out, global const uint* in, uint size, uint stride) {
    uint l = get_global_id(0);
    uint i = 2 * l - (l & (stride - 1)), j = i + stride;
    bool up = (i & size) == 0;
    uint a = in[i], b = in[j];
    bool swap = (a > b) == up;
    out[i] = swap ? b : a;
    out[j] = swap ? a : b;
  })";

const Register local("bitonic_local", [](Scale scale) {
  const size_t n = scale == Scale::kFull ? 1 << 18 : 1 << 12;
  auto w = std::make_unique<Workload>();
  w->work = "256 Ki uints, each 512";
  w->source = kLocal;
  const auto data = random_bits(n);
  const auto in = w->input(data);
  const auto out = w->result<uint32_t>(n);
  w->launch("sort", {n / 2}, {256}, out, in);
  w->verify = [=, &w = *w] {
    auto expected = data;
    for (size_t i = 0; i != n; i += 512)
      std::sort(&expected[i], &expected[i] + 512);
    return equal(w.view<uint32_t>(out), expected);
  };
  return w;
});

const Register global("bitonic_sort", [](Scale scale) {
  const uint32_t n = scale == Scale::kFull ? 1 << 16 : 1 << 10;
  auto w = std::make_unique<Workload>();
  w->work = "64 Ki uints, 136 launches";
  w->source = kGlobal;
  const auto data = random_bits(n);
  const auto in = w->input(data);
  const auto out = w->result<uint32_t>(n);
  for (uint32_t size = 2; size <= n; size *= 2)
    for (uint32_t stride = size / 2; stride > 0; stride /= 2)
      w->launch("exchange", {n / 2}, {256}, out, size == 2 ? in : out, size, stride);
  w->verify = [=, &w = *w] {
    auto expected = data;
    std::ranges::sort(expected);
    return equal(w.view<uint32_t>(out), expected);
  };
  return w;
});

} // namespace
} // namespace heddle::bench
