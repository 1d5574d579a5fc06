// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that are too much code to be inlined, and are called once for all lanes, compute the
// same as where they are inlined.
#include "tests/compiler/kernel_runner.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

namespace heddle::test {
namespace {

std::string repeated(const std::string& text, unsigned times) {
  std::string all;
  for (unsigned i = 0; i < times; ++i)
    all += text;
  return all;
}

const Range kRanges[] = {
    {{1000, 1, 1}, {64, 1, 1}}, {{96, 8, 1}, {32, 8, 1}}, {{30, 6, 1}, {5, 3, 1}}};

// `few` has its calls in a loop, and `many` one after the other.
void expect_same(const std::string& functions, const std::string& step, const std::string& guard) {
  constexpr unsigned kSteps = 12;
  const auto kernel = [&](const char* name, const std::string& steps) {
    return std::string("kernel void ") + name +
           "(global float* out, global const float* in, int n) {\n"
           "  size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
           "  float x = in[i], y = in[i] * 0.25f + get_global_id(1);\n  int k = i;\n" +
           guard + " {\n" + steps + "  }\n  out[i] = x + y + k;\n}\n";
  };
  Program program({functions + kernel("few", "for (int j = 0; j < n; ++j) {" + step + "}\n") +
                   kernel("many", repeated(step, kSteps))});
  for (const auto& range : kRanges) {
    const auto items = range.global[0] * range.global[1];
    std::vector<float> in(items), few(items), many(items);
    std::iota(in.begin(), in.end(), -7.5F);
    for (auto& value : in)
      value *= 0.125F;
    const auto run = [&](const char* name, std::vector<float>& out) {
      program.run(name, range,
                  {bytes(out.data()), bytes(in.data()), bytes(static_cast<int>(kSteps))});
    };
    run("few", few);
    run("many", many);
    for (std::size_t i = 0; i < items; ++i)
      ASSERT_EQ(std::memcmp(&few[i], &many[i], sizeof(float)), 0)
          << i << ": " << few[i] << " " << many[i];
  }
}

constexpr const char* kGuards[] = {"", "if (x > 1 || k % 3 == 0)",
                                   "for (int m = i & 7; m > 5 && x < 2; --m)"};

TEST(VectorForms, MathFunctions) {
  for (const auto* guard : kGuards)
    expect_same("",
                "x = exp(-x * 0.5f); y = log(fabs(y) + 1.5f); x = pow(fabs(x) + 0.1f, y);\n"
                "y = atan2(y, x) + cbrt(x); x += sin(y * 9) + erf(x); y = fmod(y, x + 0.5f);\n",
                guard);
}

// Divisors are zero in some lanes.
TEST(VectorForms, FunctionsOfThePrograms) {
  const auto functions =
      "constant int table[4] = {3, 5, 7, 11};\n"
      "uint mixed(uint a, uint b) {\n" +
      repeated("a ^= a << 3; b += a >> 5; if (b & 64) a += table[b & 3]; else b /= a; a -= b;\n",
               40) +
      "  return a ^ b; }\n"
      "float halved(float x, uint k) {\n"
      "  while (x > 1.0f && x != 64.0f) x *= 0.5f;\n" +
      repeated("  x = x * x - 0.7f; if (x > 1.5f) x -= (int)(k & 3);\n", 120) + "  return x; }\n";
  for (const auto* guard : kGuards)
    expect_same(functions, "k = mixed(k, (int)x); x = halved(x + y, k);\n", guard);
}

} // namespace
} // namespace heddle::test
