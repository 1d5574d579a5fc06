// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-groups (OpenCL C 6.15.1, 6.15.8; API 5.10): work-item functions, barriers in all valid
// positions, local memory, non-uniform groups, sizes up to the device's.
#include "tests/api/api_test.h"

#include <numeric>

namespace heddle::test {
namespace {

using Ints = std::vector<cl_int>;

size_t largest_group() { return info<size_t>(device(), CL_DEVICE_MAX_WORK_GROUP_SIZE); }

TEST(WorkItem, Functions) {
  const auto out = compute<cl_int>(R"(
    kernel void k(global int* out) {
      size_t n = (get_global_id(2) - 7) * 6 * 8 + (get_global_id(1) - 5) * 8 + (get_global_id(0) - 3);
      global int* o = out + n * 16;
      for (int d = 0; d != 3; ++d) {
        o[d] = get_global_id(d) == get_group_id(d) * get_local_size(d) + get_local_id(d) + get_global_offset(d);
        o[3 + d] = get_global_size(d);
        o[6 + d] = get_local_size(d);
        o[9 + d] = get_num_groups(d);
      }
      o[12] = get_work_dim();
      o[13] = get_global_id(3) == 0 && get_local_id(4) == 0 && get_group_id(77) == 0 && get_global_offset(5) == 0;
      o[14] = get_global_size(3) == 1 && get_local_size(9) == 1 && get_num_groups(3) == 1;
      o[15] = get_local_id(0) < 4 && get_local_id(1) < 3 && get_local_id(2) < 2;
    })",
                                   "", {{8, 6, 4}, {4, 3, 2}, {3, 5, 7}}, 8 * 6 * 4 * 16);
  const cl_int expected[] = {1, 1, 1, 8, 6, 4, 4, 3, 2, 2, 2, 2, 3, 1, 1, 1};
  for (size_t i = 0; i != out.size(); ++i)
    ASSERT_EQ(out[i], expected[i % 16]) << "field " << i % 16;
}

// A dimension argument that is not a constant.
TEST(WorkItem, DynamicDimension) {
  const auto out = compute<cl_int>(
      "kernel void k(global int* out, global const uint* d) { int s = 0; for (int i = 0; i < 4; "
      "++i) s = s * 10 + "
      "(int)get_global_size(d[i]); out[get_global_id(0) + get_global_id(1) * 2] = s; }",
      "", {{2, 3}, {}, {}}, 6, std::vector<cl_uint>{1, 0, 5, 4000000000u});
  EXPECT_EQ(out, Ints(6, 3211));
}

TEST(Barrier, SizesUpToTheLargest) {
  const char* source = R"(
    kernel void k(global int* out, local int* tile) {
      int n = get_local_size(0), i = get_local_id(0);
      tile[i] = i + (int)get_group_id(0) * 1000;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = tile[n - 1 - i];
    })";
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, source);
  const auto kernel = make_kernel(program, "k");
  for (const size_t size : {1, 2, 3, 7, 8, 31, 64, 100, 255, 256, 1000, 1024, 2048, 4095, 4096}) {
    if (size > largest_group())
      continue;
    const auto out = make_buffer(context, size * 3 * 4);
    set_args(kernel, out, Local{size * 4});
    run(queue, kernel, {{size * 3}, {size}, {}});
    const auto values = read<cl_int>(queue, out, size * 3);
    for (size_t i = 0; i != values.size(); ++i)
      ASSERT_EQ(values[i], static_cast<cl_int>(size - 1 - i % size + i / size * 1000))
          << "size " << size;
  }
}

TEST(Barrier, InALoop) {
  // A tree reduction, then every item reads the result.
  const auto out = compute<cl_int>(R"(
    kernel void k(global int* out) {
      local int tile[128];
      int i = get_local_id(0);
      tile[i] = (int)get_global_id(0);
      for (int step = 64; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < step) tile[i] += tile[i + step];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = tile[0];
    })",
                                   "", {{1024}, {128}, {}}, 1024);
  for (int i = 0; i != 1024; ++i)
    ASSERT_EQ(out[i], (i / 128 * 128) * 128 + 127 * 64);
}

