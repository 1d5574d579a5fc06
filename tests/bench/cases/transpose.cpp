// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Through a tile of 16 x 16 (one column of padding) in local memory.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

const Register entry("transpose", [](Scale scale) {
  const size_t size = scale == Scale::kFull ? 1024 : 64;
  auto w = std::make_unique<Workload>();
  w->work = "1024 x 1024 floats";
  w->source = R"(
    kernel __attribute__((reqd_work_group_size(16, 16, 1)))
    void transpose(global float* out, global const float* in, int size) {
      local float tile[16][17];
      int lx = get_local_id(0), ly = get_local_id(1);
      int bx = get_group_id(0) * 16, by = get_group_id(1) * 16;
      tile[ly][lx] = in[(by + ly) * size + bx + lx];
      barrier(CLK_LOCAL_MEM_FENCE);
      out[(bx + ly) * size + by + lx] = tile[lx][ly];
    })";
  const auto data = random_values<float>(size * size, 0, 1);
  const auto in = w->input(data);
  const auto out = w->result<float>(size * size);
  w->launch("transpose", {size, size}, {16, 16}, out, in, static_cast<int32_t>(size));
  w->verify = [=, &w = *w] {
    std::vector<float> expected(size * size);
    for (size_t y = 0; y != size; ++y)
      for (size_t x = 0; x != size; ++x)
        expected[x * size + y] = data[y * size + x];
    return equal(w.view<float>(out), expected);
  };
  return w;
});

} // namespace
} // namespace heddle::bench
