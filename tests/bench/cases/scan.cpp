// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inclusive prefix sums of each group of 256, in local memory: Hillis and Steele's (log n steps
// over two halves), and Blelloch's (up and down a tree, two elements per work-item).
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

const char* const kHillisSteele = R"(
  kernel __attribute__((reqd_work_group_size(256, 1, 1)))
  void scan(global float* out, global const float* in) {
    local float t[2][256];
    uint l = get_local_id(0), from = 0;
    t[0][l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < 256; d *= 2) {
      float v = t[from][l];
      if (l >= d)
        v += t[from][l - d];
      from = 1 - from;
      t[from][l] = v;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = t[from][l];
  })";

const char* const kBlelloch = R"(
  kernel __attribute__((reqd_work_group_size(128, 1, 1)))
  void scan(global float* out, global const float* in) {
    local float t[256];
    uint l = get_local_id(0), base = get_group_id(0) * 256, stride = 1;
    float a = in[base + 2 * l], b = in[base + 2 * l + 1];
    t[2 * l] = a;
    t[2 * l + 1] = b;
    for (uint d = 128; d > 0; d >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l < d)
        t[stride * (2 * l + 2) - 1] += t[stride * (2 * l + 1) - 1];
      stride *= 2;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
      t[255] = 0;
    for (uint d = 1; d < 256; d *= 2) {
      stride >>= 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l < d) {
        uint i = stride * (2 * l + 1) - 1, j = stride * (2 * l + 2) - 1;
        float v = t[i];
        t[i] = t[j];
        t[j] += v;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + 2 * l] = t[2 * l] + a;
    out[base + 2 * l + 1] = t[2 * l + 1] + b;
  })";

std::unique_ptr<Workload> make(Scale scale, const char* source, size_t each) {
  const size_t n = scale == Scale::kFull ? 1 << 20 : 1 << 12;
  auto w = std::make_unique<Workload>();
  w->work = "1 Mi floats, each 256";
  w->source = source;
  const auto data = random_values<float>(n, 0, 1);
  const auto in = w->input(data);
  const auto out = w->result<float>(n);
  w->launch("scan", {n / each}, {256 / each}, out, in);
  w->verify = [=, &w = *w] {
    std::vector<double> expected(n);
    for (size_t i = 0; i != n; ++i)
      expected[i] = data[i] + (i % 256 ? expected[i - 1] : 0.0);
    return close(w.view<float>(out), expected, 1e-5);
  };
  return w;
}

const Register hillis_steele("scan_hillis_steele",
                             [](Scale scale) { return make(scale, kHillisSteele, 1); });
const Register blelloch("scan_blelloch", [](Scale scale) { return make(scale, kBlelloch, 2); });

} // namespace
} // namespace heddle::bench
