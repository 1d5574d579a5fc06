// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A * B, row-major, one work-item per element: naive, with a bounds check, and with tiles of 16
// x 16 in local memory.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

const char* const kNaive = R"(
  kernel void sgemm(global float* c, global const float* a, global const float* b, int n) {
    int col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; ++k)
      sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
  })";

const char* const kTiled = R"(
  #define TILE 16
  kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
  void sgemm(global float* c, global const float* a, global const float* b, int n) {
    local float ta[TILE][TILE], tb[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1);
    int col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
      ta[y][x] = a[row * n + t + x];
      tb[y][x] = b[(t + y) * n + col];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int k = 0; k < TILE; ++k)
        sum += ta[y][k] * tb[k][x];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + col] = sum;
  })";

const char* const kChecked = R"(
  kernel void sgemm(global float* c, global const float* a, global const float* b, int n) {
    int col = get_global_id(0), row = get_global_id(1);
    if (row >= n || col >= n)
      return;
    float sum = 0;
    for (int k = 0; k < n; ++k)
      sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
  })";

std::unique_ptr<Workload> make(size_t n, const char* source) {
  auto w = std::make_unique<Workload>();
  w->work = std::to_string(n) + " x " + std::to_string(n) + " floats";
  w->source = source;
  const auto as = random_values<float>(n * n, -1, 1), bs = random_values<float>(n * n, -1, 1, 2);
  const auto a = w->input(as), b = w->input(bs);
  const auto c = w->result<float>(n * n);
  const size_t whole = (n + 15) / 16 * 16; // groups
  w->launch("sgemm", {whole, whole}, {16, 16}, c, a, b, static_cast<int32_t>(n));
  w->verify = [=, &w = *w] {
    std::vector<float> expected(n * n);
    for (size_t i = 0; i != n; ++i)
      for (size_t k = 0; k != n; ++k)
        for (size_t j = 0; j != n; ++j)
          expected[i * n + j] += as[i * n + k] * bs[k * n + j];
    return close(w.view<float>(c), expected, 1e-4, 1e-4);
  };
  return w;
}

size_t side(Scale scale) { return scale == Scale::kFull ? 384 : 64; }

const Register naive("sgemm_naive", [](Scale scale) { return make(side(scale), kNaive); });
const Register tiled("sgemm_tiled", [](Scale scale) { return make(side(scale), kTiled); });
const Register checked("bounds_checks/sgemm",
                       [](Scale scale) { return make(side(scale) + 6, kChecked); });

} // namespace
} // namespace heddle::bench
