// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts: creation, queries, reference counts, errors and destructor callbacks.
#include "harness.h"

using namespace conformance;

namespace {

const Target& target = Target::get();

TEST(Contexts, QueriesTellWhatItWasMadeWith) {
  SPEC("API, Contexts: clCreateContext and clGetContextInfo");
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                              cl_context_properties(target.platform), 0};
  cl_int error = CL_SUCCESS;
  Context context(clCreateContext(properties, 1, &target.device, nullptr, nullptr, &error));
  ASSERT_CL(error);
  EXPECT_EQ(info<cl_uint>(clGetContextInfo, context.get(), CL_CONTEXT_REFERENCE_COUNT), 1u);
  EXPECT_EQ(info<cl_uint>(clGetContextInfo, context.get(), CL_CONTEXT_NUM_DEVICES), 1u);
  EXPECT_EQ(info_array<cl_device_id>(clGetContextInfo, context.get(), CL_CONTEXT_DEVICES),
            std::vector<cl_device_id>{target.device});
  EXPECT_EQ(
      info_array<cl_context_properties>(clGetContextInfo, context.get(), CL_CONTEXT_PROPERTIES),
      std::vector<cl_context_properties>(properties, properties + 3));
}

TEST(Contexts, WithoutProperties) {
  SPEC("API, Contexts: CL_CONTEXT_PROPERTIES of a context made with NULL is empty or a single 0");
  cl_int error = CL_SUCCESS;
  Context context(clCreateContext(nullptr, 1, &target.device, nullptr, nullptr, &error));
  ASSERT_CL(error);
  for (cl_context_properties property :
       info_array<cl_context_properties>(clGetContextInfo, context.get(), CL_CONTEXT_PROPERTIES))
    EXPECT_EQ(property, 0);
}

TEST(Contexts, FromType) {
  SPEC("API, Contexts: clCreateContextFromType");
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                              cl_context_properties(target.platform), 0};
  cl_int error = CL_SUCCESS;
  Context context(
      clCreateContextFromType(properties, CL_DEVICE_TYPE_DEFAULT, nullptr, nullptr, &error));
  ASSERT_CL(error);
  EXPECT_EQ(info<cl_uint>(clGetContextInfo, context.get(), CL_CONTEXT_NUM_DEVICES), 1u);
  EXPECT_EQ(
      clCreateContextFromType(properties, CL_DEVICE_TYPE_ACCELERATOR, nullptr, nullptr, &error),
      nullptr);
  EXPECT_EQ(error, CL_DEVICE_NOT_FOUND);
  EXPECT_EQ(clCreateContextFromType(properties, 0, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE_TYPE);
}

TEST(Contexts, CreationErrors) {
  SPEC("API, Contexts: errors of clCreateContext");
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateContext(nullptr, 0, &target.device, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateContext(nullptr, 1, nullptr, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  int data = 0;
  EXPECT_EQ(clCreateContext(nullptr, 1, &target.device, nullptr, &data, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE) << "user_data without pfn_notify";
  const cl_context_properties unknown[] = {0x7777, 1, 0};
  EXPECT_EQ(clCreateContext(unknown, 1, &target.device, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_PROPERTY);
}

TEST(Contexts, ReferenceCounts) {
  SPEC("API, Contexts: clRetainContext and clReleaseContext");
  cl_int error = CL_SUCCESS;
  Context context(clCreateContext(nullptr, 1, &target.device, nullptr, nullptr, &error));
  ASSERT_CL(error);
  EXPECT_CL(clRetainContext(context));
  EXPECT_EQ(info<cl_uint>(clGetContextInfo, context.get(), CL_CONTEXT_REFERENCE_COUNT), 2u);
  EXPECT_CL(clReleaseContext(context));
  EXPECT_EQ(info<cl_uint>(clGetContextInfo, context.get(), CL_CONTEXT_REFERENCE_COUNT), 1u);
  EXPECT_EQ(clRetainContext(nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(clReleaseContext(nullptr), CL_INVALID_CONTEXT);
}

TEST(Contexts, AnObjectKeepsItsContextAlive) {
  SPEC("API, Contexts: clReleaseContext deletes when all objects of the context are released");
  cl_int error = CL_SUCCESS;
  Context context(clCreateContext(nullptr, 1, &target.device, nullptr, nullptr, &error));
  ASSERT_CL(error);
  Memory buffer(clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, &error));
  ASSERT_CL(error);
  const cl_context handle = context;
  context.reset();
  EXPECT_EQ(info<cl_context>(clGetMemObjectInfo, buffer.get(), CL_MEM_CONTEXT), handle);
}

TEST(Contexts, DestructorCallbacksRunInReverseOrder) {
  SPEC("API, Contexts: clSetContextDestructorCallback");
  if (target.version < 300)
    GTEST_SKIP();
  static std::vector<int> order;
  order.clear();
  int numbers[] = {1, 2, 3};
  cl_int error = CL_SUCCESS;
  Context context(clCreateContext(nullptr, 1, &target.device, nullptr, nullptr, &error));
  ASSERT_CL(error);
  for (int& number : numbers)
    ASSERT_CL(clSetContextDestructorCallback(
        context, [](cl_context, void* data) { order.push_back(*static_cast<int*>(data)); },
        &number));
  EXPECT_EQ(clSetContextDestructorCallback(context, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_TRUE(order.empty());
  context.reset();
  EXPECT_EQ(order, (std::vector<int>{3, 2, 1}));
}

} // namespace
