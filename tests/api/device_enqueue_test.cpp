// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-side enqueue (OpenCL C 6.15.15): what kernels enqueue, in which order it runs, and errors.
#include "tests/api/device_queue.h"

#include <atomic>
#include <numeric>

namespace heddle::test {
namespace {

// Each of the work-items enqueues its own child, with its own captures, in and out of divergence.
TEST_F(DeviceEnqueueTest, EachWorkItemEnqueues) {
  const auto out = run_source(R"(
    kernel void k(global int* out) {
      const int id = get_global_id(0);
      const char c = id;
      const long big = id * 1000L;
      if (id % 3 != 1)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4),
                       ^{ out[id * 4 + get_global_id(0)] = big + c + get_global_id(0); });
    })",
                              100, 400, "");
  for (int id = 0; id != 100; ++id)
    for (int i = 0; i != 4; ++i)
      ASSERT_EQ(out[id * 4 + i], id % 3 == 1 ? 0 : id * 1001 + i) << id << " " << i;
}

TEST_F(DeviceEnqueueTest, Ranges) {
  const auto out = run_source(R"(
    void note(global int* out) {
      atomic_add(out, 1);
      atomic_add(out + 1, (int)get_global_id(0));
      atomic_add(out + 2, (int)get_global_id(1));
      atomic_add(out + 3, (int)get_global_id(2));
      if (get_global_linear_id() == 0) {
        out[4] = get_work_dim();
        out[5] = get_global_size(0); out[6] = get_global_size(1); out[7] = get_global_size(2);
        out[8] = get_enqueued_local_size(0); out[9] = get_enqueued_local_size(1);
        out[10] = get_enqueued_local_size(2); out[11] = get_global_offset(0);
        out[12] = get_global_offset(1); out[13] = get_global_offset(2);
      }
    }
    kernel void k(global int* out) {
      const queue_t q = get_default_queue();
      const size_t g2[2] = {6, 4}, l2[2] = {3, 2}, o2[2] = {10, 20};
      const size_t g3[3] = {4, 3, 2}, l3[3] = {2, 3, 1}, o3[3] = {1, 2, 3};
      int bad = 0;
      bad |= enqueue_kernel(q, 0, ndrange_1D(10), ^{ note(out); });
      bad |= enqueue_kernel(q, 0, ndrange_1D(10, 5), ^{ note(out + 16); });
      bad |= enqueue_kernel(q, 0, ndrange_1D(100, 10, 5), ^{ note(out + 32); });
      bad |= enqueue_kernel(q, 0, ndrange_2D(g2), ^{ note(out + 48); });
      bad |= enqueue_kernel(q, 0, ndrange_2D(g2, l2), ^{ note(out + 64); });
      bad |= enqueue_kernel(q, 0, ndrange_2D(o2, g2, l2), ^{ note(out + 80); });
      bad |= enqueue_kernel(q, 0, ndrange_3D(g3), ^{ note(out + 96); });
      bad |= enqueue_kernel(q, 0, ndrange_3D(g3, l3), ^{ note(out + 112); });
      bad |= enqueue_kernel(q, 0, ndrange_3D(o3, g3, l3), ^{ note(out + 128); });
      bad |= enqueue_kernel(q, 0, ndrange_1D(0), ^{ note(out + 144); });
      out[15] = bad;
    })",
                              1, 160, "");
  EXPECT_EQ(out[15], 0);
  const int expected[10][14] = {
      // count, sums of ids, dimensions, sizes, local sizes (0: any), offsets
      {10, 45, 0, 0, 1, 10, 1, 1, 0, 1, 1, 0, 0, 0},
      {10, 45, 0, 0, 1, 10, 1, 1, 5, 1, 1, 0, 0, 0},
      {10, 1045, 0, 0, 1, 10, 1, 1, 5, 1, 1, 100, 0, 0},
      {24, 60, 36, 0, 2, 6, 4, 1, 0, 0, 1, 0, 0, 0},
      {24, 60, 36, 0, 2, 6, 4, 1, 3, 2, 1, 0, 0, 0},
      {24, 300, 516, 0, 2, 6, 4, 1, 3, 2, 1, 10, 20, 0},
      {24, 36, 24, 12, 3, 4, 3, 2, 0, 0, 0, 0, 0, 0},
      {24, 36, 24, 12, 3, 4, 3, 2, 2, 3, 1, 0, 0, 0},
      {24, 60, 72, 84, 3, 4, 3, 2, 2, 3, 1, 1, 2, 3},
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}};
  for (int block = 0; block != 10; ++block)
    for (int i = 0; i != 14; ++i) {
      if (expected[block][i] != 0 || i < 8) {
        EXPECT_EQ(out[block * 16 + i], expected[block][i]) << block << " " << i;
      }
    }
}

