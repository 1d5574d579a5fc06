// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small groups of kernels that compute their places from group and local ids, as generators of
// kernels write them: a product with a block of 4 x 4 for each work-item, sums of rows, and tiles
// whose rows are narrower than a register.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

void add_product(size_t local) {
  Register("small_groups/product_" + std::to_string(local), [=](Scale scale) {
    const int n = scale == Scale::kFull ? 512 : 64;
    auto w = std::make_unique<Workload>();
    w->is_about_groups = true;
    w->work = std::to_string(n) + " x " + std::to_string(n) + ", 4 x 4 a work-item";
    w->source = "#define SIZE " + std::to_string(local) + R"(
      kernel void product(global float* out, global const float* a, global const float* b, int n) {
        int x = ((int)get_group_id(0) * SIZE + (int)get_local_id(0)) << 2;
        int y = (int)get_group_id(1) << 2;
        float4 s = 0, t = 0, u = 0, v = 0;
        for (int k = 0; k < n; ++k) {
          float4 row = *(global const float4*)(b + k * n + x);
          s += a[y * n + k] * row;
          t += a[(y + 1) * n + k] * row;
          u += a[(y + 2) * n + k] * row;
          v += a[(y + 3) * n + k] * row;
        }
        *(global float4*)(out + y * n + x) = s;
        *(global float4*)(out + (y + 1) * n + x) = t;
        *(global float4*)(out + (y + 2) * n + x) = u;
        *(global float4*)(out + (y + 3) * n + x) = v;
      })";
    const auto size = static_cast<size_t>(n);
    const auto a = random_values<float>(size * size, 0, 1),
               b = random_values<float>(size * size, 1, 2);
    const auto out = w->result<float>(size * size);
    w->launch("product", {size / 4, size / 4}, {local, 1}, out, w->input(a), w->input(b),
              static_cast<int32_t>(n));
    w->verify = [=, &w = *w] {
      const auto got = w.view<float>(out);
      for (size_t i = 0; i < got.size(); i += 101) {
        float expected = 0;
        for (size_t k = 0; k < size; ++k)
          expected += a[i / size * size + k] * b[k * size + i % size];
        if (!(std::abs(got[i] - expected) <= 1e-3f * std::abs(expected) + 1e-2f))
          return "element " + std::to_string(i) + " is " + std::to_string(got[i]) + ", not " +
                 std::to_string(expected);
      }
      return std::string();
    };
    return w;
  });
}

void add_tiles(size_t width, size_t height) {
  Register("small_groups/tiles_" + std::to_string(width) + "x" + std::to_string(height),
           [=](Scale scale) {
             const size_t tiles = scale == Scale::kFull ? 16384 : 64;
             auto w = std::make_unique<Workload>();
             w->is_about_groups = true;
             w->work = std::to_string(tiles) + " tiles, one after the other";
             w->source = R"(
      kernel void tiles(global float* out, global const float* in) {
        int width = get_local_size(0), x = get_local_id(0);
        int row = get_group_id(0) * get_local_size(1) + get_local_id(1);
        out[row * width * 2 + x] = in[row * width * 2 + x] + in[row * width * 2 + x + width];
      })";
             const size_t rows = tiles * height;
             const auto in = random_values<float>(rows * width * 2, 0, 1);
             const auto out = w->result<float>(in.size());
             w->launch("tiles", {tiles * width, height}, {width, height}, out, w->input(in));
             w->verify = [=, &w = *w] {
               const auto got = w.view<float>(out);
               for (size_t i = 0; i < rows * width; ++i) {
                 const size_t at = i / width * width * 2 + i % width;
                 if (got[at] != in[at] + in[at + width])
                   return "element " + std::to_string(at) + " is " + std::to_string(got[at]);
               }
               return std::string();
             };
             return w;
           });
}

const bool kAdded = [] {
  add_product(1);
  add_product(8);
  add_product(16);
  add_tiles(4, 16);
  add_tiles(8, 16);
  return true;
}();

} // namespace
} // namespace heddle::bench
