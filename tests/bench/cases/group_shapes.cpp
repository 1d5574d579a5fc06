// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same arithmetic in groups of different shapes: narrow ones should also fill the lanes.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

constexpr int kSteps = 200;

float stepped(float x, float y) {
  for (int i = 0; i < kSteps; ++i) {
    const float t = x * 0.75f + y * 0.25f;
    y = y * 0.5f - x * 0.125f;
    x = t + 0.5f;
  }
  return x + y;
}

void add(const std::string& name, const std::vector<size_t>& local) {
  Register("group_shapes/" + name, [=](Scale scale) {
    // A multiple of all shapes.
    const size_t width = scale == Scale::kFull ? 960 : 64 * 3 * 5;
    const size_t height = scale == Scale::kFull ? 960 : 64 * 3;
    auto w = std::make_unique<Workload>();
    w->is_about_groups = true;
    w->work = std::to_string(width) + " x " + std::to_string(height) + " chains of " +
              std::to_string(kSteps) + " steps";
    w->source = "#define STEPS " + std::to_string(kSteps) + R"(
      kernel void chains(global float* out, float scale) {
        size_t px = get_global_id(0), py = get_global_id(1);
        float x = px * scale, y = py * scale;
        for (int i = 0; i < STEPS; ++i) {
          float t = x * 0.75f + y * 0.25f;
          y = y * 0.5f - x * 0.125f;
          x = t + 0.5f;
        }
        out[py * get_global_size(0) + px] = x + y;
      })";
    const auto out = w->result<float>(width * height);
    const float factor = 1.0f / static_cast<float>(width);
    w->launch("chains", {width, height}, local, out, factor);
    w->verify = [=, &w = *w] {
      const auto got = w.view<float>(out);
      for (size_t i = 0; i < got.size(); i += 97) {
        const size_t x = i % width, y = i / width;
        const float expected =
            stepped(static_cast<float>(x) * factor, static_cast<float>(y) * factor);
        if (!(std::abs(got[i] - expected) <= 1e-3f * std::abs(expected) + 1e-3f))
          return "element " + std::to_string(i) + " is " + std::to_string(got[i]) + ", not " +
                 std::to_string(expected);
      }
      return std::string();
    };
    return w;
  });
}

const bool kAdded = [] {
  add("64x1", {64, 1});
  add("16x1", {16, 1});
  add("8x8", {8, 8});
  add("1x64", {1, 64});
  add("5x3", {5, 3});
  add("3x1", {3, 1});
  add("any", {});
  return true;
}();

} // namespace
} // namespace heddle::bench