// Blocks are kernels: local memory of both kinds, barriers, work-group and sub-group functions.
TEST_F(DeviceEnqueueTest, LocalMemoryAndBarriers) {
  const auto out = run_source(R"(
    kernel void k(global int* out) {
      const int n = 64;
      void (^sums)(local void*, local void*) = ^(local void* a, local void* b) {
        local int* values = a;
        local long* wide = b;
        const int id = get_local_id(0);
        values[id] = get_global_id(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        wide[id] = values[n - 1 - id];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = wide[id] + work_group_reduce_add(1);
      };
      out[1024] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL,
                                 ndrange_1D(1024, n), sums, n * (uint)sizeof(int), n * (uint)sizeof(long));
    })",
                              1, 1025, "");
  EXPECT_EQ(out[1024], 0);
  for (int i = 0; i != 1024; ++i)
    ASSERT_EQ(out[i], i / 64 * 64 + 63 - i % 64 + 64) << i;
}

// cl_khr_device_enqueue_local_arg_types: blocks with pointers to other types than void.
TEST_F(DeviceEnqueueTest, TypedLocalArguments) {
  if (device_text(CL_DEVICE_EXTENSIONS).find("cl_khr_device_enqueue_local_arg_types") ==
      std::string::npos)
    GTEST_SKIP();
  const auto out = run_source(R"(
    #pragma OPENCL EXTENSION cl_khr_device_enqueue_local_arg_types : enable
    typedef struct { int x; double y; } Pair;
    kernel void k(global int* out) {
      void (^block)(local int*, local Pair*) = ^(local int* a, local Pair* b) {
        const int id = get_local_id(0);
        a[id] = id;
        b[id].y = id * 0.5;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[id] = a[31 - id] + (int)(2 * b[31 - id].y);
      };
      out[32] = enqueue_kernel(get_default_queue(), 0, ndrange_1D(32, 32), block, 32 * 4u, 32 * 16u);
      out[33] = enqueue_kernel(get_default_queue(), 0, ndrange_1D(1),
                               ^(local float* p) { *p = 1.5f; out[34] = (int)(*p * 2); }, 4u);
      out[35] = get_kernel_work_group_size(block) >= 32 &&
                get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(32), block) > 0;
    })",
                              1, 36, "");
  for (int i = 0; i != 32; ++i)
    ASSERT_EQ(out[i], 2 * (31 - i)) << i;
  EXPECT_EQ(std::vector<cl_int>(out.begin() + 32, out.end()), (std::vector<cl_int>{0, 0, 3, 1}));
}

// With WAIT_KERNEL a child sees all that the parent wrote; with WAIT_WORK_GROUP what the group did.
TEST_F(DeviceEnqueueTest, Flags) {
  const auto out = run_source(R"(
    kernel void k(global int* out) {
      const int group = get_group_id(0);
      if (get_global_id(0) == 0)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
          int sum = 0;
          for (int i = 0; i < 4096; ++i) sum += out[i];
          out[4096] = sum;
        });
      if (get_local_id(0) == 0)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(1), ^{
          int sum = 0;
          for (int i = 0; i < 64; ++i) sum += out[group * 64 + i];
          out[4097 + group] = sum;
        });
      barrier(CLK_GLOBAL_MEM_FENCE);
      out[get_global_id(0)] = 1;
    })",
                              4096, 4097 + 4096, "-DX");
  EXPECT_EQ(out[4096], 4096);
}

// A chain of children: each enqueues the next one, 50,000 deep; with events every fourth one.
TEST_F(DeviceEnqueueTest, DeepChain) {
  const auto out = run_source(R"(
    void next(global int* out, int left) {
      out[0] += 1;
      if (left == 0) return;
      if (left % 4 == 0) {
        clk_event_t event;
        if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), 0, NULL,
                           &event, ^{ next(out, left - 1); }))
          out[1] = 1;
        release_event(event);
      } else if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                                ^{ next(out, left - 1); }))
        out[1] = 1;
    }
    kernel void k(global int* out) { next(out, 50000); })",
                              1, 2, "");
  EXPECT_EQ(out[0], 50001);
  EXPECT_EQ(out[1], 0);
}

