// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_command_buffer_multi_device: command buffers of several queues, and remapping.
#include "command_buffer_harness.h"

#include <algorithm>
#include <memory>

namespace {

using namespace conformance;
using namespace command_buffers;

class CommandBufferDevices : public CommandBufferTest {
 protected:
  void SetUp() override {
    if (!has_extension("cl_khr_command_buffer_multi_device"))
      GTEST_SKIP() << "no cl_khr_command_buffer_multi_device";
    CommandBufferTest::SetUp();
    capabilities = info<cl_bitfield>(clGetDeviceInfo, device, DEVICE_CAPABILITIES);
    platform_capabilities =
        info<cl_bitfield>(clGetPlatformInfo, Target::get().platform, PLATFORM_CAPABILITIES);
  }
  void TearDown() override {
    step.reset();
    add.reset();
    program.reset();
    queue.reset();
    context.reset();
    for (auto* part : parts)
      clReleaseDevice(part);
  }
  // A context of the device and two halves of it; false if it has none.
  bool split() {
    const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                       CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    const auto units = info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_COMPUTE_UNITS);
    cl_uint count = 0;
    for (int i = 0; i < 2; ++i) {
      cl_device_id part = nullptr;
      if (units < 1 || clCreateSubDevices(device, properties, 1, &part, &count) != CL_SUCCESS)
        return false;
      parts.push_back(part);
    }
    const cl_device_id devices[] = {device, parts[0], parts[1]};
    cl_int error = CL_SUCCESS;
    step.reset();
    add.reset();
    program.reset();
    queue.reset();
    context = Context(clCreateContext(nullptr, 3, devices, nullptr, nullptr, &error));
    EXPECT_CL(error);
    queue = make_queue(0);
    program = make_program("kernel void affine(global int* x, int factor, int term) {"
                           "  size_t i = get_global_id(0); x[i] = factor * x[i] + term; }"
                           "kernel void add(global int* x, global int* a, global int* b) {"
                           "  size_t i = get_global_id(0); x[i] = a[i] + b[i]; }");
    EXPECT_CL(clBuildProgram(program, 3, devices, "", nullptr, nullptr));
    step = Kernel(clCreateKernel(program, "affine", &error));
    EXPECT_CL(error);
    add = Kernel(clCreateKernel(program, "add", &error));
    EXPECT_CL(error);
    return true;
  }
  Queue queue_on(cl_device_id of, cl_command_queue_properties properties) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int error = CL_SUCCESS;
    Queue made(clCreateCommandQueueWithProperties(context, of, list, &error));
    EXPECT_CL(error);
    return made;
  }
  // Two chains on two queues, and their sum on the first.
  void record_sum(BufferHandle recorded, const std::vector<cl_command_queue>& queues,
                  const Memory& a, const Memory& b, const Memory& sum) {
    SyncPoint points[2] = {};
    for (size_t side = 0; side < 2; ++side)
      for (cl_int i = 0; i < 8; ++i) {
        SyncPoint next = 0;
        record_step(recorded, side == 0 ? a : b, 2, i + static_cast<cl_int>(side), i == 0 ? 0 : 1,
                    i == 0 ? nullptr : &points[side], &next, nullptr, queues[side]);
        points[side] = next;
      }
    ASSERT_CL(clSetKernelArg(add, 0, sizeof(cl_mem), sum.ptr()));
    ASSERT_CL(clSetKernelArg(add, 1, sizeof(cl_mem), a.ptr()));
    ASSERT_CL(clSetKernelArg(add, 2, sizeof(cl_mem), b.ptr()));
    ASSERT_CL(api.kernel(recorded, queues[0], nullptr, add, 1, nullptr, &kItems, nullptr, 2, points,
                         nullptr, nullptr));
  }
  static cl_int expected_sum() {
    cl_int left = 0, right = 0;
    for (cl_int i = 0; i < 8; ++i) {
      left = 2 * left + i;
      right = 2 * right + i + 1;
    }
    return left + right;
  }
  void clear(const Memory& buffer) {
    const cl_int zero = 0;
    ASSERT_CL(clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, kItems * sizeof(cl_int), 0,
                                  nullptr, nullptr));
    ASSERT_CL(clFinish(queue));
  }

  cl_bitfield capabilities = 0, platform_capabilities = 0;
  std::vector<cl_device_id> parts;
};

TEST_F(CommandBufferDevices, Queries) {
  SPEC("OpenCL API 4.1, 4.2");
  const auto count = info<cl_uint>(clGetDeviceInfo, device, DEVICE_NUM_SYNC_DEVICES);
  const auto devices = info_array<cl_device_id>(clGetDeviceInfo, device, DEVICE_SYNC_DEVICES);
  EXPECT_EQ(devices.size(), count);
  if (platform_capabilities & PLATFORM_AUTOMATIC_REMAP) {
    EXPECT_NE(platform_capabilities & PLATFORM_REMAP_QUEUES, 0u);
  }
}

