// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_priority_hints and cl_khr_throttle_hints: creation, queries, errors. Hints change nothing
// that a program can rely on: every command runs, in the order that queues and events ask for.
#include "harness.h"

#include <CL/cl_ext.h>

using namespace conformance;

namespace {

struct Hint {
  const char* extension;
  cl_queue_properties name;
  std::vector<cl_queue_properties> values; // from high to low
};

const Hint kHints[] = {
    {"cl_khr_priority_hints",
     CL_QUEUE_PRIORITY_KHR,
     {CL_QUEUE_PRIORITY_HIGH_KHR, CL_QUEUE_PRIORITY_MED_KHR, CL_QUEUE_PRIORITY_LOW_KHR}},
    {"cl_khr_throttle_hints",
     CL_QUEUE_THROTTLE_KHR,
     {CL_QUEUE_THROTTLE_HIGH_KHR, CL_QUEUE_THROTTLE_MED_KHR, CL_QUEUE_THROTTLE_LOW_KHR}}};

class QueueHints : public DeviceTest, public testing::WithParamInterface<Hint> {
 protected:
  void SetUp() override {
    if (version < 200 || !has_extension(GetParam().extension))
      GTEST_SKIP() << "no " << GetParam().extension;
    DeviceTest::SetUp();
  }
  Queue create(const std::vector<cl_queue_properties>& properties, cl_int expected = CL_SUCCESS) {
    cl_int error = 1;
    Queue made(clCreateCommandQueueWithProperties(context, device, properties.data(), &error));
    EXPECT_EQ(error, expected);
    EXPECT_EQ(made.get() == nullptr, expected != CL_SUCCESS);
    return made;
  }
  const Hint& hint() const { return GetParam(); }
};

TEST_P(QueueHints, Queries) {
  SPEC("API, Command-Queues: clCreateCommandQueueWithProperties, clGetCommandQueueInfo");
  for (const auto value : hint().values) {
    const std::vector<cl_queue_properties> properties = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, hint().name, value, 0};
    const auto made = create(properties);
    ASSERT_NE(made.get(), nullptr);
    EXPECT_EQ(
        info<cl_command_queue_properties>(clGetCommandQueueInfo, made.get(), CL_QUEUE_PROPERTIES),
        cl_command_queue_properties(CL_QUEUE_PROFILING_ENABLE));
    if (version >= 300) {
      EXPECT_EQ(info_array<cl_queue_properties>(clGetCommandQueueInfo, made.get(),
                                                CL_QUEUE_PROPERTIES_ARRAY),
                properties);
    }
  }
}

TEST_P(QueueHints, Errors) {
  SPEC("API, Command-Queues: errors of clCreateCommandQueueWithProperties");
  for (const cl_queue_properties value : {0, 3, 8})
    create({hint().name, value, 0}, CL_INVALID_VALUE);
  if (version < 300 ||
      info<cl_bitfield>(clGetDeviceInfo, device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) != 0)
    create({CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
            hint().name, hint().values[0], 0},
           CL_INVALID_QUEUE_PROPERTIES);
}

TEST_P(QueueHints, CommandsOfAllQueuesRunInOrder) {
  SPEC("API, Command-Queues; Execution Model: Event Objects");
  constexpr size_t kItems = 1024;
  constexpr int kRounds = 50;
  const auto kernel = make_kernel("kernel void affine(global int* x, int factor) {"
                                  "  size_t i = get_global_id(0); x[i] = factor * x[i] + 1; }",
                                  "affine");
  std::vector<Queue> queues;
  std::vector<Memory> memory;
  for (const auto value : hint().values) {
    queues.push_back(create({hint().name, value, 0}));
    memory.push_back(make_buffer(std::vector<cl_int>(kItems, 0)));
  }
  for (int round = 0; round < kRounds; ++round)
    for (size_t i = 0; i < queues.size(); ++i) {
      set_arguments(kernel, memory[i], cl_int(round % 3));
      ASSERT_CL(clEnqueueNDRangeKernel(queues[i], kernel, 1, nullptr, &kItems, nullptr, 0, nullptr,
                                       nullptr));
    }
  int expected = 0;
  for (int round = 0; round < kRounds; ++round)
    expected = round % 3 * expected + 1;
  for (size_t i = 0; i < queues.size(); ++i) {
    ASSERT_CL(clFinish(queues[i]));
    EXPECT_EQ(read<cl_int>(memory[i], kItems), std::vector<cl_int>(kItems, expected));
  }
}

// A command of the highest level waits for one of the lowest, and the other way round.
TEST_P(QueueHints, EventsOrderQueuesOfDifferentLevels) {
  SPEC("Execution Model: Event Objects; clEnqueueNDRangeKernel: event_wait_list");
  constexpr size_t kItems = 4096;
  const auto kernel = make_kernel("kernel void affine(global int* x, int factor, int term) {"
                                  "  size_t i = get_global_id(0); x[i] = factor * x[i] + term; }",
                                  "affine");
  const auto high = create({hint().name, hint().values.front(), 0});
  const auto low = create({hint().name, hint().values.back(), 0});
  const auto memory = make_buffer(std::vector<cl_int>(kItems, 1));
  Event before;
  for (int i = 0; i < 20; ++i) {
    set_arguments(kernel, memory, cl_int(i % 2 == 0 ? 2 : 1), cl_int(i % 2 == 0 ? 0 : -1));
    Event done;
    ASSERT_CL(clEnqueueNDRangeKernel(i % 2 == 0 ? low : high, kernel, 1, nullptr, &kItems, nullptr,
                                     i == 0 ? 0 : 1, i == 0 ? nullptr : before.ptr(), done.out()));
    before = std::move(done);
  }
  ASSERT_CL(clWaitForEvents(1, before.ptr()));
  EXPECT_EQ(read<cl_int>(memory, kItems), std::vector<cl_int>(kItems, 1));
}

INSTANTIATE_TEST_SUITE_P(All, QueueHints, testing::ValuesIn(kHints), [](const auto& parameter) {
  return parameter.param.name == CL_QUEUE_PRIORITY_KHR ? "Priority" : "Throttle";
});

} // namespace
