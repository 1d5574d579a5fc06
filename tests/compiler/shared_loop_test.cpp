// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose iterations the work-items of a group share: the full iterations of sub-groups and the
// remainder must give the results of scalar execution.
#include "tests/compiler/kernel_runner.h"

#include <gtest/gtest.h>

#include <ostream>

namespace heddle::test {
namespace {

// `in` has 4096 elements; `l` and `ls` are the local id and size; the result is stored to `s`.
struct SharedLoop {
  const char* name;
  const char* code;
};
void PrintTo(const SharedLoop& loop, std::ostream* out) { *out << loop.name; }

const SharedLoop kLoops[] = {
    {"Constant", "for (uint i = l; i < 1000; i += ls) s += in[i];"},
    {"PowerOfTwo", "for (uint i = l; i < 512; i += ls) { s += in[i + 3]; seen[i] = i; }"},
    {"PowerOfTwoSigned", "for (int i = l; i < 512; i += ls) { s += in[i + 3]; seen[i] = i; }"},
    {"Unsigned", "for (uint i = l; i < n; i += ls) { s += in[i + 1]; seen[i] = s; }"},
    {"Signed", "for (int i = l; i < (int)n; i += ls) { s += in[i + 1]; seen[i] = s; }"},
    {"SignedFromBelow", "for (int i = (int)l - 40; i < (int)n; i += ls) s += in[i + 40] ^ i;"},
    {"SignedNegativeLimit", "for (int i = (int)l - 90; i < -(int)n; i += ls) s += in[i + 90];"},
    {"Inclusive", "for (uint i = l; i <= n; i += ls) s += in[i];"},
    {"SignedInclusive", "for (int i = l; i <= (int)n - 3; i += ls) s += in[i];"},
    {"Reversed", "uint i = l; while (!(n <= i)) { s += in[i]; i += ls; }"},
    {"Size", "for (size_t i = l; i < n; i += ls) { s += in[i]; seen[i] = s; }"},
    {"Global", "for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) s += in[i];"},
    {"GlobalNarrow", "for (int i = get_global_id(0); i < n; i += get_global_size(0)) s += in[i];"},
    {"ConstantStep", "for (uint i = l; i < n; i += 24) s += in[i];"},
    {"Strided", "for (uint i = 3 * l; i < n; i += 3 * ls) s += in[i];"},
    {"WrapsAroundZero", "for (uint i = l - 8u; i < 100; i += ls) s += in[i];"},
    {"WrapsAroundZeroLong", "for (size_t i = (size_t)l - 8; i < n; i += ls) s += in[i];"},
    {"UpToTheEnd", "for (uint i = ~0u - 4000 + l; i < ~0u - 200; i += ls) s += in[i + 4001];"},
    {"AtLeastOnce", "uint i = l; do { s += in[i]; i += ls; } while (i < n);"},
    {"IndexAfterwards", "uint i = l; for (; i < n; i += ls) s += in[i]; s = s * 31 + i;"},
    {"Pointer", "global const int* p = in + l;"
                "for (uint i = l; i < n; i += ls, p += ls) s = s * 3 + *p;"},
    {"TwoIndices", "uint j = 2 * l + 1; for (uint i = l; i < n; i += ls, j += 2) s += in[i] * j;"},
    {"Break", "for (uint i = l; i < n; i += ls) { if (in[i] % 97 == 5) break; s += in[i]; }"},
    {"Continue", "for (uint i = l; i < n; i += ls) { if (in[i] & 1) continue; s += in[i]; }"},
    {"Inner", "for (uint i = l; i < n; i += ls) for (uint j = 0; j < 3; ++j) s += in[i + j] * j;"},
    {"InnerShared", "for (uint i = l; i < n; i += ls) for (uint j = l; j < i % 50; j += 7)"
                    "  s += in[j] + i;"},
    {"Outer", "for (uint t = 0; t < 5; ++t) for (uint i = l; i < n; i += ls) s += in[i + t] * t;"},
    {"Condition", "if (in[l] & 4) for (uint i = l; i < n; i += ls) s += in[i];"},
    {"LimitInLoop", "for (uint i = l; i < 40 + (in[s & 1023] & 1); i += ls) s += in[i] & 0xffff;"},
    {"SharedLimit", "for (uint i = l; i < in[5] % 700u + n; i += ls) { s += in[i]; seen[i] = i; }"},
    {"Plane", "for (uint y = get_local_id(1); y < 20; y += get_local_size(1))"
              "  for (uint x = l; x < n % 70; x += ls) s += in[y * 72 + x + 1] * y;"},
    {"Tile", "local int tile[1100]; for (uint i = l; i < n + 8; i += ls) tile[i] = in[i];"
             "barrier(CLK_LOCAL_MEM_FENCE);"
             "for (uint i = l; i < n; i += ls) { s += tile[i] - tile[i + 8]; seen[i] = tile[i]; }"},
    {"Short", "for (ushort i = l; i < 300; i += ls) s += in[i];"},
    // Loops whose iterations the first sub-group may run for all, and loops whose it may not.
    {"ReadsOwn", "seen[2000 + l] = l * 5;"
                 "for (uint i = l; i < ls; i += ls) seen[i] = seen[2000 + i];"},
    {"OverwritesRead", "s = seen[l]; for (uint i = l; i < n; i += ls) seen[i] = in[i];"},
    {"OneAfterAnother", "for (uint i = l; i < n; i += ls) seen[i] = in[i];"
                        "for (uint i = l; i < n; i += ls) seen[i + 2048] = seen[i] + 1;"},
    {"OverAndOver", "for (int t = 0; t < 4; ++t) for (uint i = l; i < n; i += ls)"
                    "  seen[i] = seen[i] * 3 + in[i] + t;"},
    {"ReadAfterwards", "for (uint i = l; i < n; i += ls) seen[i] = in[i] * 2;"
                       "for (uint i = l; i < n; i += ls) s += seen[i];"},
    {"BehindOwnRounds", "for (uint i = l; i < n; i += ls) { seen[i] = s; s += in[i]; }"
                        "for (uint i = l; i < n; i += ls) seen[i + 2048] = seen[i] ^ 7;"},
    {"Tiles", "local int tile[1100];"
              "for (int t = 0; t < 3; ++t) {"
              "  for (int i = l; i < n; i += ls) tile[i] = in[i + t];"
              "  barrier(CLK_LOCAL_MEM_FENCE);"
              "  s = s * 5 + (n != 0 ? tile[(l * 7) % n] : 1);"
              "  barrier(CLK_LOCAL_MEM_FENCE);"
              "}"},
    {"GroupOf64", "for (uint i = l; i < n; i += 64) seen[i] = in[i];"},
    {"UniformCondition", "if (n & 1) for (size_t i = l; i < n; i += ls) seen[i] = in[i];"},
    {"OwnCondition", "if (in[l] & 1) for (uint i = l; i < n; i += ls) seen[i] = in[i];"},
    {"OwnNumber", "int c = in[l]; for (uint i = l; i < n; i += ls) seen[i] = in[i] + c;"},
    {"AfterReturn", "out[get_global_linear_id()] = 0; if (l == 3) return;"
                    "for (uint i = l; i < n; i += ls) seen[i] = in[i];"},
    {"FewerAndFewer", "for (int t = 0; t < 4; ++t) for (uint i = l; i < n >> t; i += ls)"
                      "  seen[i] = seen[i] * 2 + t;"},
    {"Rows", "global int* row = seen + get_local_id(1) * 1024;"
             "for (int i = l; i <= (int)n; i += ls) row[i] = in[i + get_local_id(1)];"
             "s = row[l];"},
    {"InnerLoop", "for (uint i = l; i < n; i += ls) {"
                  "  int t = 0; for (uint j = 0; j < i % 5; ++j) t = t * 3 + in[i + j];"
                  "  seen[i] = t; }"},
    {"NarrowedGlobal", "int g = get_global_id(0);"
                       "for (int i = l; i < n; i += ls) seen[i] = in[i + (g - (int)l) % 5];"},
    {"Float", "float f = 0; for (uint i = l; i < n; i += ls) f += (float)(in[i] & 15); s = f;"},
};

class SharedLoops : public testing::TestWithParam<SharedLoop> {};

TEST_P(SharedLoops, AsOneWorkItemAtATime) {
  const std::string source = std::string(R"(
    #ifdef ALONE
    __attribute__((intel_reqd_sub_group_size(1)))
    #endif
    kernel void k(global const int* in, global int* out, global int* seen, uint n) {
      const uint l = get_local_id(0), ls = get_local_size(0);
      int s = 0;
      )") + GetParam().code + R"(
      out[get_global_linear_id()] = s;
    })";
  Program vectors({source, {"-cl-std=CL3.0"}});
  Program items({source, {"-cl-std=CL3.0", "-DALONE"}});
  std::vector<int> in(4096);
  unsigned number = 1;
  for (auto& element : in)
    element = static_cast<int>((number = number * 1103515245U + 12345U) >> 8);
  for (const std::array<std::uint64_t, 3> local :
       {std::array<std::uint64_t, 3>{64, 1, 1}, {37, 1, 1}, {32, 4, 1}, {5, 3, 1}})
    for (const std::uint32_t n : {0U, 1U, 15U, 16U, 17U, 100U, 1000U}) {
      const Range range{{local[0] * 2, local[1], 1}, local};
      const auto run = [&](Program& program) {
        std::vector<int> out(range.global[0] * range.global[1], -1), seen(4096, -1);
        program.run("k", range,
                    {bytes(in.data()), bytes(out.data()), bytes(seen.data()), bytes(n)});
        out.insert(out.end(), seen.begin(), seen.end());
        return out;
      };
      // Rows of a group write the same elements of `seen`, in different orders.
      auto found = run(vectors), expected = run(items);
      if (local[1] != 1) {
        found.resize(range.global[0] * range.global[1]);
        expected.resize(found.size());
      }
      ASSERT_EQ(found, expected) << n << " for groups of " << local[0] << " x " << local[1];
    }
}

INSTANTIATE_TEST_SUITE_P(All, SharedLoops, testing::ValuesIn(kLoops),
                         [](const auto& info) { return std::string(info.param.name); });

} // namespace
} // namespace heddle::test
