// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Async copies in loops, branches and functions, with several pending copies, and in partial
// groups.
#include "copy_harness.h"

#include <algorithm>

using namespace conformance;

namespace {

TEST_F(AsyncCopies, DoubleBuffering) {
  SPEC("C, Async Copies: in a loop that all work-items run equally often");
  Kernel kernel = make_kernel(R"(
    kernel void k(const global int* from, global int* to, local int* a, local int* b, int tiles) {
      local int* tile[2] = {a, b};
      event_t event[2];
      const int n = get_local_size(0), first = get_group_id(0) * tiles * n;
      event[0] = async_work_group_copy(tile[0], from + first, n, 0);
      event_t writing = 0;
      for (int t = 0; t < tiles; ++t) {
        const int now = t & 1;
        if (t + 1 < tiles) {
          barrier(CLK_LOCAL_MEM_FENCE);
          if (t > 0) wait_group_events(1, &writing);
          event[!now] = async_work_group_copy(tile[!now], from + first + (t + 1) * n, n, 0);
        }
        wait_group_events(1, &event[now]);
        const int own = tile[now][n - 1 - get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[now][get_local_id(0)] = own * 2 + t;
        barrier(CLK_LOCAL_MEM_FENCE);
        writing = async_work_group_copy(to + first + t * n, tile[now], n, 0);
        if (t + 1 >= tiles) wait_group_events(1, &writing);
      }
    })",
                              "k");
  const int groups = 9, tiles = 11;
  for (const int n : {1, 6, 64}) {
    std::vector<cl_int> from(groups * tiles * n), expected(from.size());
    for (size_t i = 0; i < from.size(); ++i)
      from[i] = int(i) * 3 + 5;
    for (int at = 0; at < groups * tiles; ++at)
      for (int i = 0; i < n; ++i)
        expected[at * n + i] = from[at * n + n - 1 - i] * 2 + at % tiles;
    Memory source = make_buffer(from), out = make_buffer(from.size() * 4);
    set_arguments(kernel, source, out, Local{size_t(n) * 4}, Local{size_t(n) * 4}, cl_int(tiles));
    run(kernel, {size_t(groups) * n}, {size_t(n)});
    EXPECT_EQ(read<cl_int>(out, from.size()), expected) << "groups of " << n;
  }
}

// A loop of nothing but copies; after it all work-items may overwrite the copied data.
TEST_F(AsyncCopies, WaitsInALoopOfCopies) {
  SPEC("C, Async Copies: the source is not synchronised by the copy; it may be changed once the "
       "copy "
       "was waited for");
  Kernel kernel = make_kernel(R"(
    kernel void k(const global int* from, global int* out, local int* a, local int* b, int rounds,
                  int times, global const int* places) {
      const int n = get_local_size(0), i = get_local_id(0);
      a[i] = 3 * i + 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int round = 0; round < rounds; ++round)
        for (int t = 0; t < times; ++t) {
          event_t e;
          if (round == 0 && t == 0)
            e = async_work_group_copy(b, from + places[t], n, 0);
          else
            e = async_work_group_copy(out + n * (1 + places[round * times + t]), a, n, 0);
          wait_group_events(1, &e);
        }
      out[i] = b[n - 1 - i];
      a[i] = -1;
    })",
                              "k");
  const int rounds = 3, times = 4;
  std::vector<cl_int> from(200), places{2};
  for (int i = 0; i < 200; ++i)
    from[i] = 1000 - i;
  for (int i = 1; i < rounds * times; ++i)
    places.push_back(rounds * times - 1 - i);
  Memory source = make_buffer(from), where = make_buffer(places);
  for (const int n : {1, 6, 64, 150})
    for (const int used : {0, 1, times}) {
      std::vector<cl_int> expected(n * (1 + rounds * times), -7);
      Memory out = make_buffer(expected);
      for (int i = 0; i < n; ++i) {
        if (used != 0)
          expected[i] = from[2 + n - 1 - i];
        for (int round = 0; round < rounds; ++round)
          for (int t = 0; t < used; ++t)
            if (round != 0 || t != 0)
              expected[n * (1 + places[round * used + t]) + i] = 3 * i + 1;
      }
      set_arguments(kernel, source, out, Local{size_t(n) * 4}, Local{size_t(n) * 4}, cl_int(rounds),
                    cl_int(used), where);
      run(kernel, {size_t(n)}, {size_t(n)});
      auto seen = read<cl_int>(out, expected.size());
      if (used == 0) // the saved memory was not copied to
        std::fill_n(seen.begin(), n, -7);
      EXPECT_EQ(seen, expected) << n << " work-items, " << used << " copies a round";
    }
}

