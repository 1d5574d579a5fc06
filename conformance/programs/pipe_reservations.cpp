// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reservations of packets by work-items, sub-groups and work-groups.
#include "pipe_harness.h"

#include <algorithm>
#include <numeric>

using namespace conformance;

namespace {

// Reservations of these sizes, written backwards with each packet twice, committed in the order of
// `order`.
const char* kReservations = R"(
  kernel void put(write_only pipe int p, global int* order, int n, int size, global int* out) {
    reserve_id_t ids[8];
    for (int r = 0; r < n; ++r) {
      ids[r] = reserve_write_pipe(p, size);
      out[r] = is_valid_reserve_id(ids[r]);
    }
    for (int r = n - 1; r >= 0; --r)
      if (out[r])
        for (int twice = 0; twice < 2; ++twice)
          for (int i = size - 1; i >= 0; --i) {
            int v = r * 100 + i + (twice ? 0 : 5000);
            if (write_pipe(p, ids[r], i, &v) != 0) out[r] = -1;
          }
    for (int r = 0; r < n; ++r) if (out[order[r]]) commit_write_pipe(p, ids[order[r]]);
  }
  kernel void get(read_only pipe int p, global int* order, int n, int size, global int* out) {
    reserve_id_t ids[8];
    for (int r = 0; r < n; ++r) {
      ids[r] = reserve_read_pipe(p, size);
      out[r] = is_valid_reserve_id(ids[r]);
    }
    for (int r = n - 1; r >= 0; --r)
      if (out[r])
        for (int i = size - 1; i >= 0; --i) {
          int v = -7;
          if (read_pipe(p, ids[r], i, &v) != 0) out[r] = -1;
          out[8 + r * size + i] = v;
        }
    for (int r = 0; r < n; ++r) if (out[order[r]]) commit_read_pipe(p, ids[order[r]]);
  })";

