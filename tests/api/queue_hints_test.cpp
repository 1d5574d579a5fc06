// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues with hints: cl_khr_priority_hints, cl_khr_throttle_hints (OpenCL API 5.1).
#include "tests/api/api_test.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace heddle::test {
namespace {

class QueueHintsTest : public ApiTest {
 protected:
  Queue make(cl_queue_properties priority, cl_queue_properties throttle,
             cl_command_queue_properties flags = 0) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES,
                                        flags,
                                        CL_QUEUE_PRIORITY_KHR,
                                        priority,
                                        CL_QUEUE_THROTTLE_KHR,
                                        throttle,
                                        0};
    cl_int status = 1;
    Queue queue(clCreateCommandQueueWithProperties(context_, device(), list, &status));
    check(status, "clCreateCommandQueueWithProperties");
    return queue;
  }
  cl_int creation_error(std::vector<cl_queue_properties> list) {
    list.push_back(0);
    cl_int status = 1;
    const Queue queue(clCreateCommandQueueWithProperties(context_, device(), list.data(), &status));
    EXPECT_EQ(queue.get() == nullptr, status != CL_SUCCESS);
    return status;
  }
  const unsigned units_ = info<cl_uint>(device(), CL_DEVICE_MAX_COMPUTE_UNITS);
};

// A native kernel that calls a function object.
template <class Body>
cl_int enqueue_native(cl_command_queue queue, Body& body, cl_event* event = nullptr) {
  auto* pointer = &body;
  return clEnqueueNativeKernel(
      queue, [](void* arguments) { (**static_cast<Body**>(arguments))(); }, &pointer,
      sizeof pointer, 0, nullptr, nullptr, 0, nullptr, event);
}

TEST_F(QueueHintsTest, Errors) {
  for (const cl_queue_properties name : {CL_QUEUE_PRIORITY_KHR, CL_QUEUE_THROTTLE_KHR}) {
    for (const cl_queue_properties value : {0, 3, 6, 8, -1})
      EXPECT_EQ(creation_error({name, value}), CL_INVALID_VALUE) << value;
    EXPECT_EQ(creation_error({name, 1, name, 1}), CL_INVALID_VALUE);
    EXPECT_EQ(
        creation_error({CL_QUEUE_PROPERTIES,
                        CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, name, 2}),
        CL_INVALID_QUEUE_PROPERTIES);
  }
}

TEST_F(QueueHintsTest, AllCombinationsRunCommands) {
  const auto program =
      build(context_, "kernel void add(global int* x) { x[get_global_id(0)] += 1; }");
  const auto kernel = make_kernel(program, "add");
  const std::vector<cl_int> zeros(10000);
  const auto buffer = make_buffer(context_, zeros.size() * 4, zeros.data());
  set_args(kernel, buffer);
  cl_int launches = 0;
  for (const cl_queue_properties priority : {1, 2, 4})
    for (const cl_queue_properties throttle : {1, 2, 4})
      for (const auto flags : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
        const auto queue = make(priority, throttle, static_cast<cl_ulong>(flags));
        cl_queue_properties kept[7] = {};
        ASSERT_EQ(
            clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof kept, kept, nullptr),
            CL_SUCCESS);
        EXPECT_EQ(kept[3], priority);
        EXPECT_EQ(kept[5], throttle);
        run(queue, kernel, {{zeros.size()}, {}, {}});
        ++launches;
      }
  const auto sums = read<cl_int>(queue_, buffer, zeros.size());
  EXPECT_EQ(std::count(sums.begin(), sums.end(), launches), static_cast<long>(zeros.size()));
}

