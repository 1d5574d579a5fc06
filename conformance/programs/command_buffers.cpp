// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_command_buffer: recording, order, replays, queries and errors.
#include "command_buffer_harness.h"

#include <algorithm>
#include <numeric>

namespace {

using namespace conformance;
using namespace command_buffers;

class CommandBuffers : public CommandBufferTest {};

TEST_F(CommandBuffers, DeviceQueries) {
  SPEC("OpenCL API 4.2");
  const auto required =
      info<cl_command_queue_properties>(clGetDeviceInfo, device, DEVICE_REQUIRED_QUEUE_PROPERTIES);
  const auto supported =
      info<cl_command_queue_properties>(clGetDeviceInfo, device, DEVICE_SUPPORTED_QUEUE_PROPERTIES);
  EXPECT_NE(supported & CL_QUEUE_PROFILING_ENABLE, 0u);
  EXPECT_EQ(required & ~supported, 0u);
  (void)info<cl_bitfield>(clGetDeviceInfo, device, DEVICE_CAPABILITIES);
}

TEST_F(CommandBuffers, ReplaysInTheOrderOfTheQueue) {
  SPEC("clEnqueueCommandBufferKHR");
  const auto buffer = make_zeros(kItems);
  const auto recorded = create();
  for (cl_int i = 1; i <= 5; ++i)
    record_step(recorded, buffer, 3, i); // x = 3 x + i
  ASSERT_CL(api.finalize(recorded));
  std::vector<cl_int> expected(kItems, 0);
  for (int replay = 0; replay < 3; ++replay) {
    ASSERT_CL(api.enqueue(0, nullptr, recorded, 0, nullptr, nullptr));
    for (auto& x : expected)
      for (cl_int i = 1; i <= 5; ++i)
        x = static_cast<cl_int>(3u * static_cast<cl_uint>(x) + static_cast<cl_uint>(i));
  }
  EXPECT_EQ(read<cl_int>(buffer, kItems), expected);
}

TEST_F(CommandBuffers, SyncPointsOrderAnOutOfOrderQueue) {
  SPEC("Command-Buffers, sync-points");
  if (!supports(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
    GTEST_SKIP();
  const auto free = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto a = make_zeros(kItems), b = make_zeros(kItems), sum = make_zeros(kItems);
  const auto recorded = create(free);
  SyncPoint points[2] = {};
  for (int side = 0; side < 2; ++side) {
    const auto& into = side == 0 ? a : b;
    for (cl_int i = 0; i < 8; ++i) {
      SyncPoint next = 0;
      record_step(recorded, into, 2, i + side, i == 0 ? 0 : 1, i == 0 ? nullptr : &points[side],
                  &next);
      points[side] = next;
    }
  }
  EXPECT_NE(points[0], points[1]);
  ASSERT_CL(clSetKernelArg(add, 0, sizeof(cl_mem), sum.ptr()));
  ASSERT_CL(clSetKernelArg(add, 1, sizeof(cl_mem), a.ptr()));
  ASSERT_CL(clSetKernelArg(add, 2, sizeof(cl_mem), b.ptr()));
  ASSERT_CL(api.kernel(recorded, nullptr, nullptr, add, 1, nullptr, &kItems, nullptr, 2, points,
                       nullptr, nullptr));
  ASSERT_CL(api.finalize(recorded));
  ASSERT_CL(api.enqueue(0, nullptr, recorded, 0, nullptr, nullptr));
  ASSERT_CL(clFinish(free));
  cl_int left = 0, right = 0;
  for (cl_int i = 0; i < 8; ++i) {
    left = 2 * left + i;
    right = 2 * right + i + 1;
  }
  EXPECT_EQ(read<cl_int>(sum, kItems), std::vector<cl_int>(kItems, left + right));
}

TEST_F(CommandBuffers, BarriersSeparateWhatIsBeforeAndAfter) {
  SPEC("clCommandBarrierWithWaitListKHR");
  if (!supports(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
    GTEST_SKIP();
  const auto free = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto buffer = make_zeros(kItems);
  const auto recorded = create(free);
  std::vector<cl_int> expected(kItems, 0);
  for (cl_int round = 0; round < 20; ++round) {
    // Quarters in any order.
    for (size_t quarter = 0; quarter < 4; ++quarter) {
      const size_t offset = quarter * kItems / 4, count = kItems / 4;
      set_step(buffer, 3, round);
      ASSERT_CL(api.kernel(recorded, nullptr, nullptr, step, 1, &offset, &count, nullptr, 0,
                           nullptr, nullptr, nullptr));
    }
    SyncPoint point = 0;
    ASSERT_CL(api.barrier(recorded, nullptr, nullptr, 0, nullptr, &point, nullptr));
    if (round % 2 == 1) { // one that waits for a barrier only
      ASSERT_CL(api.barrier(recorded, nullptr, nullptr, 1, &point, nullptr, nullptr));
    }
    for (auto& x : expected)
      x = static_cast<cl_int>(3u * static_cast<cl_uint>(x) + static_cast<cl_uint>(round));
  }
  ASSERT_CL(api.finalize(recorded));
  ASSERT_CL(api.enqueue(0, nullptr, recorded, 0, nullptr, nullptr));
  ASSERT_CL(clFinish(free));
  EXPECT_EQ(read<cl_int>(buffer, kItems), expected);
}

TEST_F(CommandBuffers, CopiesAndFillsBuffers) {
  SPEC("clCommandCopyBufferKHR, clCommandCopyBufferRectKHR, clCommandFillBufferKHR");
  std::vector<cl_uchar> contents(256);
  std::iota(contents.begin(), contents.end(), cl_uchar{0});
  const auto from = make_buffer(contents);
  const auto to = make_buffer(std::vector<cl_uchar>(256, 0));
  const auto recorded = create();
  const cl_ushort pattern = 0xabcd;
  const size_t from_origin[3] = {2, 1, 0}, to_origin[3] = {0, 2, 0}, region[3] = {4, 3, 1};
  ASSERT_CL(api.copy_buffer(recorded, nullptr, nullptr, from, to, 8, 16, 32, 0, nullptr, nullptr,
                            nullptr));
  ASSERT_CL(api.copy_buffer_rect(recorded, nullptr, nullptr, from, to, from_origin, to_origin,
                                 region, 16, 0, 32, 0, 0, nullptr, nullptr, nullptr));
  ASSERT_CL(api.fill_buffer(recorded, nullptr, nullptr, to, &pattern, sizeof pattern, 200, 10, 0,
                            nullptr, nullptr, nullptr));
  ASSERT_CL(api.finalize(recorded));
  ASSERT_CL(api.enqueue(0, nullptr, recorded, 0, nullptr, nullptr));
  std::vector<cl_uchar> expected(256, 0);
  std::copy_n(contents.begin() + 8, 32, expected.begin() + 16);
  for (size_t y = 0; y < 3; ++y)
    std::copy_n(contents.begin() + static_cast<long>(2 + (1 + y) * 16), 4,
                expected.begin() + static_cast<long>((2 + y) * 32));
  for (size_t i = 200; i < 210; ++i)
    expected[i] = i % 2 == 0 ? 0xcd : 0xab;
  EXPECT_EQ(read<cl_uchar>(to, 256), expected);
}

TEST_F(CommandBuffers, CopiesAndFillsImages) {
  SPEC("clCommandCopyImageKHR, clCommandCopyImageToBufferKHR, clCommandCopyBufferToImageKHR, "
       "clCommandFillImageKHR");
  if (!info<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_SUPPORT))
    GTEST_SKIP();
  const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = 8;
  description.image_height = 4;
  cl_int error = CL_SUCCESS;
  const Memory first(
      clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, nullptr, &error));
  ASSERT_CL(error);
  const Memory second(
      clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, nullptr, &error));
  ASSERT_CL(error);
  std::vector<cl_uint> pixels(32);
  std::iota(pixels.begin(), pixels.end(), 1000u);
  const auto from = make_buffer(pixels);
  const auto to = make_buffer(std::vector<cl_uint>(32, 0));
  const size_t origin[3] = {0, 0, 0}, whole[3] = {8, 4, 1}, corner[3] = {6, 2, 0},
               part[3] = {2, 2, 1};
  const cl_uint color[4] = {1, 2, 3, 4};
  const auto recorded = create();
  ASSERT_CL(api.copy_buffer_to_image(recorded, nullptr, nullptr, from, first, 0, origin, whole, 0,
                                     nullptr, nullptr, nullptr));
  ASSERT_CL(api.copy_image(recorded, nullptr, nullptr, first, second, origin, origin, whole, 0,
                           nullptr, nullptr, nullptr));
  ASSERT_CL(api.fill_image(recorded, nullptr, nullptr, second, color, corner, part, 0, nullptr,
                           nullptr, nullptr));
  ASSERT_CL(api.copy_image_to_buffer(recorded, nullptr, nullptr, second, to, origin, whole, 0, 0,
                                     nullptr, nullptr, nullptr));
  ASSERT_CL(api.finalize(recorded));
  ASSERT_CL(api.enqueue(0, nullptr, recorded, 0, nullptr, nullptr));
  auto expected = pixels;
  for (size_t y = 2; y < 4; ++y)
    for (size_t x = 6; x < 8; ++x)
      expected[y * 8 + x] = 0x04030201;
  EXPECT_EQ(read<cl_uint>(to, 32), expected);
}

TEST_F(CommandBuffers, CopiesAndFillsSvm) {
  SPEC("clCommandSVMMemcpyKHR, clCommandSVMMemFillKHR");
  const auto svm =
      info<cl_device_svm_capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_CAPABILITIES);
  if (!(svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) || !api.svm_copy || !api.svm_fill)
    GTEST_SKIP();
  auto* memory = static_cast<cl_uint*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 256, 0));
  ASSERT_NE(memory, nullptr);
  const auto recorded = create();
  const cl_uint pattern = 77;
  ASSERT_CL(api.svm_fill(recorded, nullptr, nullptr, memory, &pattern, sizeof pattern, 64, 0,
                         nullptr, nullptr, nullptr));
  ASSERT_CL(api.svm_copy(recorded, nullptr, nullptr, memory + 32, memory + 4, 32, 0, nullptr,
                         nullptr, nullptr));
  ASSERT_CL(api.finalize(recorded));
  ASSERT_CL(api.enqueue(0, nullptr, recorded, 0, nullptr, nullptr));
  ASSERT_CL(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, memory, 256, 0, nullptr, nullptr));
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(memory[i], 77u);
  for (int i = 32; i < 40; ++i)
    EXPECT_EQ(memory[i], 77u);
  ASSERT_CL(clEnqueueSVMUnmap(queue, memory, 0, nullptr, nullptr));
  ASSERT_CL(clFinish(queue));
  clSVMFree(context, memory);
}

