// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 256 bins counted in each group's local memory and then summed; more bins in global memory; and
// bins of different widths, which work-items search, for each group.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

#include <algorithm>

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
  }

  kernel void in_searched(global uint* bins, global const float* in, global const float* starts,
                          uint count, uint each) {
    bins += get_group_id(0) * count;
    for (uint i = 0; i < each; ++i) {
      float value = in[i * get_global_size(0) + get_global_id(0)];
      uint first = 0, last = count;
      while (last > first + 1) {
        uint middle = (first + last) / 2;
        if (value < starts[middle])
          last = middle;
        else
          first = middle;
      }
      atomic_inc(&bins[first]);
    }
  })";

const Register kLocal("histogram_local", [](Scale scale) {
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

const Register kGlobal("histogram_global", [](Scale scale) {
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

const Register kSearched("histogram_searched", [](Scale scale) {
  const size_t n = scale == Scale::kFull ? 1 << 19 : 1 << 14, group = 64;
  const uint32_t count = 512, each = 32;
  const auto items = n / each, groups = items / group;
  auto w = std::make_unique<Workload>();
  w->work = "512 Ki floats, 512 bins by binary search";
  w->source = kSource;
  const auto data = random_values<float>(n, 0, 1);
  std::vector<float> starts(count);
  for (uint32_t i = 0; i < count; ++i)
    starts[i] = static_cast<float>(i * i) / (count * count);
  const auto in = w->input(data), bounds = w->input(starts);
  const auto bins = w->result<uint32_t>(groups * count);
  w->launch("clear", {groups * count}, {256}, bins);
  w->launch("in_searched", {items}, {group}, bins, in, bounds, count, each);
  w->verify = [=, &w = *w] {
    std::vector<uint32_t> expected(groups * count);
    for (size_t i = 0; i < n; ++i) {
      const auto next = std::ranges::upper_bound(starts, data[i]) - starts.begin();
      ++expected[i % items / group * count + static_cast<size_t>(next) - 1];
    }
    return equal(w.view<uint32_t>(bins), expected);
  };
  return w;
});

} // namespace
} // namespace heddle::bench