TEST(Barrier, SeveralInALoopOfDataDependentLength) {
  const auto out = compute<cl_int>(R"(
    kernel void k(global int* out, global const int* rounds) {
      local int a[32], b[32];
      int i = get_local_id(0), x = i;
      for (int r = 0; r < rounds[get_group_id(0)]; ++r) {
        a[i] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        b[i] = a[(i + 1) % 32] + r;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = b[(i + 31) % 32] + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[get_global_id(0)] = x;
    })",
                                   "", {{128}, {32}, {}}, 128, Ints{0, 1, 5, 40});
  const int rounds[] = {0, 1, 5, 40};
  for (int i = 0; i != 128; ++i) {
    int expected = i % 32; // a shift forth and back
    for (int r = 0; r != rounds[i / 32]; ++r)
      expected += r + 1;
    ASSERT_EQ(out[i], expected) << i;
  }
}

TEST(Barrier, InNestedConditionals) {
  const auto out = compute<cl_int>(R"(
    kernel void k(global int* out, global const int* mode) {
      local int tile[16];
      int i = get_local_id(0), m = mode[get_group_id(0)], x = -1;
      tile[i] = i;
      if (m > 0) {
        if (m > 1) {
          barrier(CLK_LOCAL_MEM_FENCE);
          x = tile[15 - i];
          if (m > 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            tile[i] = x * 2;
            barrier(CLK_LOCAL_MEM_FENCE);
            x = tile[15 - i];
          } else
            x += 100;
        } else {
          tile[i] = 7 * i;
          barrier(CLK_LOCAL_MEM_FENCE);
          x = tile[(i + 1) % 16];
        }
      }
      out[get_global_id(0)] = x;
    })",
                                   "", {{64}, {16}, {}}, 64, Ints{0, 1, 2, 3});
  for (int i = 0; i != 16; ++i) {
    EXPECT_EQ(out[i], -1);
    EXPECT_EQ(out[16 + i], 7 * ((i + 1) % 16));
    EXPECT_EQ(out[32 + i], 15 - i + 100);
    EXPECT_EQ(out[48 + i], i * 2);
  }
}

TEST(Barrier, InCalledFunctions) {
  const auto out = compute<cl_int>(R"(
    int exchange(local int* tile, int value, int partner) {
      int i = get_local_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      tile[i] = value;
      barrier(CLK_LOCAL_MEM_FENCE);
      return tile[partner];
    }
    int twice(local int* tile, int value) {
      int n = get_local_size(0), i = get_local_id(0);
      value = exchange(tile, value, (i + 1) % n);
      return exchange(tile, value + 1, (i + 2) % n);
    }
    kernel void k(global int* out) {
      local int tile[64];
      int x = get_local_id(0);
      for (int r = 0; r < 3; ++r) x = twice(tile, x);
      out[get_global_id(0)] = x;
    })",
                                   "", {{192}, {64}, {}}, 192);
  for (int i = 0; i != 192; ++i)
    ASSERT_EQ(out[i], (i + 9) % 64 + 3);
}

TEST(Barrier, WholeGroupsReturnEarly) {
  const auto out = compute<cl_int>(R"(
    kernel void k(global int* out) {
      local int tile[32];
      int i = get_local_id(0);
      if (get_group_id(0) % 2) return;
      tile[i] = i;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (get_group_id(0) % 4) { out[get_global_id(0)] = -tile[31 - i]; return; }
      barrier(CLK_LOCAL_MEM_FENCE);
      tile[i] += 50;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = tile[31 - i];
    })",
                                   "", {{256}, {32}, {}}, 256);
  for (int i = 0; i != 256; ++i) {
    const int group = i / 32, mirrored = 31 - i % 32;
    ASSERT_EQ(out[i], group % 2 ? 0 : group % 4 ? -mirrored : mirrored + 50);
  }
}

TEST(Barrier, GlobalFence) {
  const auto out = compute<cl_int>(R"(
    kernel void k(global int* out, global int* tmp) {
      size_t base = get_group_id(0) * get_local_size(0);
      int i = get_local_id(0), n = get_local_size(0);
      tmp[base + i] = i * 3;
      barrier(CLK_GLOBAL_MEM_FENCE);
      out[base + i] = tmp[base + (i + 5) % n];
    })",
                                   "", {{512}, {64}, {}}, 512, Ints(512));
  for (int i = 0; i != 512; ++i)
    ASSERT_EQ(out[i], (i % 64 + 5) % 64 * 3);
}

