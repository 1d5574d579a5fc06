// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Volatile local memory, which cannot be kept in registers.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

constexpr size_t kGroup = 128;

const Register kTree("volatile_local/reduction", [](Scale scale) {
  const size_t n = scale == Scale::kFull ? 1 << 20 : 1 << 12;
  auto w = std::make_unique<Workload>();
  w->work = "sums of 8,192 groups of 128 uints";
  w->source = R"(
    kernel __attribute__((reqd_work_group_size(128, 1, 1)))
    void reduction(global uint* out, global const uint* in) {
      local volatile uint sums[128];
      uint i = get_local_id(0);
      sums[i] = in[get_global_id(0)];
      for (uint n = 64; n != 0; n /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < n)
          sums[i] += sums[i + n];
      }
      if (i == 0)
        out[get_group_id(0)] = sums[0];
    })";
  const auto values = random_bits(n);
  const auto in = w->input(values);
  const auto out = w->result<uint32_t>(n / kGroup);
  w->launch("reduction", {n}, {kGroup}, out, in);
  w->verify = [=, &w = *w] {
    std::vector<uint32_t> expected(n / kGroup);
    for (size_t i = 0; i != n; ++i)
      expected[i / kGroup] += values[i];
    return equal(w.view<uint32_t>(out), expected);
  };
  return w;
});

const Register kRing("volatile_local/neighbors", [](Scale scale) {
  const size_t n = scale == Scale::kFull ? 1 << 20 : 1 << 12;
  auto w = std::make_unique<Workload>();
  w->work = "1 Mi uints, each the sum of 16 neighbors in its group of 128";
  w->source = R"(
    kernel __attribute__((reqd_work_group_size(128, 1, 1)))
    void neighbors(global uint* out, global const uint* in) {
      local volatile uint values[128];
      uint i = get_local_id(0), sum = 0;
      values[i] = in[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint j = 0; j < 16; ++j)
        sum += values[(i + j) & 127];
      out[get_global_id(0)] = sum;
    })";
  const auto values = random_bits(n);
  const auto in = w->input(values);
  const auto out = w->result<uint32_t>(n);
  w->launch("neighbors", {n}, {kGroup}, out, in);
  w->verify = [=, &w = *w] {
    std::vector<uint32_t> expected(n);
    for (size_t i = 0; i != n; ++i)
      for (size_t j = 0; j != 16; ++j)
        expected[i] += values[i / kGroup * kGroup + (i + j) % kGroup];
    return equal(w.view<uint32_t>(out), expected);
  };
  return w;
});

} // namespace
} // namespace heddle::bench
