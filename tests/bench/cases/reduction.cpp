// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tree of barriers in local memory; each group of 256 gives one sum.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

const Register entry("reduction", [](Scale scale) {
  const size_t n = scale == Scale::kFull ? 1 << 20 : 1 << 12, group = 256;
  auto w = std::make_unique<Workload>();
  w->work = "1 Mi floats, groups of 256";
  w->source = R"(
    kernel void reduce(global float* sums, global const float* in, local float* scratch) {
      size_t l = get_local_id(0);
      scratch[l] = in[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (size_t s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (l < s)
          scratch[l] += scratch[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      if (l == 0)
        sums[get_group_id(0)] = scratch[0];
    })";
  const auto data = random_values<float>(n, 0, 1);
  const auto in = w->input(data);
  const auto sums = w->result<float>(n / group);
  w->launch("reduce", {n}, {group}, sums, in, LocalMemory{group * sizeof(float)});
  w->verify = [=, &w = *w] {
    std::vector<double> expected(n / group);
    for (size_t i = 0; i != n; ++i)
      expected[i / group] += data[i];
    return close(w.view<float>(sums), expected, 1e-5);
  };
  return w;
});

} // namespace
} // namespace heddle::bench