TEST(Barrier, ThreeDimensions) {
  const auto out = compute<cl_int>(R"(
    kernel void k(global int* out) {
      local int tile[4][3][5];
      int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
      tile[z][y][x] = x + 10 * y + 100 * z;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0) + 10 * (get_global_id(1) + 6 * get_global_id(2))] = tile[3 - z][2 - y][4 - x];
    })",
                                   "", {{10, 6, 8}, {5, 3, 4}, {}}, 480);
  for (int z = 0; z != 8; ++z)
    for (int y = 0; y != 6; ++y)
      for (int x = 0; x != 10; ++x)
        ASSERT_EQ(out[x + 10 * (y + 6 * z)], 4 - x % 5 + 10 * (2 - y % 3) + 100 * (3 - z % 4));
}

// Private variables, arrays and pointers to them live across barriers.
TEST(Barrier, PrivateStateSurvives) {
  const auto out = compute<cl_int>(R"(
    kernel void k(global int* out) {
      local int tile[64];
      int i = get_local_id(0);
      int array[50];
      float4 v = (float4)(i, i + 1, i + 2, i + 3);
      for (int n = 0; n < 50; ++n) array[n] = i * n;
      int* p = &array[i % 50];
      for (int r = 0; r < 4; ++r) {
        tile[i] = array[r * 10];
        barrier(CLK_LOCAL_MEM_FENCE);
        *p += tile[(i + r) % 64];
        v += (float4)(1, 2, 3, 4);
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      int sum = 0;
      for (int n = 0; n < 50; ++n) sum += array[n];
      out[get_global_id(0)] = sum + (int)(v.x + v.y + v.z + v.w);
    })",
                                   "", {{64}, {64}, {}}, 64);
  std::vector<std::vector<int>> arrays(64, std::vector<int>(50));
  for (int i = 0; i != 64; ++i)
    for (int n = 0; n != 50; ++n)
      arrays[i][n] = i * n;
  for (int r = 0; r != 4; ++r) {
    std::vector<int> tile(64);
    for (int i = 0; i != 64; ++i)
      tile[i] = arrays[i][r * 10];
    for (int i = 0; i != 64; ++i)
      arrays[i][i % 50] += tile[(i + r) % 64];
  }
  for (int i = 0; i != 64; ++i)
    ASSERT_EQ(out[i], std::accumulate(arrays[i].begin(), arrays[i].end(), 0) + 4 * i + 6 + 40) << i;
}

TEST(LocalMemory, EachGroupHasItsOwn) {
  const auto out = compute<cl_int>(R"(
    kernel void k(global int* out) {
      local int count;
      if (get_local_id(0) == 0) count = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      atomic_add(&count, (int)get_group_id(0) + 1);
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = count;
    })",
                                   "", {{100 * 64}, {64}, {}}, 6400);
  for (int i = 0; i != 6400; ++i)
    ASSERT_EQ(out[i], (i / 64 + 1) * 64);
}

TEST(LocalMemory, SeveralArgumentsDoNotOverlapAndAreAligned) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, R"(
    kernel void k(global int* out, local char* a, local long16* b, local int* c) {
      local short own[9];
      int i = get_local_id(0);
      a[i] = 1; b[i] = (long16)(2); c[i] = 3; own[i] = 4;
      barrier(CLK_LOCAL_MEM_FENCE);
      int j = 7 - i;
      out[i] = a[j] * 1000 + (int)b[j].s7 * 100 + c[j] * 10 + own[j];
      if (((size_t)b) % sizeof(long16) != 0) out[i] = -1;
      if (((size_t)c) % sizeof(int) != 0) out[i] = -2;
    })");
  const auto kernel = make_kernel(program, "k");
  const auto out = make_buffer(context, 32);
  set_args(kernel, out, Local{8}, Local{8 * 128}, Local{8 * 4});
  run(queue, kernel, {{8}, {8}, {}});
  EXPECT_EQ(read<cl_int>(queue, out, 8), Ints(8, 1234));
}