// A tree of 2^14 leaves; the root is complete when all of them are.
TEST_F(DeviceEnqueueTest, Tree) {
  const auto out = run_source(R"(
    void grow(global int* out, int level) {
      if (level == 14) { atomic_add(out, 1); return; }
      for (int i = 0; i < 2; ++i)
        if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                           ^{ grow(out, level + 1); }))
          atomic_add(out + 1, 1);
    }
    kernel void k(global int* out) { grow(out, 0); })",
                              1, 2, "");
  EXPECT_EQ(out[0], 1 << 14);
  EXPECT_EQ(out[1], 0);
}

// What does not fit is refused, and everything else runs.
TEST_F(DeviceEnqueueTest, FullQueue) {
  const std::string source = R"(
    kernel void k(global int* out, queue_t queue) {
      clk_event_t gate = create_user_event();
      int done = 0, error = 0;
      for (int i = 0; i < 10000; ++i) {
        const int status = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &gate,
                                          NULL, ^{ atomic_add(out, 1); });
        if (status == CLK_SUCCESS) ++done; else error = status;
      }
      out[1] = done;
      out[2] = error;
      set_user_event_status(gate, CL_COMPLETE);
      release_event(gate);
    })";
  const auto queue = make_device_queue(context_, 0, 64 << 10);
  for (const bool detailed : {false, true}) {
    const auto out = run_source(source, 1, 3, detailed ? "-g" : "", queue.get());
    EXPECT_GT(out[1], 100);
    EXPECT_LT(out[1], 10000);
    EXPECT_EQ(out[0], out[1]);
    EXPECT_EQ(out[2], detailed ? -161 : -101); // CLK_DEVICE_QUEUE_FULL, CLK_ENQUEUE_FAILURE
  }
}

TEST_F(DeviceEnqueueTest, Errors) {
  const std::string source = R"(
    kernel void k(global int* out, queue_t queue) {
      queue_t none;
      *(private ulong*)&none = 12345;
      clk_event_t bad = CLK_NULL_EVENT, event;
      void (^nothing)(void) = ^{};
      void (^takes)(local void*) = ^(local void* p) { *(local int*)p = 1; };
      out[0] = enqueue_kernel(none, 0, ndrange_1D(1), nothing);
      out[1] = enqueue_kernel(queue, 0, ndrange_1D(8, 0x10000), nothing);
      ndrange_t odd = ndrange_1D(1);
      odd.workDimension = 4;
      out[2] = enqueue_kernel(queue, 0, odd, nothing);
      out[3] = enqueue_kernel(queue, 0, ndrange_1D(1), 1, &bad, &event, nothing);
      out[4] = enqueue_kernel(queue, 0, ndrange_1D(1), 2, NULL, &event, nothing);
      out[5] = enqueue_kernel(queue, 0, ndrange_1D(1), takes, 0u);
      out[6] = enqueue_kernel(queue, 0, ndrange_1D(1), takes, 0x10000000u);
      out[7] = enqueue_marker(none, 0, NULL, &event);
      out[8] = enqueue_marker(queue, 1, &bad, &event);
      out[9] = enqueue_kernel(queue, 0, ndrange_1D(5, 2), nothing);
      out[10] = enqueue_kernel(queue, 0, ndrange_1D(8, 2), nothing);
    })";
  const std::vector<int> detailed = {-102, -160, -160, -57, -57, -51, -51, -102, -57, 0, 0};
  EXPECT_EQ(run_source(source, 1, 11, "-g", default_queue_.get()), detailed);
  auto uniform = detailed;
  uniform[9] = -160;
  EXPECT_EQ(run_source(source, 1, 11, "-g -cl-uniform-work-group-size", default_queue_.get()),
            uniform);
  auto plain = detailed;
  for (auto& status : plain)
    status = status == 0 ? 0 : -101;
  EXPECT_EQ(run_source(source, 1, 11, "", default_queue_.get()), plain);
}

// Without a default queue.
TEST_F(DeviceEnqueueTest, NoDefaultQueue) {
  default_queue_.reset();
  const auto out = run_source(R"(
    kernel void k(global int* out) {
      out[0] = enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ out[1] = 1; });
    })",
                              1, 2, "-g");
  EXPECT_EQ(out[0], -102);
  EXPECT_EQ(out[1], 0);
}

