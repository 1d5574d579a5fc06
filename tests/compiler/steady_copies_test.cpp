// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Async copies in loops (OpenCL C 6.15.11).
#include "tests/compiler/kernel_runner.h"

#include <gtest/gtest.h>

#include <numeric>

namespace heddle::test {
namespace {

constexpr int kItems = 64, kRounds = 6, kStep = 1024;

// The sum, for each iteration, of the elements that a work-item reads from its tile, of which the
// first `count` ints were copied.
std::vector<int> expected_sums(const std::vector<int>& in, int count) {
  std::vector<int> sums(kItems);
  for (int item = 0; item < kItems; ++item)
    for (int round = 0; round < kRounds; ++round)
      for (int at = item; at < count; at += kItems)
        sums[item] += in[round * kStep + at] * (at + 1);
  return sums;
}

// The two calls are merged into one whose size is unknown at compile time.
TEST(SteadyCopies, OfTwoSizesAtTheEndsOfABranch) {
  for (const auto& [first, second] :
       {std::pair{1024, 2048}, std::pair{64, 128}, std::pair{64, 2048}}) {
    Program program(
        {R"(kernel void sums(global const int* in, global int* out, local int* tile, int n, int which) {
      int sum = 0;
      for (int t = 0; t < n; ++t) {
        event_t e;
        if (which)
          e = async_work_group_copy(tile, in + t * 1024, FIRST, 0);
        else
          e = async_work_group_copy(tile, in + t * 1024, SECOND, 0);
        wait_group_events(1, &e);
        for (int at = get_local_id(0); at < (which ? FIRST : SECOND); at += get_local_size(0))
          sum += tile[at] * (at + 1);
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[get_local_id(0)] = sum;
    })",
         {"-cl-std=CL3.0", "-DFIRST=" + std::to_string(first),
          "-DSECOND=" + std::to_string(second)}});
    std::vector<int> in(kStep * (kRounds + 1)), out(kItems);
    std::iota(in.begin(), in.end(), 1);
    for (const int which : {0, 1}) {
      program.run("sums", {{kItems, 1, 1}, {kItems, 1, 1}},
                  {bytes(in.data()), bytes(out.data()), local(8192), bytes(kRounds), bytes(which)});
      EXPECT_EQ(out, expected_sums(in, which != 0 ? first : second)) << first << ' ' << second;
    }
  }
}

// Copy loops, of which the longer ones prefetch their own source.
TEST(SteadyCopies, OfManyLines) {
  for (const int count : {300, 1024, 1030, 2048, 2050, 3000, 5000, 6144}) {
    Program program(
        {R"(kernel void sums(global const int* in, global int* out, local int* tile, int n) {
      int sum = 0;
      for (int t = 0; t < n; ++t) {
        event_t e = async_work_group_copy(tile, in + t * 1024, COUNT, 0);
        wait_group_events(1, &e);
        for (int at = get_local_id(0); at < COUNT; at += get_local_size(0))
          sum += tile[at] * (at + 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[get_local_id(0)] = -1;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[get_local_id(0)] = sum;
    })",
         {"-cl-std=CL3.0", "-DCOUNT=" + std::to_string(count)}});
    std::vector<int> in(kStep * kRounds + count), out(kItems);
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = int(i % 97);
    program.run("sums", {{kItems, 1, 1}, {kItems, 1, 1}},
                {bytes(in.data()), bytes(out.data()), local(size_t(count) * 4), bytes(kRounds)});
    EXPECT_EQ(out, expected_sums(in, count)) << count;
  }
}

} // namespace
} // namespace heddle::test