TEST_F(Pipes, ReservationsInEveryOrderOfCommits) {
  SPEC("C, Built-in Work-group Pipe Read and Write Functions: reservations of a work-item are "
       "ordered in the pipe as they are ordered in the program; a commit adds its packets in order "
       "as one contiguous set; a packet may be written several times");
  if (limit(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS) < 4)
    GTEST_SKIP() << "fewer than 4 active reservations";
  Program program = build(kReservations, kLanguage);
  Kernel put = make_kernel(program, "put"), get = make_kernel(program, "get");
  const cl_int n = 4, size = 3;
  Memory pipe = make_pipe(4, 12);
  Ints order(n), expected(8 + n * size, -1000);
  std::iota(order.begin(), order.end(), 0);
  for (int r = 0; r < n; ++r) {
    expected[r] = 1;
    for (int i = 0; i < size; ++i)
      expected[8 + r * size + i] = r * 100 + i;
  }
  do {
    Memory sequence = make_buffer(order);
    EXPECT_EQ(answers(put, n, pipe, sequence, n, size), Ints(n, 1));
    ASSERT_EQ(answers(get, 8 + n * size, pipe, sequence, n, size), expected);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_F(Pipes, ReservationsLargerThanTheRoom) {
  SPEC("C, Built-in Pipe Read and Write Functions: reserve returns a valid reservation ID if the "
       "reservation is successful");
  Program program = build(kReservations, kLanguage);
  Kernel put = make_kernel(program, "put"), get = make_kernel(program, "get");
  Memory pipe = make_pipe(4, 10), order = make_buffer(Ints{0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(answers(put, 1, pipe, order, cl_int(1), cl_int(11)), Ints{0});
  EXPECT_EQ(answers(get, 9, pipe, order, cl_int(1), cl_int(1))[0], 0);
  if (limit(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS) >= 3) {
    EXPECT_EQ(answers(put, 3, pipe, order, cl_int(3), cl_int(4)), (Ints{1, 1, 0}));
    const auto got = answers(get, 20, pipe, order, cl_int(3), cl_int(4));
    EXPECT_EQ(Ints(got.begin(), got.begin() + 3), (Ints{1, 1, 0}));
    EXPECT_EQ(Ints(got.begin() + 8, got.begin() + 16), (Ints{0, 1, 2, 3, 100, 101, 102, 103}));
  }
  // Failed reservations have no effect: the whole capacity is usable.
  EXPECT_EQ(answers(put, 1, pipe, order, cl_int(1), cl_int(10)), Ints{1});
  EXPECT_EQ(answers(get, 30, pipe, order, cl_int(1), cl_int(11))[0], 0);
  EXPECT_EQ(answers(get, 18, pipe, order, cl_int(1), cl_int(10))[0], 1);
}

TEST_F(Pipes, ReserveIds) {
  SPEC("C, Pipe Functions: CLK_NULL_RESERVE_ID refers to an invalid reservation ID; "
       "is_valid_reserve_id; reserve_id_t may be passed to functions");
  Kernel kernel = make_kernel(R"(
    bool valid(reserve_id_t id) { return is_valid_reserve_id(id); }
    reserve_id_t choose(bool b, reserve_id_t x) { return b ? x : CLK_NULL_RESERVE_ID; }
    kernel void k(write_only pipe int p, global int* out) {
      reserve_id_t id = reserve_write_pipe(p, 1);
      out[0] = valid(id);
      out[1] = valid(CLK_NULL_RESERVE_ID);
      out[2] = valid(choose(true, id));
      out[3] = valid(choose(false, id));
      int v = 1; write_pipe(p, id, 0, &v); commit_write_pipe(p, id);
    })",
                              "k", kLanguage);
  EXPECT_EQ(answers(kernel, 4, make_pipe(4, 4)), (Ints{1, 0, 1, 0}));
}

TEST_F(Pipes, ActiveReservations) {
  SPEC("API, Querying Devices: CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS per work-item");
  const cl_int count = cl_int(std::min(limit(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS), 1024u));
  Program program = build(R"(
    kernel void put(write_only pipe int p, int n, global int* out) {
      reserve_id_t ids[1024];
      for (int r = 0; r < n; ++r) {
        ids[r] = reserve_write_pipe(p, 1);
        out[r] = is_valid_reserve_id(ids[r]) ? write_pipe(p, ids[r], 0, &r) : -1;
      }
      for (int r = n - 1; r >= 0; --r) commit_write_pipe(p, ids[r]);
    }
    kernel void get(read_only pipe int p, int n, global int* out) {
      reserve_id_t ids[1024];
      for (int r = 0; r < n; ++r) {
        ids[r] = reserve_read_pipe(p, 1);
        int v; out[r] = is_valid_reserve_id(ids[r]) && read_pipe(p, ids[r], 0, &v) == 0 ? v : -1;
      }
      for (int r = n - 1; r >= 0; --r) commit_read_pipe(p, ids[r]);
    })",
                          kLanguage);
  Memory pipe = make_pipe(4, cl_uint(count));
  EXPECT_EQ(answers(make_kernel(program, "put"), count, pipe, count), Ints(count, 0));
  Ints expected(count);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(answers(make_kernel(program, "get"), count, pipe, count), expected);
}

// A reservation of a group or sub-group is contiguous in the pipe.
void expect_blocks(const Ints& packets, int groups, int size) {
  std::vector<bool> seen(groups);
  for (int g = 0; g < groups; ++g) {
    const auto owner = packets[g * size] / size;
    ASSERT_TRUE(owner >= 0 && owner < groups && !seen[owner]) << "owner " << owner;
    seen[owner] = true;
    for (int i = 0; i < size; ++i)
      ASSERT_EQ(packets[g * size + i], owner * size + i);
  }
}

TEST_F(Pipes, WorkGroupReservations) {
  SPEC("C, Built-in Work-group Pipe Read and Write Functions");
  Program program = build(R"(
    kernel void put(write_only pipe int p, global int* out) {
      int i = get_local_id(0), g = get_global_id(0);
      reserve_id_t id = work_group_reserve_write_pipe(p, get_local_size(0));
      if (is_valid_reserve_id(id)) {
        out[g] = write_pipe(p, id, i, &g);
        work_group_commit_write_pipe(p, id);
      }
    }
    kernel void get(read_only pipe int p, global int* out) {
      int i = get_local_id(0), n = get_local_size(0), v = -1;
      reserve_id_t id = work_group_reserve_read_pipe(p, n);
      if (is_valid_reserve_id(id)) {
        if (read_pipe(p, id, n - 1 - i, &v) != 0) v = -2; // also packets of other work-items
        // A packet's value is its position: the packets of a group are n consecutive ones.
        out[get_global_id(0)] = v;
        work_group_commit_read_pipe(p, id);
      }
    }
    kernel void list(read_only pipe int p, int n, global int* out) {
      for (int i = 0; i < n; ++i) { int v = -1; read_pipe(p, &v); out[i] = v; }
    }
    kernel void twice(write_only pipe int p, global int* out) {
      int i = get_local_id(0), n = get_local_size(0);
      reserve_id_t a = work_group_reserve_write_pipe(p, n);
      reserve_id_t b = work_group_reserve_write_pipe(p, n);
      reserve_id_t c = work_group_reserve_write_pipe(p, n);
      int x = i, y = n + i;
      write_pipe(p, b, i, &y);
      write_pipe(p, a, i, &x);
      work_group_commit_write_pipe(p, b);
      work_group_commit_write_pipe(p, a);
      out[i] = is_valid_reserve_id(a) + 2 * is_valid_reserve_id(b) + 4 * is_valid_reserve_id(c);
    })",
                          kLanguage);
  Kernel put = make_kernel(program, "put"), get = make_kernel(program, "get"),
         list = make_kernel(program, "list"), twice = make_kernel(program, "twice");
  for (const int size : {1, 5, 16, 64}) {
    SCOPED_TRACE(size);
    if (size_t(size) > max_group_size(put))
      continue;
    const int groups = 12, count = groups * size;
    const std::vector<size_t> global{size_t(count)}, local{size_t(size)};
    Memory pipe = make_pipe(4, count);
    EXPECT_EQ(answers(put, count, global, local, pipe), Ints(count, 0));
    expect_blocks(answers(list, count, pipe, cl_int(count)), groups, size);
    EXPECT_EQ(answers(put, count, global, local, pipe), Ints(count, 0));
    auto got = answers(get, count, global, local, pipe);
    for (int g = 0; g < groups; ++g)
      std::reverse(got.begin() + g * size, got.begin() + (g + 1) * size);
    expect_blocks(got, groups, size);
    // The third one fails, for every work-item of the group.
    if (limit(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS) >= 3) {
      Memory two = make_pipe(4, 2 * size);
      EXPECT_EQ(answers(twice, size, local, local, two), Ints(size, 3));
      Ints expected(2 * size);
      std::iota(expected.begin(), expected.end(), 0);
      EXPECT_EQ(answers(list, 2 * size, two, cl_int(2 * size)), expected);
    }
  }
}

TEST_F(Pipes, SubGroupReservations) {
  SPEC("C, Built-in Pipe Functions for Sub-Groups");
  if (!has_extension("cl_khr_subgroups") &&
      (version < 300 || info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_NUM_SUB_GROUPS) == 0))
    GTEST_SKIP() << "no sub-groups";
  Program program = build(R"(
    #ifdef cl_khr_subgroups
    #pragma OPENCL EXTENSION cl_khr_subgroups : enable
    #endif
    kernel void put(write_only pipe int p, global int* out) {
      int lane = get_sub_group_local_id(), n = get_sub_group_size();
      int v = get_sub_group_id() * 1000 + lane;
      reserve_id_t id = sub_group_reserve_write_pipe(p, n);
      out[get_global_id(0)] = is_valid_reserve_id(id) ? write_pipe(p, id, lane, &v) : -1;
      if (is_valid_reserve_id(id)) sub_group_commit_write_pipe(p, id);
    }
    kernel void get(read_only pipe int p, global int* out) {
      int lane = get_sub_group_local_id(), n = get_sub_group_size(), v = -1;
      reserve_id_t id = sub_group_reserve_read_pipe(p, n);
      if (is_valid_reserve_id(id)) {
        read_pipe(p, id, lane, &v);
        sub_group_commit_read_pipe(p, id);
      }
      out[get_global_id(0)] = v;
    }
    kernel void list(read_only pipe int p, int n, global int* out) {
      for (int i = 0; i < n; ++i) { int v = -1; read_pipe(p, &v); out[i] = v; }
    })",
                          kLanguage);
  const size_t size = 64;
  Memory pipe = make_pipe(4, size);
  Kernel put = make_kernel(program, "put"), list = make_kernel(program, "list");
  EXPECT_EQ(answers(put, size, {size}, {size}, pipe), Ints(size, 0));
  const auto packets = answers(list, size, pipe, cl_int(size));
  for (size_t i = 0; i < size; ++i)
    if (packets[i] % 1000 != 0) {
      ASSERT_EQ(packets[i], packets[i - 1] + 1) << "a sub-group's packets lie together, in order";
    }
  EXPECT_EQ(answers(put, size, {size}, {size}, pipe), Ints(size, 0));
  auto got = answers(make_kernel(program, "get"), size, {size}, {size}, pipe);
  auto sent = packets;
  std::sort(got.begin(), got.end());
  std::sort(sent.begin(), sent.end());
  EXPECT_EQ(got, sent);
}

} // namespace