// With all compute units occupied, commands are enqueued in the order low, medium, high; when the
// units are free again, they run in the opposite one.
TEST_F(QueueHintsTest, HigherPriorityFirst) {
  constexpr int kEach = 12;
  const auto low = make(CL_QUEUE_PRIORITY_LOW_KHR, 2, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto medium = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto high = make(CL_QUEUE_PRIORITY_HIGH_KHR, 2, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  std::atomic<unsigned> occupied{0};
  std::atomic<bool> go{false};
  auto occupy = [&] {
    ++occupied;
    while (!go)
      std::this_thread::sleep_for(std::chrono::microseconds(100));
  };
  for (unsigned i = 0; i < units_; ++i)
    ASSERT_EQ(enqueue_native(medium, occupy), CL_SUCCESS);
  ASSERT_EQ(clFlush(medium), CL_SUCCESS);
  while (occupied != units_)
    std::this_thread::yield();
  std::atomic<int> begun{0};
  struct Record {
    std::atomic<int>& begun;
    std::vector<int> numbers{};
    std::atomic<int> count{0};
    void operator()() {
      const int number = begun++;
      numbers[static_cast<std::size_t>(count++)] = number;
    }
  };
  Record records[3] = {{begun}, {begun}, {begun}};
  const cl_command_queue queues[] = {low, medium, high};
  for (int i = 0; i < 3; ++i) {
    records[i].numbers.resize(kEach);
    for (int n = 0; n < kEach; ++n)
      ASSERT_EQ(enqueue_native(queues[i], records[i]), CL_SUCCESS);
  }
  go = true;
  for (auto* queue : {high.get(), medium.get(), low.get()}) // this thread runs its commands
    ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  // Each thread, also this one, may take a command and lose its processor before the command
  // counts.
  const int slack = static_cast<int>(units_) + 1;
  const auto last_in_time = [&](Record& record) {
    std::ranges::sort(record.numbers);
    return record.numbers[static_cast<std::size_t>(kEach - 1 - slack)];
  };
  EXPECT_LT(last_in_time(records[2]), kEach + slack);
  EXPECT_LT(last_in_time(records[1]), 2 * kEach + slack);
  EXPECT_GE(*std::ranges::min_element(records[0].numbers), 2 * kEach - slack);
}

// A stream of commands of high priority that lasts until one of low priority has run.
TEST_F(QueueHintsTest, LowPriorityDoesNotStarve) {
  const auto low = make(CL_QUEUE_PRIORITY_LOW_KHR, 2);
  const auto high = make(CL_QUEUE_PRIORITY_HIGH_KHR, 2, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  std::atomic<bool> has_run{false};
  std::atomic<int> left{0};
  auto own = [&] { has_run = true; };
  auto other = [&] {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    --left;
  };
  const auto begin = std::chrono::steady_clock::now();
  bool is_enqueued = false;
  while (!has_run && std::chrono::steady_clock::now() - begin < std::chrono::seconds(60)) {
    while (left < 20 * static_cast<int>(units_)) {
      ++left;
      ASSERT_EQ(enqueue_native(high, other), CL_SUCCESS);
    }
    if (!std::exchange(is_enqueued, true)) {
      ASSERT_EQ(enqueue_native(low, own), CL_SUCCESS);
      ASSERT_EQ(clFlush(low), CL_SUCCESS);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  EXPECT_TRUE(has_run);
  ASSERT_EQ(clFinish(high), CL_SUCCESS);
  ASSERT_EQ(clFinish(low), CL_SUCCESS);
}

// Threads that run a large kernel, or copy much, run what has a higher priority meanwhile.
TEST_F(QueueHintsTest, LargeCommandsGiveWay) {
  const auto program = build(context_, R"(
    kernel void large(global uint* x, global int* begun, int rounds) {
      uint v = (uint)get_global_id(0);
      if (get_global_id(0) == 0)
        atomic_inc(begun);
      for (int i = 0; i < rounds; ++i)
        v = v * 1664525u + (v >> 7);
      x[get_global_id(0)] = v;
    }
    kernel void brief(global uint* x) { x[0] = 7; })");
  const auto large = make_kernel(program, "large");
  const auto brief = make_kernel(program, "brief");
  const size_t groups = 4000 * size_t{units_};
  const auto buffer = make_buffer(context_, groups * 4);
  const auto other = make_buffer(context_, 4);
  const auto begun = make_buffer(context_, 4, std::vector<cl_int>(1).data());
  const auto low = make(CL_QUEUE_PRIORITY_LOW_KHR, 2);
  const auto high = make(CL_QUEUE_PRIORITY_HIGH_KHR, 2);
  set_args(brief, other);
  set_args(large, buffer, begun, cl_int{10});
  run(high, brief, {{1}, {}, {}}); // both are built
  run(low, large, {{groups}, {1}, {}});
  set_args(large, buffer, begun, cl_int{50'000}); // a second
  Event event, second;
  ASSERT_EQ(enqueue(low, large, {{groups}, {1}, {}}, event.out()), CL_SUCCESS);
  ASSERT_EQ(clFlush(low), CL_SUCCESS);
  while (event_status(event) > CL_RUNNING)
    std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(50)); // all units are at work
  for (const cl_command_queue queue : {high.get(), queue_.get()}) {
    ASSERT_EQ(enqueue(queue, brief, {{1}, {}, {}}, second.out()), CL_SUCCESS);
    ASSERT_EQ(clWaitForEvents(1, second.address()), CL_SUCCESS);
    EXPECT_EQ(event_status(event), CL_RUNNING);
  }
  ASSERT_EQ(clFinish(low), CL_SUCCESS);
}

TEST_F(QueueHintsTest, LowThrottleUsesAQuarterOfTheUnits) {
  const auto queue = make(2, CL_QUEUE_THROTTLE_LOW_KHR, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  std::atomic<int> running{0}, most{0};
  auto body = [&] {
    const int now = ++running;
    int seen = most;
    while (seen < now && !most.compare_exchange_weak(seen, now))
      ;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    --running;
  };
  for (unsigned i = 0; i < 8 * units_; ++i)
    ASSERT_EQ(enqueue_native(queue, body), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_LE(most, static_cast<int>((units_ + 3) / 4));
  EXPECT_GE(most, 1);
}

} // namespace
} // namespace heddle::test
