// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Undefined behavior (OpenCL C 6.15.14, restrictions) accesses nothing outside of the packet ring,
// and later commands work.
#include "tests/api/api_test.h"

#include <algorithm>

namespace heddle::test {
namespace {

using Ints = std::vector<cl_int>;

const char* kSource = R"(
  kernel void put(write_only pipe int p, int count, global int* out) {
    for (int i = 0; i < count; ++i) out[i] = write_pipe(p, &i);
  }
  kernel void get(read_only pipe int p, int count, global int* out) {
    for (int i = 0; i < count; ++i) { int v = -7; out[i] = read_pipe(p, &v) == 0 ? v : -7; }
  }
  kernel void outside(write_only pipe int p, global int* out) {
    reserve_id_t id = reserve_write_pipe(p, 2);
    int v = 5;
    out[0] = write_pipe(p, id, 2, &v); out[1] = write_pipe(p, id, -1, &v);
    out[2] = write_pipe(p, id, 1 << 30, &v); out[3] = write_pipe(p, CLK_NULL_RESERVE_ID, 0, &v);
    v = 6; out[4] = write_pipe(p, id, 0, &v);
    v = 7; out[5] = write_pipe(p, id, 1, &v);
    commit_write_pipe(p, id);
    commit_write_pipe(p, id);
    commit_write_pipe(p, CLK_NULL_RESERVE_ID);
    out[6] = write_pipe(p, id, 0, &v);
  }
  kernel void twice(write_only pipe int p, global int* out) {
    reserve_id_t a = reserve_write_pipe(p, 1), b = reserve_write_pipe(p, 1);
    int v = 1; write_pipe(p, a, 0, &v);
    v = 2; write_pipe(p, b, 0, &v);
    commit_write_pipe(p, b); commit_write_pipe(p, b);
    commit_write_pipe(p, a); commit_write_pipe(p, a); commit_write_pipe(p, b);
    out[0] = get_pipe_num_packets(p);
  }
  kernel void forget(write_only pipe int p, int count, global int* out) {
    out[0] = is_valid_reserve_id(reserve_write_pipe(p, count));
  }
  kernel void forget_reading(read_only pipe int p, int count, global int* out) {
    out[0] = is_valid_reserve_id(reserve_read_pipe(p, count));
  }
  kernel void fault(write_only pipe int p, global int* out) {
    reserve_write_pipe(p, 3);
    *(volatile global int*)((global char*)0 + 16) = 1;
  }
  kernel void mix(write_only pipe int p, write_only pipe int q, global int* out) {
    reserve_id_t id = reserve_write_pipe(q, 1000);
    for (int i = 0; i < 1000; ++i) write_pipe(p, id, i, &i);
    commit_write_pipe(p, id);
    commit_write_pipe(q, id);
    out[0] = 1;
  }
  kernel void other_type(write_only pipe int4 p, global int* out) {
    int4 v = 1;
    out[0] = write_pipe(p, &v);
    out[1] = is_valid_reserve_id(reserve_write_pipe(p, 1));
  }
  kernel void wait(read_only pipe int p, int count, global int* out) {
    for (int i = 0; i < count; ++i) { int v; while (read_pipe(p, &v) != 0) {} }
    out[0] = 1;
  })";

class PipeMisuse : public ApiTest {
 protected:
  Buffer make_pipe(cl_uint max_packets) {
    cl_int error;
    Buffer pipe(clCreatePipe(context_, 0, sizeof(cl_int), max_packets, nullptr, &error));
    check(error, "clCreatePipe");
    return pipe;
  }
  template <class... Arguments>
  Ints answers(const char* name, size_t count, const Arguments&... arguments) {
    const auto kernel = make_kernel(program_, name);
    const Ints start(count, -1000);
    const auto out = make_buffer(context_, count * 4, start.data());
    set_args(kernel, arguments..., out);
    run(queue_, kernel, {{1}, {1}, {}});
    return read<cl_int>(queue_, out, count);
  }
  // The pipe is empty, and its whole capacity is usable in order.
  void expect_in_order(const Buffer& pipe, cl_int depth) {
    EXPECT_EQ(answers("get", 1, pipe, cl_int(1)), Ints{-7});
    const auto results = answers("put", depth + 1, pipe, depth + 1);
    EXPECT_EQ(std::count(results.begin(), results.end(), 0), depth);
    const auto got = answers("get", depth, pipe, depth);
    for (int i = 0; i < depth; ++i)
      ASSERT_EQ(got[i], i);
  }
  Program program_ = build(context_, kSource, "-cl-std=CL3.0");
};

TEST_F(PipeMisuse, IndexOutOfRangeAndInvalidIds) {
  const auto pipe = make_pipe(4);
  const auto out = answers("outside", 7, pipe);
  for (int i = 0; i < 4; ++i)
    EXPECT_LT(out[i], 0) << i;
  EXPECT_EQ(out[4], 0);
  EXPECT_EQ(out[5], 0);
  EXPECT_EQ(answers("get", 3, pipe, cl_int(3)), (Ints{7, 7, -7})); // after the commit: the packet's
  expect_in_order(pipe, 4);
}

TEST_F(PipeMisuse, CommittedTwice) {
  const auto pipe = make_pipe(4);
  EXPECT_EQ(answers("twice", 1, pipe), Ints{2});
  EXPECT_EQ(answers("get", 3, pipe, cl_int(3)), (Ints{1, 2, -7}));
  expect_in_order(pipe, 4);
}

TEST_F(PipeMisuse, NeverCommitted) {
  const auto pipe = make_pipe(8);
  EXPECT_EQ(answers("forget", 1, pipe, cl_int(3)), Ints{1});
  EXPECT_EQ(answers("put", 2, pipe, cl_int(2)), (Ints{0, 0}));
  auto got = answers("get", 6, pipe, cl_int(6));
  EXPECT_EQ(Ints(got.begin() + 3, got.end()), (Ints{0, 1, -7})); // after three of any value
  EXPECT_EQ(answers("put", 4, pipe, cl_int(4)), Ints(4, 0));
  EXPECT_EQ(answers("forget_reading", 1, pipe, cl_int(3)), Ints{1});
  EXPECT_EQ(answers("get", 2, pipe, cl_int(2)), (Ints{3, -7}));
  expect_in_order(pipe, 8);
}

// A reservation that a finished kernel never committed blocks nothing.
TEST_F(PipeMisuse, NeverCommittedWhileAnotherWaits) {
  const auto pipe = make_pipe(8);
  const auto other = make_queue(context_);
  const auto wait = make_kernel(program_, "wait");
  const auto out = make_buffer(context_, 4);
  set_args(wait, pipe, cl_int(5), out);
  check(enqueue(other, wait, {{1}, {1}, {}}), "enqueue");
  check(clFlush(other), "clFlush");
  EXPECT_EQ(answers("forget", 1, pipe, cl_int(5)), Ints{1});
  EXPECT_EQ(clFinish(other), CL_SUCCESS);
  expect_in_order(pipe, 8);
}

TEST_F(PipeMisuse, FaultBeforeTheCommit) {
  const auto pipe = make_pipe(4);
  const auto kernel = make_kernel(program_, "fault");
  const auto out = make_buffer(context_, 4);
  set_args(kernel, pipe, out);
  Event event;
  check(enqueue(queue_, kernel, {{1}, {1}, {}}, event.out()), "enqueue");
  EXPECT_EQ(clWaitForEvents(1, event.address()), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  answers("get", 3, pipe, cl_int(3));
  expect_in_order(pipe, 4);
}

TEST_F(PipeMisuse, IdOfAnotherPipe) {
  const auto small = make_pipe(4), large = make_pipe(5000);
  answers("put", 3000, large, cl_int(3000));
  EXPECT_EQ(answers("mix", 1, small, large), Ints{1});
  answers("get", 8, small, cl_int(8));
  expect_in_order(small, 4);
  const auto got = answers("get", 4001, large, cl_int(4001));
  for (int i = 0; i < 3000; ++i)
    ASSERT_EQ(got[i], i);
  EXPECT_EQ(got[4000], -7);
}

TEST_F(PipeMisuse, AnotherPacketType) {
  const auto pipe = make_pipe(4);
  EXPECT_LT(answers("other_type", 2, pipe)[0], 0);
  EXPECT_EQ(answers("other_type", 2, pipe)[1], 0);
  expect_in_order(pipe, 4);
}

} // namespace
} // namespace heddle::test
