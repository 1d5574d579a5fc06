// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Concurrent kernels at both ends of a pipe much smaller than the data: a kernel that finds it full
// or empty polls.
#include "tests/api/api_test.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace heddle::test {
namespace {

constexpr const char* kLanguage = "-cl-std=CL3.0";

// Each work-item writes `count` consecutive numbers, or reads as many.
const char* kSource = R"(
  kernel void produce(write_only pipe int p, int count) {
    int first = get_global_id(0) * count;
    for (int i = 0; i < count; ++i) { int v = first + i; while (write_pipe(p, &v) != 0) {} }
  }
  kernel void consume(read_only pipe int p, int count, global int* out) {
    int first = get_global_id(0) * count;
    for (int i = 0; i < count; ++i) { int v; while (read_pipe(p, &v) != 0) {} out[first + i] = v; }
  }
  kernel void filter(read_only pipe int in, write_only pipe int to, int count) {
    for (int i = 0; i < count; ++i) {
      int v;
      while (read_pipe(in, &v) != 0) {}
      ++v;
      while (write_pipe(to, &v) != 0) {}
    }
  }
  kernel void produce_groups(write_only pipe int p, int rounds) {
    int n = get_local_size(0), i = get_local_id(0);
    for (int r = 0; r < rounds; ++r) {
      reserve_id_t id;
      do id = work_group_reserve_write_pipe(p, n); while (!is_valid_reserve_id(id));
      int v = (get_group_id(0) * rounds + r) * n + i;
      write_pipe(p, id, i, &v);
      work_group_commit_write_pipe(p, id);
    }
  }
  kernel void consume_groups(read_only pipe int p, int rounds, global int* out) {
    int n = get_local_size(0), i = get_local_id(0);
    for (int r = 0; r < rounds; ++r) {
      reserve_id_t id;
      do id = work_group_reserve_read_pipe(p, n); while (!is_valid_reserve_id(id));
      int v = -1;
      read_pipe(p, id, i, &v);
      work_group_commit_read_pipe(p, id);
      out[(get_group_id(0) * rounds + r) * n + i] = v;
    }
  }
  kernel void plain(global int* out) { out[get_global_id(0)] += 1; })";

class PipeStream : public ApiTest {
 protected:
  Buffer make_pipe(cl_uint max_packets) {
    cl_int error;
    Buffer pipe(clCreatePipe(context_, 0, sizeof(cl_int), max_packets, nullptr, &error));
    check(error, "clCreatePipe");
    return pipe;
  }
  template <class... Arguments>
  Kernel kernel(const char* name, const Arguments&... arguments) {
    auto made = make_kernel(program_, name);
    set_args(made, arguments...);
    return made;
  }
  // All numbers below `count`, each once, in any order.
  void expect_all(cl_mem buffer, int count) {
    auto got = read<cl_int>(queue_, buffer, count);
    std::sort(got.begin(), got.end());
    for (int i = 0; i < count; ++i)
      ASSERT_EQ(got[i], i);
  }
  Program program_ = build(context_, kSource, kLanguage);
  Queue any_order_ = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
};

TEST_F(PipeStream, OnTwoQueues) {
  const auto other = make_queue(context_);
  const cl_int count = 100'000;
  for (const cl_uint depth : {1, 2, 61}) {
    const auto pipe = make_pipe(depth);
    const auto out = make_buffer(context_, count * 4);
    const cl_int n = depth <= 2 ? count / 50 : count; // each waits for the other side
    check(enqueue(queue_, kernel("consume", pipe, n, out), {{1}, {1}, {}}), "consume");
    check(clFlush(queue_), "clFlush");
    check(enqueue(other, kernel("produce", pipe, n), {{1}, {1}, {}}), "produce");
    check(clFinish(other), "clFinish");
    const auto got = read<cl_int>(queue_, out, n);
    for (int i = 0; i < n; ++i)
      ASSERT_EQ(got[i], i) << "depth " << depth; // one writer, one reader: in order
  }
}

TEST_F(PipeStream, OnAnOutOfOrderQueue) {
  const cl_int count = 50'000;
  const auto pipe = make_pipe(100);
  const auto out = make_buffer(context_, count * 4);
  for (const bool consumer_first : {true, false}) {
    const auto consume = kernel("consume", pipe, count, out);
    const auto produce = kernel("produce", pipe, count);
    check(enqueue(any_order_, consumer_first ? consume : produce, {{1}, {1}, {}}), "first");
    check(enqueue(any_order_, consumer_first ? produce : consume, {{1}, {1}, {}}), "second");
    check(clFinish(any_order_), "clFinish");
    const auto got = read<cl_int>(queue_, out, count);
    for (int i = 0; i < count; ++i)
      ASSERT_EQ(got[i], i);
  }
}

// More groups than threads at both ends.
TEST_F(PipeStream, ManyGroups) {
  const size_t groups = 50;
  const cl_int each = 500;
  const auto pipe = make_pipe(16);
  const auto out = make_buffer(context_, groups * each * 4);
  check(enqueue(any_order_, kernel("consume", pipe, each, out), {{groups}, {1}, {}}), "consume");
  check(enqueue(any_order_, kernel("produce", pipe, each), {{groups}, {1}, {}}), "produce");
  check(clFinish(any_order_), "clFinish");
  expect_all(out, groups * each);
}