TEST_F(CommandBufferDevices, SeveralQueuesOfOneDevice) {
  SPEC("Command-Buffers and Multiple Devices");
  if (!(capabilities & CAPABILITY_MULTIPLE_QUEUE))
    GTEST_SKIP();
  const auto second = make_queue(0);
  const std::vector<cl_command_queue> queues{queue, second};
  const auto recorded = create(queues, nullptr);
  const auto a = make_zeros(kItems), b = make_zeros(kItems), sum = make_zeros(kItems);
  EXPECT_EQ(api.barrier(recorded, nullptr, nullptr, 0, nullptr, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  const auto unrelated = make_queue(0);
  EXPECT_EQ(api.barrier(recorded, unrelated, nullptr, 0, nullptr, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  record_sum(recorded, queues, a, b, sum);
  ASSERT_CL(api.finalize(recorded));
  for (int replay = 0; replay < 5; ++replay) {
    clear(a);
    clear(b);
    Event done;
    ASSERT_CL(api.enqueue(0, nullptr, recorded, 0, nullptr, done.out()));
    EXPECT_EQ(info<cl_command_queue>(clGetEventInfo, done.get(), CL_EVENT_COMMAND_QUEUE), nullptr);
    ASSERT_CL(clWaitForEvents(1, done.ptr()));
    EXPECT_EQ(read<cl_int>(sum, kItems), std::vector<cl_int>(kItems, expected_sum()));
  }
}

TEST_F(CommandBufferDevices, SubDevicesSynchronize) {
  SPEC("Command-Buffers and Multiple Devices");
  if (!split())
    GTEST_SKIP() << "no sub-devices";
  for (const cl_command_queue_properties order :
       {cl_command_queue_properties{0},
        cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}}) {
    const auto first = queue_on(parts[0], order), second = queue_on(parts[1], order);
    const std::vector<cl_command_queue> queues{first, second};
    const cl_properties properties[] = {FLAGS, DEVICE_SIDE_SYNC, 0};
    cl_int error = CL_SUCCESS;
    const auto made = api.create(2, queues.data(), properties, &error);
    if (error == INCOMPATIBLE_COMMAND_QUEUE)
      GTEST_SKIP() << "no device-side synchronization";
    ASSERT_CL(error);
    const OwnedBuffer recorded(api, made);
    const auto a = make_zeros(kItems), b = make_zeros(kItems), sum = make_zeros(kItems);
    record_sum(recorded, queues, a, b, sum);
    ASSERT_CL(api.finalize(recorded));
    for (int replay = 0; replay < 5; ++replay) {
      clear(a);
      clear(b);
      Event done;
      ASSERT_CL(api.enqueue(0, nullptr, recorded, 0, nullptr, done.out()));
      ASSERT_CL(clWaitForEvents(1, done.ptr()));
      EXPECT_EQ(read<cl_int>(sum, kItems), std::vector<cl_int>(kItems, expected_sum()));
    }
  }
}

TEST_F(CommandBufferDevices, RemapsToOtherQueues) {
  SPEC("clRemapCommandBufferKHR");
  if (!(platform_capabilities & PLATFORM_REMAP_QUEUES) || !split())
    GTEST_SKIP();
  const auto second = make_queue(0);
  const std::vector<cl_command_queue> queues{queue, second};
  const cl_properties properties[] = {FLAGS, MUTABLE, 0};
  const auto recorded = create(queues, properties);
  const auto a = make_zeros(kItems), b = make_zeros(kItems), sum = make_zeros(kItems);
  CommandHandle command = nullptr;
  SyncPoint points[2] = {};
  record_step(recorded, a, 2, 1, 0, nullptr, &points[0], &command, queues[0]);
  record_step(recorded, b, 2, 2, 0, nullptr, &points[1], nullptr, queues[1]);
  ASSERT_CL(clSetKernelArg(add, 0, sizeof(cl_mem), sum.ptr()));
  ASSERT_CL(clSetKernelArg(add, 1, sizeof(cl_mem), a.ptr()));
  ASSERT_CL(clSetKernelArg(add, 2, sizeof(cl_mem), b.ptr()));
  ASSERT_CL(api.kernel(recorded, queues[0], nullptr, add, 1, nullptr, &kItems, nullptr, 2, points,
                       nullptr, nullptr));
  ASSERT_CL(api.finalize(recorded));
  const auto left = queue_on(parts[0], 0), right = queue_on(parts[1], 0);
  const cl_command_queue targets[] = {left, right};
  CommandHandle copied = nullptr;
  cl_int error = CL_SUCCESS;
  const OwnedBuffer remapped(
      api, api.remap(recorded, CL_FALSE, 2, targets, 1, &command, &copied, &error));
  ASSERT_CL(error);
  EXPECT_EQ(buffer_info<cl_uint>(remapped, INFO_STATE), STATE_EXECUTABLE);
  // Updates of the copy leave the original alone.
  const cl_int term = 10;
  const DispatchArgument argument{2, sizeof term, &term};
  DispatchConfig config{};
  config.command = copied;
  config.num_args = 1;
  config.arg_list = &argument;
  const cl_uint type = UPDATE_DISPATCH;
  const void* configs[] = {&config};
  ASSERT_CL(api.update(remapped, 1, &type, configs));
  ASSERT_CL(api.enqueue(0, nullptr, remapped, 0, nullptr, nullptr));
  ASSERT_CL(clFinish(left));
  ASSERT_CL(clFinish(right));
  EXPECT_EQ(read<cl_int>(sum, kItems), std::vector<cl_int>(kItems, 12));
  clear(a);
  clear(b);
  ASSERT_CL(api.enqueue(0, nullptr, recorded, 0, nullptr, nullptr));
  ASSERT_CL(clFinish(queue));
  EXPECT_EQ(read<cl_int>(sum, kItems), std::vector<cl_int>(kItems, 3));
  if (platform_capabilities & PLATFORM_AUTOMATIC_REMAP) {
    const cl_command_queue one[] = {left};
    const OwnedBuffer automatic(api,
                                api.remap(recorded, CL_TRUE, 1, one, 0, nullptr, nullptr, &error));
    ASSERT_CL(error);
    clear(a);
    clear(b);
    ASSERT_CL(api.enqueue(0, nullptr, automatic, 0, nullptr, nullptr));
    ASSERT_CL(clFinish(left));
    EXPECT_EQ(read<cl_int>(sum, kItems), std::vector<cl_int>(kItems, 3));
  }
}

TEST_F(CommandBufferDevices, ErrorsOfRemapping) {
  SPEC("clRemapCommandBufferKHR");
  if (!(platform_capabilities & PLATFORM_REMAP_QUEUES))
    GTEST_SKIP();
  const auto recorded = create();
  ASSERT_CL(api.finalize(recorded));
  const cl_command_queue handles[2] = {queue, queue}, none = nullptr;
  const auto error_of = [&](BufferHandle buffer, cl_uint count, const cl_command_queue* queues,
                            cl_uint commands, const CommandHandle* list) {
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(api.remap(buffer, CL_FALSE, count, queues, commands, list, nullptr, &error), nullptr);
    return error;
  };
  const CommandHandle no_command = nullptr;
  EXPECT_EQ(error_of(nullptr, 1, handles, 0, nullptr), INVALID_COMMAND_BUFFER);
  EXPECT_EQ(error_of(recorded, 0, handles, 0, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(error_of(recorded, 1, nullptr, 0, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(error_of(recorded, 2, handles, 0, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(error_of(recorded, 1, &none, 0, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(error_of(recorded, 1, handles, 1, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(error_of(recorded, 1, handles, 1, &no_command), CL_INVALID_VALUE);
}

// A replay keeps its place in each of its queues.
TEST_F(CommandBufferDevices, OtherQueuesWaitForReplays) {
  SPEC("CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE not set");
  if (!(capabilities & CAPABILITY_MULTIPLE_QUEUE))
    GTEST_SKIP();
  const auto second = make_queue(0);
  const std::vector<cl_command_queue> queues{queue, second};
  const auto recorded = create(queues, nullptr);
  const auto buffer = make_zeros(kItems);
  record_step(recorded, buffer, 1, 7, 0, nullptr, nullptr, nullptr, queues[1]);
  ASSERT_CL(api.finalize(recorded));
  cl_int error = CL_SUCCESS;
  const Event gate(clCreateUserEvent(context, &error));
  ASSERT_CL(error);
  ASSERT_CL(clEnqueueMarkerWithWaitList(second, 1, gate.ptr(), nullptr));
  Event done;
  ASSERT_CL(api.enqueue(0, nullptr, recorded, 0, nullptr, done.out()));
  ASSERT_CL(clFlush(queue));
  EXPECT_GT(info<cl_int>(clGetEventInfo, done.get(), CL_EVENT_COMMAND_EXECUTION_STATUS),
            CL_COMPLETE);
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clFinish(second));
  EXPECT_EQ(info<cl_int>(clGetEventInfo, done.get(), CL_EVENT_COMMAND_EXECUTION_STATUS),
            CL_COMPLETE);
  EXPECT_EQ(read<cl_int>(buffer, kItems), std::vector<cl_int>(kItems, 7));
}

} // namespace