// The tile contains the position of the next one.
TEST_F(AsyncCopies, WaysThroughTiles) {
  SPEC("C, Async Copies: the results of a copy may be read behind wait_group_events");
  Kernel kernel = make_kernel(R"(
    kernel void k(const global int* from, global int* out, local int* l, int tile) {
      int rounds = 0;
      for (int at = 0; at >= 0; ++rounds) {
        event_t e = async_work_group_copy(l, from + at * tile, tile, 0);
        wait_group_events(1, &e);
        at = l[0];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[get_local_id(0)] = rounds * 100 + l[get_local_id(0) % tile];
    })",
                              "k");
  const int tile = 8, last = 1;
  const std::vector<cl_int> next{4, -1, 1, 2, 3};
  std::vector<cl_int> from(tile * next.size());
  for (size_t i = 0; i < from.size(); ++i)
    from[i] = i % tile == 0 ? next[i / tile] : int(i);
  Memory source = make_buffer(from);
  for (const int n : {1, 6, 64}) {
    Memory out = make_buffer(size_t(n) * 4);
    set_arguments(kernel, source, out, Local{tile * 4}, cl_int(tile));
    run(kernel, {size_t(n)}, {size_t(n)});
    std::vector<cl_int> expected;
    for (int i = 0; i < n; ++i)
      expected.push_back(int(next.size()) * 100 + from[last * tile + i % tile]);
    EXPECT_EQ(read<cl_int>(out, n), expected) << n << " work-items";
  }
}

TEST_F(AsyncCopies, BranchesAndFunctions) {
  SPEC("C, Async Copies: inside a conditional that all work-items of the group enter; pointers and "
       "events are values like others");
  Kernel kernel = make_kernel(std::string(kCommon) + R"(
    event_t start(local int* to, const global int* from, int n, event_t event) {
      if (n > 5) return async_work_group_copy(to, from, n, event);
      return async_work_group_strided_copy(to, from, n, 2, event);
    }
    void finish(int count, event_t* events) { wait_group_events(count, events); }
    kernel void k(const global int* from, global int* out, local int* l, constant int* counts) {
      fill((local uchar*)l, 160);
      const int n = counts[get_group_id(0)];
      if (n != 0) {
        event_t e = start(l, from, n, 0);
        if (n % 2 == 1) e = start(l + 20, from + 50, n, e);
        finish(1, &e);
      }
      save((global uchar*)(out + 40 * get_group_id(0)), (local uchar*)l, 160);
    })",
                              "k");
  const std::vector<cl_int> counts{0, 1, 2, 3, 5, 6, 7, 19, 20, 0};
  std::vector<cl_int> from(100), expected(40 * counts.size(), cl_int(0xa5a5a5a5));
  for (int i = 0; i < 100; ++i)
    from[i] = 1000 - i;
  for (size_t g = 0; g < counts.size(); ++g)
    for (int i = 0; i < counts[g]; ++i) {
      const int step = counts[g] > 5 ? 1 : 2;
      expected[40 * g + i] = from[i * step];
      if (counts[g] % 2 == 1)
        expected[40 * g + 20 + i] = from[50 + i * step];
    }
  Memory source = make_buffer(from), sizes = make_buffer(counts), out = make_buffer(expected);
  for (const size_t size : {1, 16, 50}) {
    set_arguments(kernel, source, out, Local{160}, sizes);
    run(kernel, {size * counts.size()}, {size});
    EXPECT_EQ(read<cl_int>(out, expected.size()), expected) << "groups of " << size;
  }
}

TEST_F(AsyncCopies, GroupsThatAreNotFull) {
  SPEC("C, Async Copies: this applies to ND-ranges with uniform and non-uniform work-groups");
  if (version < 300 ||
      !info<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT))
    GTEST_SKIP() << "no non-uniform work-groups";
  Kernel kernel = make_kernel(R"(
    kernel void k(const global int* from, global int* to, local int* l) {
      const uint full = get_enqueued_local_size(0) * get_enqueued_local_size(1);
      const uint group = get_group_id(1) * get_num_groups(0) + get_group_id(0);
      const uint n = get_local_size(0) * get_local_size(1);
      event_t e = async_work_group_copy(l, from + group * full, n, 0);
      wait_group_events(1, &e);
      const uint i = get_local_id(1) * get_local_size(0) + get_local_id(0);
      const int own = l[n - 1 - i];
      barrier(CLK_LOCAL_MEM_FENCE);
      l[i] = own + 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      e = async_work_group_strided_copy(to + group * full * 2, l, n, 2, 0);
      wait_group_events(1, &e);
    })",
                              "k", "-cl-std=CL3.0");
  const size_t global[2] = {50, 23}, local[2] = {16, 5}, across = 4, down = 5;
  std::vector<cl_int> from(across * down * 80), expected(from.size() * 2, -1);
  for (size_t i = 0; i < from.size(); ++i)
    from[i] = int(i);
  for (size_t y = 0; y < down; ++y)
    for (size_t x = 0; x < across; ++x) {
      const size_t n = std::min(local[0], global[0] - x * local[0]) *
                       std::min(local[1], global[1] - y * local[1]);
      for (size_t i = 0; i < n; ++i)
        expected[((y * across + x) * 80 + i) * 2] = from[(y * across + x) * 80 + n - 1 - i] + 1;
    }
  Memory source = make_buffer(from), out = make_buffer(std::vector<cl_int>(expected.size(), -1));
  set_arguments(kernel, source, out, Local{320});
  run(kernel, {global[0], global[1]}, {local[0], local[1]});
  EXPECT_EQ(read<cl_int>(out, expected.size()), expected);
}

} // namespace