TEST_F(DeviceEnqueueTest, BlockQueries) {
  const auto out = run_source(R"(
    kernel void k(global int* out) {
      void (^block)(void) = ^{ out[10] = get_sub_group_size(); out[11] = get_num_sub_groups(); };
      const ndrange_t range = ndrange_1D(200, 100);
      out[0] = get_kernel_work_group_size(block);
      out[1] = get_kernel_preferred_work_group_size_multiple(block);
      out[2] = get_kernel_sub_group_count_for_ndrange(range, block);
      out[3] = get_kernel_max_sub_group_size_for_ndrange(range, block);
      enqueue_kernel(get_default_queue(), 0, range, block);
    })",
                              1, 12, "");
  EXPECT_GE(out[0], 100);
  EXPECT_GE(out[1], 1);
  EXPECT_EQ(out[2], (100 + out[3] - 1) / out[3]);
  EXPECT_EQ(out[11], out[2]);
  EXPECT_LE(out[10], out[3]);
}

// A direct call of a block, and a block at program scope.
TEST_F(DeviceEnqueueTest, CalledBlocks) {
  const auto out = run_source(R"(
    constant int (^const twice)(int) = ^(int x) { return 2 * x; };
    kernel void k(global int* out) {
      const int id = get_global_id(0);
      int (^plus)(int) = ^(int x) { return x + id; };
      out[id] = plus(twice(plus(1))) + ^(int x) { return x * 100; }(id);
    })",
                              64, 64, "");
  for (int id = 0; id != 64; ++id)
    ASSERT_EQ(out[id], (1 + id) * 2 + id + id * 100);
}

TEST_F(DeviceEnqueueTest, ReplacedDefaultQueue) {
  const auto small = make_device_queue(context_, 0, 128);
  const std::string source = R"(
    kernel void k(global int* out) {
      for (int i = 0; i < 2; ++i)
        out[i] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                                ^{ out[2] += 1; });
    })";
  EXPECT_EQ(run_source(source, 1, 3, "-g")[1], 0);
  ASSERT_EQ(clSetDefaultDeviceCommandQueue(context_, device(), small), CL_SUCCESS);
  EXPECT_EQ(run_source(source, 1, 3, "-g")[1], -161);
}

// printf of a child is written before the parent is complete; a child that faults fails the parent.
TEST_F(DeviceEnqueueTest, FaultInChild) {
  struct Seen {
    std::string text;
    static void CL_CALLBACK note(const char* message, const void*, size_t, void* seen) {
      static_cast<Seen*>(seen)->text += message;
    }
  } seen;
  const auto context = make_context(Seen::note, &seen);
  const auto queue = make_queue(context);
  const auto on_device = make_device_queue(context, CL_QUEUE_ON_DEVICE_DEFAULT);
  const auto program = build(context, R"(
    kernel void k(global int* out) {
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                     ^{ *(global volatile int*)64 = 1; });
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                     ^{ out[0] = 5; });
    })",
                             "-cl-std=CL3.0");
  const auto kernel = make_kernel(program, "k");
  const auto out = make_buffer(context, 4);
  set_args(kernel, out);
  Event event;
  ASSERT_EQ(enqueue(queue, kernel, {{1}, {}, {}}, event.out()), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, event.address()), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(event_status(event), CL_OUT_OF_RESOURCES);
  EXPECT_NE(seen.text.find("__k_block_invoke"), std::string::npos) << seen.text;
  EXPECT_EQ(read<cl_int>(queue, out, 1)[0], 5);
}

// The parent fails: children that wait for it are not run, and nothing hangs.
TEST_F(DeviceEnqueueTest, FaultInParent) {
  const auto program = build(context_, R"(
    kernel void k(global int* out) {
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                     ^{ out[0] = 5; });
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(1),
                     ^{ out[0] = 6; });
      *(global volatile int*)64 = 1;
    })",
                             "-cl-std=CL3.0");
  const auto kernel = make_kernel(program, "k");
  const cl_int zero = 0;
  const auto out = make_buffer(context_, 4, &zero);
  set_args(kernel, out);
  Event event;
  ASSERT_EQ(enqueue(queue_, kernel, {{1}, {}, {}}, event.out()), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, event.address()), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(read<cl_int>(queue_, out, 1)[0], 0);
}

} // namespace
} // namespace heddle::test