TEST_F(PipeStream, WorkGroupReservations) {
  const size_t groups = 6, size = 16;
  const cl_int rounds = 100;
  const auto pipe = make_pipe(40); // two reservations and a half
  const auto out = make_buffer(context_, groups * size * rounds * 4);
  check(enqueue(any_order_, kernel("consume_groups", pipe, rounds, out),
                {{groups * size}, {size}, {}}),
        "consume");
  check(enqueue(any_order_, kernel("produce_groups", pipe, rounds), {{groups * size}, {size}, {}}),
        "produce");
  check(clFinish(any_order_), "clFinish");
  const auto got = read<cl_int>(queue_, out, groups * size * rounds);
  for (size_t block = 0; block < groups * rounds; ++block)
    for (size_t i = 0; i < size; ++i)
      ASSERT_EQ(got[block * size + i], got[block * size] + int(i)) << "a reservation is contiguous";
  expect_all(out, groups * size * rounds);
}

// More mutually waiting kernels than the device has compute units.
TEST_F(PipeStream, ALongChain) {
  const auto stages = info<cl_uint>(device(), CL_DEVICE_MAX_COMPUTE_UNITS) + 4;
  const cl_int count = 5000;
  std::vector<Buffer> pipes;
  for (cl_uint i = 0; i <= stages; ++i)
    pipes.push_back(make_pipe(8));
  const auto out = make_buffer(context_, count * 4);
  check(enqueue(any_order_, kernel("consume", pipes[stages], count, out), {{1}, {1}, {}}), "last");
  for (cl_uint i = stages; i-- > 0;)
    check(enqueue(any_order_, kernel("filter", pipes[i], pipes[i + 1], count), {{1}, {1}, {}}),
          "filter");
  check(enqueue(any_order_, kernel("produce", pipes[0], count), {{1}, {1}, {}}), "first");
  check(clFinish(any_order_), "clFinish");
  const auto got = read<cl_int>(queue_, out, count);
  for (int i = 0; i < count; ++i)
    ASSERT_EQ(got[i], i + int(stages));
}

// Commands that the producer waits for must run, however many groups of the consumer are active.
TEST_F(PipeStream, WaitingKernelsLeaveRoomForOthers) {
  const size_t groups = 64;
  const cl_int each = 10;
  const auto pipe = make_pipe(16);
  const auto out = make_buffer(context_, groups * each * 4);
  const std::vector<cl_int> zeros(1 << 16);
  const auto other = make_buffer(context_, zeros.size() * 4, zeros.data());
  check(enqueue(any_order_, kernel("consume", pipe, each, out), {{groups}, {1}, {}}), "consume");
  Event before;
  check(enqueue(any_order_, kernel("plain", other), {{zeros.size()}, {64}, {}}, before.out()),
        "plain");
  check(enqueue(any_order_, kernel("produce", pipe, each), {{groups}, {1}, {}}, nullptr, {before}),
        "produce");
  check(clFinish(any_order_), "clFinish");
  expect_all(out, groups * each);
}

// A thread that waits for one command must not run another one that waits for a command which the
// thread has not enqueued yet.
TEST_F(PipeStream, WaitingThreadsDoNotHelpWithKernelsThatWait) {
  const cl_int count = 1000;
  const auto pipe = make_pipe(16);
  const auto out = make_buffer(context_, count * 4);
  const std::vector<cl_int> zeros(64);
  const auto other = make_buffer(context_, zeros.size() * 4, zeros.data());
  check(enqueue(any_order_, kernel("consume", pipe, count, out), {{1}, {1}, {}}), "consume");
  Event event;
  check(enqueue(any_order_, kernel("plain", other), {{64}, {64}, {}}, event.out()), "plain");
  check(clWaitForEvents(1, event.address()), "clWaitForEvents");
  EXPECT_EQ(read<cl_int>(any_order_, other, 64), std::vector<cl_int>(64, 1));
  check(enqueue(any_order_, kernel("produce", pipe, count), {{1}, {1}, {}}), "produce");
  check(clFinish(any_order_), "clFinish");
  expect_all(out, count);
}

// Auxiliary threads also run callbacks.
TEST_F(PipeStream, EventCallbacks) {
  const cl_int count = 10;
  const auto pipe = make_pipe(16);
  cl_int error;
  const Event gate(clCreateUserEvent(context_, &error));
  check(error, "clCreateUserEvent");
  Event event;
  check(enqueue(queue_, kernel("produce", pipe, count), {{1}, {1}, {}}, event.out(), {gate}),
        "produce");
  std::atomic<int> told{1};
  check(clSetEventCallback(
            event, CL_COMPLETE,
            [](cl_event, cl_int status, void* to) { *static_cast<std::atomic<int>*>(to) = status; },
            &told),
        "clSetEventCallback");
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  for (int i = 0; i < 10'000 && told == 1; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(told, CL_COMPLETE);
}

// Auxiliary threads do not exist in a forked child; it, and its own child, must start new ones.
TEST_F(PipeStream, InForkedChildren) {
  const cl_int count = 2000;
  const auto stream = [&] {
    const auto pipe = make_pipe(16);
    const auto out = make_buffer(context_, count * 4);
    check(enqueue(any_order_, kernel("consume", pipe, count, out), {{1}, {1}, {}}), "consume");
    check(enqueue(any_order_, kernel("produce", pipe, count), {{1}, {1}, {}}), "produce");
    check(clFinish(any_order_), "clFinish");
    expect_all(out, count);
    return !HasFailure();
  };
  ASSERT_TRUE(stream());
  const auto in_child = [](auto work) {
    const auto child = fork();
    if (child == 0)
      _exit(work() ? 0 : 1);
    int status = -1;
    waitpid(child, &status, 0);
    return status == 0;
  };
  EXPECT_TRUE(in_child([&] { return stream() && in_child(stream); }));
  EXPECT_TRUE(stream());
}

} // namespace
} // namespace heddle::test
