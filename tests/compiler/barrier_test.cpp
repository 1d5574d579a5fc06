// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with barriers (OpenCL C 6.15.8).
#include "tests/compiler/kernel_runner.h"

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

TEST(Barrier, ReductionInALoop) {
  Program program({R"(kernel void sum(global const int* in, global int* out, local int* tile) {
    uint l = get_local_id(0);
    tile[l] = in[get_global_id(0)];
    for (uint n = get_local_size(0) / 2; n > 0; n /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l < n) tile[l] += tile[l + n];
    }
    if (l == 0) out[get_group_id(0)] = tile[0];
  })"});
  EXPECT_TRUE(program.metadata("sum").has_barrier);
  std::vector<int> in(1024, 3), out(16);
  program.run("sum", {{1024, 1, 1}, {64, 1, 1}}, {bytes(in.data()), bytes(out.data()), local(256)});
  for (const int value : out)
    EXPECT_EQ(value, 192);
}

// Groups of one row of full sub-groups have their own variant of the regions; all sizes must agree.
TEST(Barrier, LoopsInGroupsOfEveryShape) {
  Program program(
      {R"(kernel void rounds(global int* a, global const int* in, local int* t, local int* c, int n) {
    int i = get_local_linear_id(), items = get_local_size(0) * get_local_size(1) * get_local_size(2);
    int group = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
    int v = a[group * items + i];
    for (int r = 0; r < n; ++r) {
      event_t e = async_work_group_copy(c, in + r * 8, 8, 0);
      wait_group_events(1, &e);
      t[i] = v;
      barrier(CLK_LOCAL_MEM_FENCE);
      v = t[(i + 1) % items] * 3 + c[i % 8];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[group * items + i] = v;
  })",
       {"-cl-std=CL3.0"}});
  constexpr int kRounds = 5, kGroups = 8;
  std::vector<int> in(8 * kRounds);
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<int>(i * i);
  using Shape = std::array<std::uint64_t, 3>;
  for (const auto& local_size :
       {Shape{64, 1, 1}, Shape{128, 1, 1}, Shape{32, 1, 1}, Shape{33, 1, 1}, Shape{7, 1, 1},
        Shape{1, 1, 1}, Shape{32, 3, 1}, Shape{64, 1, 2}, Shape{5, 3, 2}, Shape{1, 64, 1},
        Shape{40, 2, 1}}) {
    const auto items = local_size[0] * local_size[1] * local_size[2];
    std::vector<int> a(items * kGroups);
    for (std::size_t i = 0; i < a.size(); ++i)
      a[i] = static_cast<int>(i);
    auto expected = a;
    for (int r = 0; r < kRounds; ++r)
      for (std::size_t group = 0; group < kGroups; ++group) {
        const std::vector<int> before(&expected[group * items], &expected[group * items] + items);
        for (std::size_t i = 0; i < items; ++i)
          expected[group * items + i] =
              before[(i + 1) % items] * 3 + in[static_cast<std::size_t>(r) * 8 + i % 8];
      }
    const int n = kRounds;
    program.run("rounds", {{local_size[0] * 2, local_size[1] * 2, local_size[2] * 2}, local_size},
                {bytes(a.data()), bytes(in.data()), local(items * 4), local(32), bytes(n)});
    EXPECT_EQ(a, expected) << local_size[0] << 'x' << local_size[1] << 'x' << local_size[2];
  }
}

TEST(Barrier, InCalledFunctionsAndTwoDimensions) {
  Program program({R"(
  void sync(void) { barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); }
  void swap(local int (*tile)[4], int x, int y) { sync(); int v = tile[x][y]; sync(); tile[y][x] = v; sync(); }
  kernel void transpose(global int* a) {
    local int tile[4][4];
    int x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = a[y * 4 + x];
    swap(tile, x, y);
    a[y * 4 + x] = tile[y][x] * 10 + (int)get_local_id(2);
  })"});
  int a[16];
  for (int i = 0; i < 16; ++i)
    a[i] = i;
  program.run("transpose", {{4, 4, 1}, {4, 4, 1}}, {bytes(&a[0])});
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x)
      EXPECT_EQ(a[y * 4 + x], (x * 4 + y) * 10);
}

// After a barrier an item reads what others wrote through the same restrict pointer.
TEST(Barrier, RestrictPointersAreReadAgain) {
  Program program({R"(kernel void rotate_left(global int* restrict a, local int* restrict l) {
    int i = get_local_id(0), n = get_local_size(0);
    a[i] = i;
    l[i] = i * 100;
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    int v = a[(i + 1) % n] + l[(i + 1) % n] + l[i] - a[i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[i] = v;
  })"});
  int a[8] = {};
  program.run("rotate_left", {{8, 1, 1}, {8, 1, 1}}, {bytes(&a[0]), local(32)});
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(a[i], ((i + 1) % 8) * 101 + i * 99);
}

TEST(Barrier, WholeGroupsMayLeaveEarly) {
  Program program({R"(kernel void k(global int* a) {
    if (get_group_id(0) & 1) return;
    local int x[1];
    if (get_local_id(0) == 0) x[0] = get_group_id(0) + 1;
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    a[get_global_id(0)] = x[0];
  })",
                   {"-cl-std=CL3.0"}});
  int a[12] = {};
  program.run("k", {{12, 1, 1}, {3, 1, 1}}, {bytes(&a[0])});
  for (int i = 0; i < 12; ++i)
    EXPECT_EQ(a[i], (i / 3) % 2 == 0 ? i / 3 + 1 : 0);
}

constexpr auto kPrivateArray = R"(kernel void k(global int* a, int n) {
    int big[10000];
    for (int i = 0; i < n; ++i) big[i] = a[i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[0] = big[a[1]];
  })";

TEST(Barrier, StackSizesCoverPrivateArrays) {
  Program program({.source = kPrivateArray, .force_fibers = true});
  const auto& kernel = program.metadata("k");
  EXPECT_GE(kernel.private_bytes, 40000U);
  EXPECT_LT(kernel.private_bytes, 42000U);
  EXPECT_EQ(kernel.frame_bytes, 0U);
  EXPECT_GE(kernel.stack_bytes, 40000U * kernel.vector_width + 16384U);
}

TEST(Barrier, FramesCoverPrivateArrays) {
  Program program({kPrivateArray});
  const auto& kernel = program.metadata("k");
  ASSERT_GT(kernel.vector_width, 1U);
  EXPECT_GE(kernel.private_bytes, 40000U);
  EXPECT_LT(kernel.private_bytes, 42000U);
  EXPECT_GE(kernel.frame_bytes, 40000U * kernel.vector_width);
}

} // namespace
} // namespace heddle::test
