// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics on one counter, on separate counters, and a maximum shared by a group.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

#include <algorithm>

namespace heddle::bench {
namespace {

const char* const kSource = R"(
  kernel void clear(global uint* out) { out[get_global_id(0)] = 0; }
  kernel void count(global uint* out, global const uint* in) {
    if (in[get_global_id(0)] & 1)
      atomic_inc(out);
  }
  kernel void spread(global uint* out, global const uint* in) {
    size_t i = get_global_id(0);
    atomic_add(&out[i], in[i]);
    atomic_xor(&out[i], 0x5555u);
  }
  kernel void most(global uint* out, global const uint* in) {
    local uint m;
    if (get_local_id(0) == 0)
      m = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_max(&m, in[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
      out[get_group_id(0)] = m;
  })";

void add(const char* name, const char* kernel, bool cleared, size_t (*results)(size_t),
         void (*expect)(const std::vector<uint32_t>& in, std::vector<uint32_t>& out)) {
  Register(std::string("atomics/") + name, [=](Scale scale) {
    const size_t n = scale == Scale::kFull ? 1 << 18 : 1 << 12;
    auto w = std::make_unique<Workload>();
    w->work = "256 Ki uints";
    w->source = kSource;
    const auto data = random_bits(n);
    const auto in = w->input(data);
    const auto out = w->result<uint32_t>(results(n));
    if (cleared)
      w->launch("clear", {results(n)}, {}, out);
    w->launch(kernel, {n}, {256}, out, in);
    w->verify = [=, &w = *w] {
      std::vector<uint32_t> expected(results(n));
      expect(data, expected);
      return equal(w.view<uint32_t>(out), expected);
    };
    return w;
  });
}

const bool registered = [] {
  add(
      "one_counter", "count", true, [](size_t) { return size_t{1}; },
      [](const auto& in, auto& out) {
        for (const auto v : in)
          out[0] += v & 1;
      });
  add(
      "spread", "spread", true, [](size_t n) { return n; },
      [](const auto& in, auto& out) {
        for (size_t i = 0; i != in.size(); ++i)
          out[i] = in[i] ^ 0x5555u;
      });
  add(
      "local_max", "most", false, [](size_t n) { return n / 256; },
      [](const auto& in, auto& out) {
        for (size_t i = 0; i != in.size(); ++i)
          out[i / 256] = std::max(out[i / 256], in[i]);
      });
  return true;
}();

} // namespace
} // namespace heddle::bench
