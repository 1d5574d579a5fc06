// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Program-scope variables by name (clGetDeviceGlobalVariablePointerINTEL and its commands).
#include "tests/api/api_test.h"
#include "tests/api/shared_memory.h"

#include <numeric>

namespace heddle::test {
namespace {

using GetPointer = cl_int(CL_API_CALL*)(cl_device_id, cl_program, const char*, size_t*, void**);
using Access = cl_int(CL_API_CALL*)(cl_command_queue, cl_program, const char*, cl_bool, size_t,
                                    size_t, void*, cl_uint, const cl_event*, cl_event*);

TEST_F(ApiTest, ProgramScopeVariablesByName) {
  const auto get = extension<GetPointer>("clGetDeviceGlobalVariablePointerINTEL");
  const auto read_variable = extension<Access>("clEnqueueReadGlobalVariableINTEL");
  const auto write_variable = extension<Access>("clEnqueueWriteGlobalVariableINTEL");
  const auto program = build(context_, R"(
    global int table[100] = {1, 2, 3};
    global long other = 77;
    kernel void k(global int* out) {
      out[get_global_id(0)] = table[get_global_id(0)] + (int)other;
      table[get_global_id(0)] += 1000;
    })",
                             "-cl-std=CL3.0");
  size_t size = 0;
  void* pointer = nullptr;
  ASSERT_EQ(get(device(), program, "table", &size, &pointer), CL_SUCCESS);
  EXPECT_EQ(size, 400u);
  EXPECT_EQ(static_cast<cl_int*>(pointer)[2], 3);
  std::vector<cl_int> values(100);
  std::iota(values.begin(), values.end(), 0);
  check(
      write_variable(queue_, program, "table", CL_TRUE, 400, 0, values.data(), 0, nullptr, nullptr),
      "write");
  cl_long three = 3;
  Event event;
  check(write_variable(queue_, program, "other", CL_FALSE, 8, 0, &three, 0, nullptr, event.out()),
        "write");
  const auto kernel = make_kernel(program, "k");
  const auto out = make_buffer(context_, 400);
  set_args(kernel, out);
  run(queue_, kernel, {{100}, {}, {}});
  EXPECT_EQ(read<cl_int>(queue_, out, 100)[99], 102);
  cl_int last = 0;
  check(read_variable(queue_, program, "table", CL_TRUE, 4, 396, &last, 0, nullptr, nullptr),
        "read");
  EXPECT_EQ(last, 1099);
  // As a pointer of a kernel's.
  EXPECT_EQ(static_cast<cl_int*>(pointer)[99], 1099);

  EXPECT_EQ(get(device(), program, "none", &size, &pointer), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(get(device(), program, nullptr, &size, &pointer), CL_INVALID_VALUE);
  EXPECT_EQ(get(nullptr, program, "table", &size, &pointer), CL_INVALID_DEVICE);
  EXPECT_EQ(get(device(), nullptr, "table", &size, &pointer), CL_INVALID_PROGRAM);
  EXPECT_EQ(get(device(), program, "other", nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(get(device(), make_program(context_, "global int x;"), "x", &size, &pointer),
            CL_INVALID_PROGRAM_EXECUTABLE);
  EXPECT_EQ(read_variable(queue_, program, "table", CL_TRUE, 4, 397, &last, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(read_variable(queue_, program, "table", CL_TRUE, 4, 0, nullptr, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(read_variable(queue_, program, "none", CL_TRUE, 4, 0, &last, 0, nullptr, nullptr),
            CL_INVALID_ARG_VALUE);
  EXPECT_EQ(read_variable(nullptr, program, "table", CL_TRUE, 4, 0, &last, 0, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(read_variable(queue_, nullptr, "table", CL_TRUE, 4, 0, &last, 0, nullptr, nullptr),
            CL_INVALID_PROGRAM);
}

} // namespace
} // namespace heddle::test
