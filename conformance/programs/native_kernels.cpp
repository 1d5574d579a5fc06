// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Native kernels: host functions as commands.
#include "harness.h"

using namespace conformance;

namespace {

class NativeKernels : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    supported_ = info<cl_device_exec_capabilities>(clGetDeviceInfo, device,
                                                   CL_DEVICE_EXECUTION_CAPABILITIES) &
                 CL_EXEC_NATIVE_KERNEL;
  }
  bool supported_ = false;
};

struct Arguments {
  cl_int* first;
  cl_int count;
  cl_int* second;
};

void CL_CALLBACK add(void* raw) {
  auto* arguments = static_cast<Arguments*>(raw);
  for (cl_int i = 0; i < arguments->count; ++i)
    arguments->second[i] += arguments->first[i];
}

TEST_F(NativeKernels, AreOrErrorAsTheDeviceSays) {
  SPEC("API, Executing Kernels: clEnqueueNativeKernel, CL_INVALID_OPERATION where it is not "
       "supported");
  Arguments arguments = {nullptr, 0, nullptr};
  EXPECT_EQ(clEnqueueNativeKernel(queue, add, &arguments, sizeof arguments, 0, nullptr, nullptr, 0,
                                  nullptr, nullptr),
            supported_ ? CL_SUCCESS : CL_INVALID_OPERATION);
  EXPECT_CL(clFinish(queue));
}

TEST_F(NativeKernels, BuffersBecomePointersInACopyOfTheArguments) {
  SPEC("API, Executing Kernels: clEnqueueNativeKernel: args is copied, mem objects are replaced by "
       "global pointers");
  if (!supported_)
    GTEST_SKIP();
  Memory a = make_buffer(std::vector<cl_int>{1, 2, 3}),
         b = make_buffer(std::vector<cl_int>{10, 20, 30});
  Arguments arguments = {nullptr, 3, nullptr};
  const cl_mem list[] = {a, b};
  const void* places[] = {&arguments.first, &arguments.second};
  Event gate, done;
  cl_int error = CL_SUCCESS;
  gate = Event(clCreateUserEvent(context, &error));
  ASSERT_CL(error);
  ASSERT_CL(clEnqueueNativeKernel(queue, add, &arguments, sizeof arguments, 2, list, places, 1,
                                  gate.ptr(), done.out()));
  arguments.count = 0; // the command has its own copy
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, done.ptr()));
  EXPECT_EQ(info<cl_command_type>(clGetEventInfo, done.get(), CL_EVENT_COMMAND_TYPE),
            cl_command_type(CL_COMMAND_NATIVE_KERNEL));
  EXPECT_EQ(read<cl_int>(b, 3), (std::vector<cl_int>{11, 22, 33}));
  EXPECT_EQ(arguments.first, nullptr);
}

TEST_F(NativeKernels, Errors) {
  SPEC("API, Executing Kernels: errors of clEnqueueNativeKernel");
  if (!supported_)
    GTEST_SKIP();
  Memory buffer = make_buffer(64);
  Arguments arguments = {nullptr, 0, nullptr};
  const cl_mem list[] = {buffer};
  const void* places[] = {&arguments.first};
  auto call = [&](void(CL_CALLBACK * function)(void*), void* args, size_t size, cl_uint count,
                  const cl_mem* memory, const void** where) {
    return clEnqueueNativeKernel(queue, function, args, size, count, memory, where, 0, nullptr,
                                 nullptr);
  };
  EXPECT_EQ(call(nullptr, &arguments, sizeof arguments, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(call(add, nullptr, sizeof arguments, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(call(add, &arguments, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(call(add, nullptr, 0, 1, list, places), CL_INVALID_VALUE);
  EXPECT_EQ(call(add, &arguments, sizeof arguments, 1, nullptr, places), CL_INVALID_VALUE);
  EXPECT_EQ(call(add, &arguments, sizeof arguments, 1, list, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(call(add, &arguments, sizeof arguments, 0, list, places), CL_INVALID_VALUE);
}

} // namespace
