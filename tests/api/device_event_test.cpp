// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events of device queues (OpenCL C 6.15.15.5): dependencies, user events, markers, profiling.
#include "tests/api/device_queue.h"

#include <numeric>

namespace heddle::test {
namespace {

class DeviceEventTest : public DeviceEnqueueTest {};

// A diamond of dependencies, many times.
TEST_F(DeviceEventTest, WaitLists) {
  const auto out = run_source(R"(
    kernel void k(global int* all) {
      const queue_t q = get_default_queue();
      global int* out = all + get_global_id(0) * 4;
      clk_event_t first, sides[2], last;
      enqueue_kernel(q, 0, ndrange_1D(1), 0, NULL, &first, ^{ out[0] = 3; });
      enqueue_kernel(q, 0, ndrange_1D(1), 1, &first, &sides[0], ^{ out[1] = out[0] * 2; });
      enqueue_kernel(q, 0, ndrange_1D(1), 1, &first, &sides[1], ^{ out[2] = out[0] * 5; });
      enqueue_kernel(q, 0, ndrange_1D(1), 2, sides, &last, ^{ out[3] = out[1] + out[2]; });
      release_event(first);
      release_event(sides[0]);
      release_event(sides[1]);
      release_event(last);
    })",
                              200, 800, "");
  for (int i = 0; i != 200; ++i)
    ASSERT_EQ(out[i * 4 + 3], 21) << i;
}

// An event of a child is complete when the child's children are.
TEST_F(DeviceEventTest, EventWaitsForGrandchildren) {
  const auto out = run_source(R"(
    kernel void k(global int* out) {
      const queue_t q = get_default_queue();
      clk_event_t event;
      enqueue_kernel(q, 0, ndrange_1D(1), 0, NULL, &event, ^{
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1000), ^{
          atomic_add(out, 1);
          enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                         ^{ atomic_add(out, 1); });
        });
      });
      enqueue_kernel(q, 0, ndrange_1D(1), 1, &event, NULL, ^{ out[1] = out[0]; });
      release_event(event);
    })",
                              1, 2, "");
  EXPECT_EQ(out[0], 2000);
  EXPECT_EQ(out[1], 2000);
}

TEST_F(DeviceEventTest, SameVariableForWaitListAndEvent) {
  const auto out = run_source(R"(
    kernel void k(global int* out) {
      clk_event_t event, before;
      enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), 0, NULL, &event, ^{ out[0] = 1; });
      for (int i = 0; i < 100; ++i) {
        before = event;
        enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), 1, &event, &event,
                       ^{ out[0] = out[0] * 3 + 1; });
        release_event(before);
      }
      release_event(event);
    })",
                              1, 1, "");
  cl_int expected = 1;
  for (int i = 0; i != 100; ++i)
    expected = static_cast<cl_int>(static_cast<cl_uint>(expected) * 3u + 1u);
  EXPECT_EQ(out[0], expected);
}

TEST_F(DeviceEventTest, UserEvents) {
  const auto out = run_source(R"(
    kernel void k(global int* out) {
      const queue_t q = get_default_queue();
      clk_event_t good = create_user_event(), bad = create_user_event(), none = CLK_NULL_EVENT;
      out[0] = is_valid_event(good);
      out[1] = is_valid_event(none);
      enqueue_kernel(q, 0, ndrange_1D(1), 1, &good, NULL, ^{ out[2] = 1; });
      enqueue_kernel(q, 0, ndrange_1D(1), 1, &bad, NULL, ^{ out[3] = 1; });
      clk_event_t both[2] = {good, bad}, marker;
      out[4] = enqueue_marker(q, 2, both, &marker);
      enqueue_kernel(q, 0, ndrange_1D(1), 1, &marker, NULL, ^{ out[5] = 1; });
      retain_event(good);
      release_event(good);
      out[6] = is_valid_event(good);
      set_user_event_status(good, CL_COMPLETE);
      set_user_event_status(bad, -1);
      release_event(marker);
      release_event(good);
      release_event(bad);
      out[7] = is_valid_event(good);
    })",
                              1, 8, "");
  EXPECT_EQ(out, (std::vector<cl_int>{1, 0, 1, 0, 0, 0, 1, 0}));
}

TEST_F(DeviceEventTest, ManyEvents) {
  const auto out = run_source(R"(
    kernel void k(global int* out) {
      clk_event_t events[1500];
      int valid = 0;
      for (int i = 0; i < 1500; ++i) {
        events[i] = create_user_event();
        valid += is_valid_event(events[i]);
      }
      out[0] = valid;
      out[1] = enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), 1500, events, NULL,
                              ^{ out[2] = 1; });
      for (int i = 0; i < 1500; ++i) {
        set_user_event_status(events[i], CL_COMPLETE);
        release_event(events[i]);
      }
    })",
                              1, 3, "");
  EXPECT_EQ(out, (std::vector<cl_int>{1500, 0, 1}));
}

// The two times of capture_event_profiling_info: to the end of the child, and with its children.
TEST_F(DeviceEventTest, Profiling) {
  const auto queue = make_device_queue(context_, CL_QUEUE_PROFILING_ENABLE);
  const auto program = build(context_, R"(
    kernel void k(global ulong* times, queue_t q, global uint* sink) {
      clk_event_t event;
      enqueue_kernel(q, 0, ndrange_1D(1), 0, NULL, &event, ^{
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
          uint x = *sink;
          for (int i = 0; i < 1000000; ++i) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; }
          *sink = x;
        });
      });
      capture_event_profiling_info(event, CLK_PROFILING_COMMAND_EXEC_TIME, times);
      release_event(event);
    })",
                             "-cl-std=CL3.0");
  const auto kernel = make_kernel(program, "k");
  const std::vector<cl_ulong> zeros(2);
  const auto times = make_buffer(context_, 16, zeros.data());
  const cl_uint seed = 1;
  const auto sink = make_buffer(context_, 4, &seed);
  set_args(kernel, times, queue.get(), sink);
  run(queue_, kernel, {{1}, {}, {}});
  const auto taken = read<cl_ulong>(queue_, times, 2);
  EXPECT_GT(taken[0], 0u);
  EXPECT_GT(taken[1], taken[0] + 100'000);
  EXPECT_LT(taken[1], 10'000'000'000u);
}

// On the host: a command has ended before it is complete.
TEST_F(DeviceEventTest, ProfilingOfParent) {
  const auto queue = make_queue(context_, CL_QUEUE_PROFILING_ENABLE);
  const auto program = build(context_, R"(
    kernel void k(global uint* sink) {
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
        uint x = *sink;
        for (int i = 0; i < 1000000; ++i) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; }
        *sink = x;
      });
    })",
                             "-cl-std=CL3.0");
  const auto kernel = make_kernel(program, "k");
  const cl_uint seed = 1;
  const auto sink = make_buffer(context_, 4, &seed);
  set_args(kernel, sink);
  Event event;
  ASSERT_EQ(enqueue(queue, kernel, {{1}, {}, {}}, event.out()), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_GE(profiling(event, CL_PROFILING_COMMAND_COMPLETE),
            profiling(event, CL_PROFILING_COMMAND_END) + 100'000);
}

} // namespace
} // namespace heddle::test