TEST(LocalMemory, AllOfIt) {
  const auto bytes = static_cast<size_t>(info<cl_ulong>(device(), CL_DEVICE_LOCAL_MEM_SIZE));
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, R"(
    kernel void k(global int* out, local int* tile, int n) {
      for (int i = get_local_id(0); i < n; i += get_local_size(0)) tile[i] = i;
      barrier(CLK_LOCAL_MEM_FENCE);
      int bad = 0;
      for (int i = get_local_id(0); i < n; i += get_local_size(0)) bad += tile[n - 1 - i] != n - 1 - i;
      out[get_global_id(0)] = bad + 1;
    })");
  const auto kernel = make_kernel(program, "k");
  const auto out = make_buffer(context, 128 * 4);
  set_args(kernel, out, Local{bytes}, static_cast<cl_int>(bytes / 4));
  run(queue, kernel, {{128}, {32}, {}});
  EXPECT_EQ(read<cl_int>(queue, out, 128), Ints(128, 1));
}

TEST(NonUniform, EveryItemOnceAndEdgeSizes) {
  if (!info<cl_bool>(device(), CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT))
    GTEST_SKIP() << "no non-uniform work-groups";
  const auto out = compute<cl_int>(R"(
    kernel void k(global int* out) {
      local int count;
      if (get_local_id(0) == 0 && get_local_id(1) == 0) count = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      atomic_inc(&count);
      barrier(CLK_LOCAL_MEM_FENCE);
      size_t at = get_global_id(1) * 103 + get_global_id(0);
      out[at] += count + 1000 * (int)get_local_size(0) + 100000 * (int)get_local_size(1) +
                 10000000 * (int)(get_enqueued_local_size(0) == 16 && get_enqueued_local_size(1) == 4);
    })",
                                   "-cl-std=CL3.0", {{103, 13}, {16, 4}, {}}, 103 * 13);
  for (int y = 0; y != 13; ++y)
    for (int x = 0; x != 103; ++x) {
      const int width = x < 96 ? 16 : 7, height = y < 12 ? 4 : 1;
      ASSERT_EQ(out[y * 103 + x], width * height + 1000 * width + 100000 * height + 10000000)
          << x << "," << y;
    }
}

TEST(NonUniform, RefusedForOpenCL12) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program =
      build(context, "kernel void k(global int* x) { x[get_global_id(0)] = 1; }", "-cl-std=CL1.2");
  const auto kernel = make_kernel(program, "k");
  const auto out = make_buffer(context, 400);
  set_args(kernel, out);
  EXPECT_EQ(enqueue(queue, kernel, {{100}, {16}, {}}), CL_INVALID_WORK_GROUP_SIZE);
}

TEST(NonUniform, PrimeRangeWithoutLocalSize) {
  const auto out = compute<cl_int>("kernel void k(global int* out) { out[get_global_id(0)] += 1; }",
                                   "", {{100003}, {}, {}}, 100003);
  EXPECT_EQ(out, Ints(100003, 1));
}

TEST(PrivateArrays, Large) {
  // 256 KiB for each item: the command succeeds or fails; the process and the queue remain usable.
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, R"(
    kernel void k(global int* out, int n) {
      int big[65536];
      for (int i = 0; i < n; ++i) big[i] = i ^ (int)get_global_id(0);
      int sum = 0;
      for (int i = 0; i < n; i += 7) sum += big[(i * 31) % n];
      out[get_global_id(0)] = sum;
    })");
  const auto kernel = make_kernel(program, "k");
  const auto out = make_buffer(context, 64 * 4);
  set_args(kernel, out, cl_int{65536});
  Event event;
  ASSERT_EQ(enqueue(queue, kernel, {{64}, {8}, {}}, event.out()), CL_SUCCESS);
  if (clWaitForEvents(1, event.address()) == CL_SUCCESS) {
    const auto values = read<cl_int>(queue, out, 64);
    for (int g = 0; g != 64; ++g) {
      int sum = 0;
      for (int i = 0; i < 65536; i += 7)
        sum += ((i * 31) % 65536) ^ g;
      ASSERT_EQ(values[g], sum);
    }
  } else {
    EXPECT_LT(event_status(event), 0);
  }
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

} // namespace
} // namespace heddle::test
