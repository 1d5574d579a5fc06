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

// A private buffer that is filled at a place of each work-item's own, and mixed where it is full.
std::string functions_of_memory() {
  return "struct state { ulong sum[4]; uint used; uchar buffer[24]; };\n"
         "constant ulong table[4] = {3, 5, 7, 11};\n"
         "void mix(struct state* s) {\n"
         "  ulong a = s->sum[0], b = s->sum[1];\n" +
         repeated("  a ^= a << 3; b += a >> 5; if (b & 64) a += table[b & 3]; a -= b;\n", 15) +
         "  for (uint i = 0; i < s->used; ++i) b = b * 31 + s->buffer[i];\n"
         "  s->sum[0] = a; s->sum[1] = b; s->sum[a & 3] += b; s->used = 0;\n"
         "}\n"
         "bool add(struct state* s, float x, bool twice, global const float* in, int last) {\n"
         "  for (uint k = 0; k < (twice ? 2u : 1u); ++k) {\n"
         "    if (s->used + 4 > sizeof(s->buffer)) mix(s);\n"
         "    *(float*)(s->buffer + s->used) = x; s->used += 4;\n"
         "    x += in[min((int)get_global_id(0), last)];\n"
         "  }\n" +
         repeated("  if (x > 2) x -= (s->sum[1] & 7) * 0.5f; else x += 0.25f;\n", 30) +
         "  s->sum[2] += x > 0; return x > 1;\n"
         "}\n"
         "float4 turned(struct state* s, float4 v, global const float* in) {\n" +
         repeated("  v = v.yzwx * 0.5f + in[s->sum[0] & 15]; if (v.x > 3) v.z = s->used;\n", 20) +
         "  return v;\n"
         "}\n";
}

TEST(VectorForms, FunctionsOfMemory) {
  const auto step =
      "{ struct state s = {{k, 1, 2, 3}, 0, {0}}; float4 v = {x, y, k, 1};\n"
      "  bool b = k & 1;\n"
      "  for (int m = 0; m < 3 + (k & 3); ++m) b = add(&s, v.x + m, b, in, n);\n"
      "  v = turned(&s, v, in); if (b) add(&s, v.y, true, in, 5);\n"
      "  k = s.sum[0] + s.sum[1] * 3 + s.sum[2] + s.used; k &= 1023; x += v.x; y += v.z; }\n";
  expect_same(functions_of_memory(), step, kGuards[1]);
}

// Lanes that call a function in turn: what one has written is where it belongs.
TEST(VectorForms, PrivateArraysOfCallers) {
  const auto functions =
      "void swap_all(int* a, int* b, uint n, int k) {\n"
      "  for (uint i = 0; i < n; ++i) { int t = a[i]; a[i] = b[n - 1 - i] + k; b[n - 1 - i] = t; "
      "}\n" +
      repeated("  if (a[k & 7] > b[n & 7]) a[n & 7] += k; else b[k & 7] ^= a[1];\n", 20) + "}\n";
  const auto step =
      "{ int a[8], b[8]; for (int m = 0; m < 8; ++m) { a[m] = k + m; b[m] = k * m; }\n"
      "  swap_all(k & 1 ? a : b, k & 1 ? b : a, 5 + (k & 3), k); swap_all(a, b, 8, n);\n"
      "  k = 0; for (int m = 0; m < 8; ++m) k = (k * 5 + a[m] - b[m]) & 1023; }\n";
  for (const auto* guard : {kGuards[0], kGuards[2]})
    expect_same(functions, step, guard);
}

} // namespace
} // namespace heddle::test