TEST_F(CommandBuffers, LaterArgumentsDoNotChangeWhatIsRecorded) {
  SPEC("clCommandNDRangeKernelKHR");
  const auto buffer = make_zeros(kItems), other = make_zeros(kItems);
  const auto recorded = create();
  record_step(recorded, buffer, 1, 5);
  set_step(other, 1, 100);
  ASSERT_CL(api.finalize(recorded));
  ASSERT_CL(api.enqueue(0, nullptr, recorded, 0, nullptr, nullptr));
  EXPECT_EQ(read<cl_int>(buffer, kItems), std::vector<cl_int>(kItems, 5));
  EXPECT_EQ(read<cl_int>(other, kItems), std::vector<cl_int>(kItems, 0));
}

TEST_F(CommandBuffers, WaitsForEventsAndHasOne) {
  SPEC("clEnqueueCommandBufferKHR");
  const auto buffer = make_zeros(kItems);
  const auto recorded = create();
  record_step(recorded, buffer, 1, 1);
  ASSERT_CL(api.finalize(recorded));
  cl_int error = CL_SUCCESS;
  const Event gate(clCreateUserEvent(context, &error));
  ASSERT_CL(error);
  Event done;
  ASSERT_CL(api.enqueue(0, nullptr, recorded, 1, gate.ptr(), done.out()));
  EXPECT_EQ(info<cl_command_type>(clGetEventInfo, done.get(), CL_EVENT_COMMAND_TYPE),
            COMMAND_COMMAND_BUFFER);
  EXPECT_EQ(info<cl_command_queue>(clGetEventInfo, done.get(), CL_EVENT_COMMAND_QUEUE),
            queue.get());
  EXPECT_GT(info<cl_int>(clGetEventInfo, done.get(), CL_EVENT_COMMAND_EXECUTION_STATUS),
            CL_COMPLETE);
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, done.ptr()));
  cl_ulong times[4] = {};
  const cl_profiling_info names[4] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                      CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
  for (int i = 0; i < 4; ++i)
    ASSERT_CL(clGetEventProfilingInfo(done, names[i], sizeof times[i], &times[i], nullptr));
  EXPECT_TRUE(std::is_sorted(times, times + 4));
  EXPECT_EQ(read<cl_int>(buffer, kItems), std::vector<cl_int>(kItems, 1));
}

