// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 256 bins counted in each group's local memory and then summed; and more bins in global memory.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

const char* const kSource = R"(
  kernel void clear(global uint* bins) { bins[get_global_id(0)] = 0; }

  kernel void in_local(global uint* bins, global const uchar* in, uint each) {
    local uint counts[256];
    uint l = get_local_id(0), size = get_local_size(0);
    for (uint i = l; i < 256; i += size)
      counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint base = get_group_id(0) * size * each;
    for (uint i = 0; i < each; ++i)
      atomic_inc(&counts[in[base + i * size + l]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = l; i < 256; i += size)
      atomic_add(&bins[i], counts[i]);
  }

  kernel void in_global(global uint* bins, global const uint* in, uint mask) {
    atomic_inc(&bins[in[get_global_id(0)] & mask]);
  })";

const Register local("histogram_local", [](Scale scale) {
  const size_t n = scale == Scale::kFull ? 4 << 20 : 1 << 14, group = 256;
  const uint32_t each = scale == Scale::kFull ? 64 : 4;
  auto w = std::make_unique<Workload>();
  w->work = "4 Mi bytes, 256 bins";
  w->source = kSource;
  std::vector<uint8_t> data(n);
  Random random;
  for (auto& byte : data)
    byte = static_cast<uint8_t>((random.bits() & random.bits()) >> 24); // some bins are busier
  const auto in = w->input(data);
  const auto bins = w->result<uint32_t>(256);
  w->launch("clear", {256}, {256}, bins);
  w->launch("in_local", {n / each}, {group}, bins, in, each);
  w->verify = [=, &w = *w] {
    std::vector<uint32_t> expected(256);
    for (const auto byte : data)
      ++expected[byte];
    return equal(w.view<uint32_t>(bins), expected);
  };
  return w;
});

const Register global("histogram_global", [](Scale scale) {
  const size_t n = scale == Scale::kFull ? 1 << 20 : 1 << 12;
  const uint32_t count = 4096;
  auto w = std::make_unique<Workload>();
  w->work = "1 Mi uints, 4096 bins";
  w->source = kSource;
  const auto data = random_bits(n);
  const auto in = w->input(data);
  const auto bins = w->result<uint32_t>(count);
  w->launch("clear", {count}, {256}, bins);
  w->launch("in_global", {n}, {256}, bins, in, count - 1);
  w->verify = [=, &w = *w] {
    std::vector<uint32_t> expected(count);
    for (const auto value : data)
      ++expected[value & (count - 1)];
    return equal(w.view<uint32_t>(bins), expected);
  };
  return w;
});

} // namespace
} // namespace heddle::bench