TEST_F(CommandBuffers, AFailedEventEndsTheReplay) {
  SPEC("OpenCL API 5.11, clSetUserEventStatus");
  const auto buffer = make_zeros(kItems);
  const auto recorded = create();
  record_step(recorded, buffer, 1, 1);
  ASSERT_CL(api.finalize(recorded));
  cl_int error = CL_SUCCESS;
  const Event gate(clCreateUserEvent(context, &error));
  ASSERT_CL(error);
  Event done;
  ASSERT_CL(api.enqueue(0, nullptr, recorded, 1, gate.ptr(), done.out()));
  ASSERT_CL(clSetUserEventStatus(gate, -1));
  EXPECT_EQ(clWaitForEvents(1, done.ptr()), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_LT(info<cl_int>(clGetEventInfo, done.get(), CL_EVENT_COMMAND_EXECUTION_STATUS), 0);
  EXPECT_EQ(read<cl_int>(buffer, kItems), std::vector<cl_int>(kItems, 0));
}

TEST_F(CommandBuffers, RunsInAnotherQueue) {
  SPEC("clEnqueueCommandBufferKHR, queues");
  const auto buffer = make_zeros(kItems);
  const auto recorded = create();
  record_step(recorded, buffer, 1, 1);
  ASSERT_CL(api.finalize(recorded));
  auto other = make_queue(0);
  cl_command_queue handle = other;
  Event done;
  ASSERT_CL(api.enqueue(1, &handle, recorded, 0, nullptr, done.out()));
  EXPECT_EQ(info<cl_command_queue>(clGetEventInfo, done.get(), CL_EVENT_COMMAND_QUEUE),
            other.get());
  ASSERT_CL(clFinish(other));
  EXPECT_EQ(read<cl_int>(buffer, kItems), std::vector<cl_int>(kItems, 1));
}

TEST_F(CommandBuffers, AnEmptyBufferCompletes) {
  SPEC("clFinalizeCommandBufferKHR");
  const auto recorded = create();
  ASSERT_CL(api.finalize(recorded));
  Event done;
  ASSERT_CL(api.enqueue(0, nullptr, recorded, 0, nullptr, done.out()));
  ASSERT_CL(clWaitForEvents(1, done.ptr()));
}

TEST_F(CommandBuffers, Queries) {
  SPEC("clGetCommandBufferInfoKHR");
  const auto recorded = create();
  EXPECT_EQ(buffer_info<cl_uint>(recorded, INFO_NUM_QUEUES), 1u);
  EXPECT_EQ(buffer_info<cl_command_queue>(recorded, INFO_QUEUES), queue.get());
  EXPECT_EQ(buffer_info<cl_context>(recorded, INFO_CONTEXT), context.get());
  EXPECT_EQ(buffer_info<cl_uint>(recorded, INFO_REFERENCE_COUNT), 1u);
  ASSERT_CL(api.retain(recorded));
  EXPECT_EQ(buffer_info<cl_uint>(recorded, INFO_REFERENCE_COUNT), 2u);
  ASSERT_CL(api.release(recorded));
  EXPECT_EQ(buffer_info<cl_uint>(recorded, INFO_STATE), STATE_RECORDING);
  ASSERT_CL(api.finalize(recorded));
  EXPECT_EQ(buffer_info<cl_uint>(recorded, INFO_STATE), STATE_EXECUTABLE);
  const cl_properties properties[] = {FLAGS, 0, 0};
  const auto with_properties = create(queue, properties);
  cl_properties given[3] = {};
  size_t size = 0;
  ASSERT_CL(api.info(with_properties, INFO_PROPERTIES_ARRAY, sizeof given, given, &size));
  ASSERT_EQ(size, sizeof given);
  EXPECT_TRUE(std::equal(given, given + 3, properties));
  EXPECT_EQ(api.info(recorded, 0xffff, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(api.info(recorded, INFO_STATE, 1, &size, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(api.info(nullptr, INFO_STATE, 0, nullptr, nullptr), INVALID_COMMAND_BUFFER);
}

TEST_F(CommandBuffers, ErrorsOfCreationAndLifetime) {
  SPEC("clCreateCommandBufferKHR");
  const cl_command_queue handle = queue;
  const auto error_of = [&](cl_uint count, const cl_command_queue* queues,
                            const cl_properties* properties) {
    cl_int error = CL_SUCCESS;
    const auto made = api.create(count, queues, properties, &error);
    EXPECT_EQ(made, nullptr);
    return error;
  };
  const cl_command_queue none = nullptr;
  EXPECT_EQ(error_of(0, &handle, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(error_of(1, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(error_of(1, &none, nullptr), CL_INVALID_COMMAND_QUEUE);
  const cl_properties unknown[] = {1, 0, 0}, twice[] = {FLAGS, 0, FLAGS, 0, 0},
                      bad_flags[] = {FLAGS, cl_properties{1} << 40, 0};
  EXPECT_EQ(error_of(1, &handle, unknown), CL_INVALID_VALUE);
  EXPECT_EQ(error_of(1, &handle, twice), CL_INVALID_VALUE);
  EXPECT_EQ(error_of(1, &handle, bad_flags), CL_INVALID_VALUE);
  EXPECT_EQ(api.retain(nullptr), INVALID_COMMAND_BUFFER);
  EXPECT_EQ(api.release(nullptr), INVALID_COMMAND_BUFFER);
  EXPECT_EQ(api.finalize(nullptr), INVALID_COMMAND_BUFFER);
  EXPECT_EQ(api.enqueue(0, nullptr, nullptr, 0, nullptr, nullptr), INVALID_COMMAND_BUFFER);
  const auto recorded = create();
  EXPECT_EQ(api.enqueue(0, nullptr, recorded, 0, nullptr, nullptr), CL_INVALID_OPERATION);
  ASSERT_CL(api.finalize(recorded));
  EXPECT_EQ(api.finalize(recorded), CL_INVALID_OPERATION);
}

TEST_F(CommandBuffers, ErrorsOfReplays) {
  SPEC("clEnqueueCommandBufferKHR");
  const auto recorded = create();
  ASSERT_CL(api.finalize(recorded));
  cl_command_queue queues[2] = {queue, queue}, none = nullptr;
  EXPECT_EQ(api.enqueue(1, nullptr, recorded, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(api.enqueue(0, queues, recorded, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(api.enqueue(2, queues, recorded, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(api.enqueue(1, &none, recorded, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  const cl_event no_event = nullptr;
  EXPECT_EQ(api.enqueue(0, nullptr, recorded, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(api.enqueue(0, nullptr, recorded, 0, &no_event, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(api.enqueue(0, nullptr, recorded, 1, &no_event, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  cl_int error = CL_SUCCESS;
  const Context other(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error));
  ASSERT_CL(error);
  const Event foreign(clCreateUserEvent(other, &error));
  ASSERT_CL(error);
  EXPECT_EQ(api.enqueue(0, nullptr, recorded, 1, foreign.ptr(), nullptr), CL_INVALID_CONTEXT);
  Queue stranger(clCreateCommandQueueWithProperties(other, device, nullptr, &error));
  ASSERT_CL(error);
  cl_command_queue stranger_handle = stranger;
  EXPECT_EQ(api.enqueue(1, &stranger_handle, recorded, 0, nullptr, nullptr), CL_INVALID_CONTEXT);
}

// The errors that all recording calls have.
TEST_F(CommandBuffers, ErrorsThatRecordingCallsShare) {
  SPEC("Recording Commands to a Command-Buffer");
  const auto from = make_zeros(kItems), to = make_zeros(kItems);
  const cl_int pattern = 0;
  const size_t origin[3] = {0, 0, 0}, region[3] = {4, 1, 1};
  set_step(from, 1, 1);
  struct Head {
    BufferHandle buffer;
    const cl_properties* properties;
    cl_uint count;
    const SyncPoint* points;
    CommandHandle* handle;
  };
  using Call = std::function<cl_int(const Head&)>;
  const std::pair<const char*, Call> calls[] = {
      {"barrier",
       [&](const Head& h) {
         return api.barrier(h.buffer, nullptr, h.properties, h.count, h.points, nullptr, h.handle);
       }},
      {"copy_buffer",
       [&](const Head& h) {
         return api.copy_buffer(h.buffer, nullptr, h.properties, from, to, 0, 0, 4, h.count,
                                h.points, nullptr, h.handle);
       }},
      {"copy_buffer_rect",
       [&](const Head& h) {
         return api.copy_buffer_rect(h.buffer, nullptr, h.properties, from, to, origin, origin,
                                     region, 0, 0, 0, 0, h.count, h.points, nullptr, h.handle);
       }},
      {"fill_buffer",
       [&](const Head& h) {
         return api.fill_buffer(h.buffer, nullptr, h.properties, from, &pattern, sizeof pattern, 0,
                                4, h.count, h.points, nullptr, h.handle);
       }},
      {"kernel",
       [&](const Head& h) {
         return api.kernel(h.buffer, nullptr, h.properties, step, 1, nullptr, &kItems, nullptr,
                           h.count, h.points, nullptr, nullptr);
       }},
  };
  const cl_properties unknown[] = {1, 1, 0};
  const SyncPoint no_point = 1234;
  for (const auto& [name, call] : calls) {
    SCOPED_TRACE(name);
    const auto recorded = create();
    EXPECT_EQ(call({nullptr, nullptr, 0, nullptr, nullptr}), INVALID_COMMAND_BUFFER);
    EXPECT_EQ(call({recorded, unknown, 0, nullptr, nullptr}), CL_INVALID_VALUE);
    EXPECT_EQ(call({recorded, nullptr, 1, nullptr, nullptr}), INVALID_SYNC_POINT_WAIT_LIST);
    EXPECT_EQ(call({recorded, nullptr, 0, &no_point, nullptr}), INVALID_SYNC_POINT_WAIT_LIST);
    EXPECT_EQ(call({recorded, nullptr, 1, &no_point, nullptr}), INVALID_SYNC_POINT_WAIT_LIST);
    CommandHandle handle = nullptr;
    if (std::string(name) != "kernel") {
      EXPECT_EQ(call({recorded, nullptr, 0, nullptr, &handle}), CL_INVALID_VALUE);
    }
    const cl_properties empty[] = {0};
    EXPECT_CL(call({recorded, empty, 0, nullptr, nullptr}));
    ASSERT_CL(api.finalize(recorded));
    EXPECT_EQ(call({recorded, nullptr, 0, nullptr, nullptr}), CL_INVALID_OPERATION);
  }
}

TEST_F(CommandBuffers, ErrorsOfRecordedCommands) {
  SPEC("the errors of the clEnqueue calls");
  const auto buffer = make_zeros(kItems);
  const auto recorded = create();
  const size_t bytes = kItems * sizeof(cl_int);
  const cl_int pattern = 0;
  EXPECT_EQ(api.copy_buffer(recorded, nullptr, nullptr, nullptr, buffer, 0, 0, 4, 0, nullptr,
                            nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(api.copy_buffer(recorded, nullptr, nullptr, buffer, buffer, bytes, 0, 4, 0, nullptr,
                            nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(api.copy_buffer(recorded, nullptr, nullptr, buffer, buffer, 0, 2, 4, 0, nullptr,
                            nullptr, nullptr),
            CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(api.fill_buffer(recorded, nullptr, nullptr, buffer, &pattern, 3, 0, 6, 0, nullptr,
                            nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(api.kernel(recorded, nullptr, nullptr, nullptr, 1, nullptr, &kItems, nullptr, 0,
                       nullptr, nullptr, nullptr),
            CL_INVALID_KERNEL);
  cl_int error = CL_SUCCESS;
  const Kernel unset(clCreateKernel(program, "affine", &error));
  ASSERT_CL(error);
  EXPECT_EQ(api.kernel(recorded, nullptr, nullptr, unset, 1, nullptr, &kItems, nullptr, 0, nullptr,
                       nullptr, nullptr),
            CL_INVALID_KERNEL_ARGS);
  set_step(buffer, 1, 1);
  EXPECT_EQ(api.kernel(recorded, nullptr, nullptr, step, 4, nullptr, &kItems, nullptr, 0, nullptr,
                       nullptr, nullptr),
            CL_INVALID_WORK_DIMENSION);
  const size_t large[1] = {1u << 20};
  EXPECT_NE(api.kernel(recorded, nullptr, nullptr, step, 1, nullptr, large, large, 0, nullptr,
                       nullptr, nullptr),
            CL_SUCCESS);
  const Context other(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error));
  ASSERT_CL(error);
  const Memory foreign(clCreateBuffer(other, CL_MEM_READ_WRITE, 64, nullptr, &error));
  ASSERT_CL(error);
  EXPECT_EQ(api.copy_buffer(recorded, nullptr, nullptr, foreign, buffer, 0, 0, 4, 0, nullptr,
                            nullptr, nullptr),
            CL_INVALID_CONTEXT);
  EXPECT_EQ(api.fill_buffer(recorded, nullptr, nullptr, foreign, &pattern, 4, 0, 4, 0, nullptr,
                            nullptr, nullptr),
            CL_INVALID_CONTEXT);
}

} // namespace
