// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCreatePipe, clGetPipeInfo, pipes as kernel arguments and in place of buffers.
#include "tests/api/api_test.h"

#include <limits>

namespace heddle::test {
namespace {

class PipeObject : public ApiTest {
 protected:
  Buffer create(cl_uint packet_size, cl_uint max_packets, cl_mem_flags flags = 0) {
    cl_int error;
    Buffer pipe(clCreatePipe(context_, flags, packet_size, max_packets, nullptr, &error));
    check(error, "clCreatePipe");
    return pipe;
  }
  cl_int failure(cl_context context, cl_mem_flags flags, cl_uint packet_size, cl_uint max_packets,
                 const cl_pipe_properties* properties = nullptr) {
    cl_int error = 1;
    EXPECT_EQ(clCreatePipe(context, flags, packet_size, max_packets, properties, &error), nullptr);
    EXPECT_EQ(clCreatePipe(context, flags, packet_size, max_packets, properties, nullptr), nullptr);
    return error;
  }
};

TEST_F(PipeObject, LimitsOfTheDevice) {
  EXPECT_EQ(info<cl_bool>(device(), CL_DEVICE_PIPE_SUPPORT), cl_bool{CL_TRUE});
  EXPECT_GE(info<cl_uint>(device(), CL_DEVICE_MAX_PIPE_ARGS), 16u);
  EXPECT_GE(info<cl_uint>(device(), CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS), 1u);
  EXPECT_GE(info<cl_uint>(device(), CL_DEVICE_PIPE_MAX_PACKET_SIZE), 4096u);
}

TEST_F(PipeObject, CreationErrors) {
  const auto largest = info<cl_uint>(device(), CL_DEVICE_PIPE_MAX_PACKET_SIZE);
  EXPECT_EQ(failure(nullptr, 0, 4, 1), CL_INVALID_CONTEXT);
  EXPECT_EQ(failure(context_, 0, 0, 1), CL_INVALID_PIPE_SIZE);
  EXPECT_EQ(failure(context_, 0, 4, 0), CL_INVALID_PIPE_SIZE);
  EXPECT_EQ(failure(context_, 0, largest + 1, 1), CL_INVALID_PIPE_SIZE);
  EXPECT_EQ(failure(context_, 0, std::numeric_limits<cl_uint>::max(), 1), CL_INVALID_PIPE_SIZE);
  for (const cl_mem_flags flag :
       {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR,
        CL_MEM_COPY_HOST_PTR, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, 1 << 30})
    EXPECT_EQ(failure(context_, flag, 4, 1), CL_INVALID_VALUE) << flag;
  const cl_pipe_properties none[] = {0};
  EXPECT_EQ(failure(context_, 0, 4, 1, none), CL_INVALID_VALUE);
}

TEST_F(PipeObject, MoreThanThereIsMemory) {
  const auto largest = info<cl_uint>(device(), CL_DEVICE_PIPE_MAX_PACKET_SIZE);
  cl_int error = CL_SUCCESS;
  Buffer pipe(
      clCreatePipe(context_, 0, largest, std::numeric_limits<cl_uint>::max(), nullptr, &error));
  if (!pipe) {
    EXPECT_TRUE(error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_OUT_OF_RESOURCES) << error;
  }
}

TEST_F(PipeObject, AnswersWhatItWasMadeWith) {
  const auto pipe = create(24, 1000, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS);
  const auto pipe_info = [&](auto... a) { return clGetPipeInfo(pipe, a...); };
  cl_uint value = 0;
  EXPECT_EQ(pipe_info(CL_PIPE_PACKET_SIZE, sizeof value, &value, nullptr), CL_SUCCESS);
  EXPECT_EQ(value, 24u);
  EXPECT_EQ(pipe_info(CL_PIPE_MAX_PACKETS, sizeof value, &value, nullptr), CL_SUCCESS);
  EXPECT_EQ(value, 1000u);
  size_t size = 1;
  EXPECT_EQ(pipe_info(CL_PIPE_PROPERTIES, 0, nullptr, &size), CL_SUCCESS);
  EXPECT_EQ(size, 0u);
  for (const auto name : {CL_PIPE_PACKET_SIZE, CL_PIPE_MAX_PACKETS, CL_PIPE_PROPERTIES})
    expect_info_contract(pipe_info, name);
  EXPECT_EQ(pipe_info(0x1234, 0, nullptr, nullptr), CL_INVALID_VALUE);

  cl_mem_object_type type = 0;
  EXPECT_EQ(clGetMemObjectInfo(pipe, CL_MEM_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
  EXPECT_EQ(type, cl_mem_object_type{CL_MEM_OBJECT_PIPE});
  cl_mem_flags flags = 0;
  EXPECT_EQ(clGetMemObjectInfo(pipe, CL_MEM_FLAGS, sizeof flags, &flags, nullptr), CL_SUCCESS);
  EXPECT_EQ(flags, cl_mem_flags{CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS});
  EXPECT_EQ(clGetMemObjectInfo(pipe, CL_MEM_SIZE, sizeof size, &size, nullptr), CL_SUCCESS);
  EXPECT_GE(size, 24u * 1000u);
  void* pointer = &size;
  EXPECT_EQ(clGetMemObjectInfo(pipe, CL_MEM_HOST_PTR, sizeof pointer, &pointer, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(pointer, nullptr);
  cl_context owner = nullptr;
  EXPECT_EQ(clGetMemObjectInfo(pipe, CL_MEM_CONTEXT, sizeof owner, &owner, nullptr), CL_SUCCESS);
  EXPECT_EQ(owner, context_.get());
}

TEST_F(PipeObject, InfoOfWhatIsNoPipe) {
  const auto buffer = make_buffer(context_, 64);
  cl_uint value;
  EXPECT_EQ(clGetPipeInfo(nullptr, CL_PIPE_PACKET_SIZE, sizeof value, &value, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clGetPipeInfo(buffer, CL_PIPE_PACKET_SIZE, sizeof value, &value, nullptr),
            CL_INVALID_MEM_OBJECT);
}

TEST_F(PipeObject, CountsReferencesAndCallsBack) {
  static int called;
  called = 0;
  auto pipe = create(4, 4);
  EXPECT_EQ(clSetMemObjectDestructorCallback(
                pipe, [](cl_mem, void*) { ++called; }, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clRetainMemObject(pipe), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(pipe), CL_SUCCESS);
  EXPECT_EQ(called, 0);
  const cl_mem handle = pipe;
  pipe.reset();
  EXPECT_EQ(called, 1);
  EXPECT_EQ(clGetPipeInfo(handle, CL_PIPE_PACKET_SIZE, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
}

// The contents of a pipe are not accessible from the host (OpenCL API 5.4).
TEST_F(PipeObject, IsNoBuffer) {
  const auto pipe = create(4, 64);
  const auto buffer = make_buffer(context_, 256);
  char bytes[256] = {};
  const size_t zero[3] = {0, 0, 0};
  const size_t one[3] = {4, 1, 1};
  EXPECT_EQ(clEnqueueReadBuffer(queue_, pipe, CL_TRUE, 0, 4, bytes, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueWriteBuffer(queue_, pipe, CL_TRUE, 0, 4, bytes, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueFillBuffer(queue_, pipe, bytes, 4, 0, 4, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBuffer(queue_, pipe, buffer, 0, 0, 4, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBuffer(queue_, buffer, pipe, 0, 0, 4, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueReadBufferRect(queue_, pipe, CL_TRUE, zero, zero, one, 0, 0, 0, 0, bytes, 0,
                                    nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueWriteBufferRect(queue_, pipe, CL_TRUE, zero, zero, one, 0, 0, 0, 0, bytes, 0,
                                     nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBufferRect(queue_, pipe, buffer, zero, zero, one, 0, 0, 0, 0, 0, nullptr,
                                    nullptr),
            CL_INVALID_MEM_OBJECT);
  cl_int error = 0;
  EXPECT_EQ(
      clEnqueueMapBuffer(queue_, pipe, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &error),
      nullptr);
  EXPECT_EQ(error, CL_INVALID_MEM_OBJECT);
  const cl_buffer_region region = {0, 4};
  EXPECT_EQ(clCreateSubBuffer(pipe, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_MEM_OBJECT);
  // But a pipe is a memory object.
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue_, 1, pipe.address(), 0, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
}

TEST_F(PipeObject, AsAnArgument) {
  const auto program = build(context_,
                             "kernel void k(read_only pipe int p, write_only pipe float4 q,"
                             "              global int* b) {}",
                             "-cl-std=CL3.0 -cl-kernel-arg-info");
  const auto kernel = make_kernel(program, "k");
  const auto pipe = create(4, 4);
  const auto buffer = make_buffer(context_, 64);
  const cl_mem none = nullptr;
  const auto set = [&](cl_uint index, size_t size, const void* value) {
    return clSetKernelArg(kernel, index, size, value);
  };
  EXPECT_EQ(set(0, sizeof(cl_mem), pipe.address()), CL_SUCCESS);
  EXPECT_EQ(set(0, sizeof(cl_mem) - 1, pipe.address()), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(set(0, sizeof(cl_mem), nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(set(0, sizeof(cl_mem), &none), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(set(0, sizeof(cl_mem), buffer.address()), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(set(2, sizeof(cl_mem), pipe.address()), CL_INVALID_MEM_OBJECT);
  const auto elsewhere = make_context();
  cl_int error;
  const Buffer foreign(clCreatePipe(elsewhere, 0, 4, 4, nullptr, &error));
  EXPECT_EQ(set(0, sizeof(cl_mem), foreign.address()), CL_INVALID_CONTEXT);

  const auto argument = [&](cl_uint index, auto name, auto value) {
    EXPECT_EQ(clGetKernelArgInfo(kernel, index, name, sizeof value, &value, nullptr), CL_SUCCESS);
    return value;
  };
  EXPECT_EQ(argument(0, CL_KERNEL_ARG_TYPE_QUALIFIER, cl_kernel_arg_type_qualifier{}),
            cl_kernel_arg_type_qualifier{CL_KERNEL_ARG_TYPE_PIPE});
  EXPECT_EQ(argument(0, CL_KERNEL_ARG_ACCESS_QUALIFIER, cl_kernel_arg_access_qualifier{}),
            cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_READ_ONLY});
  EXPECT_EQ(argument(1, CL_KERNEL_ARG_ACCESS_QUALIFIER, cl_kernel_arg_access_qualifier{}),
            cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_WRITE_ONLY});
  char type[16] = {};
  EXPECT_EQ(clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, nullptr),
            CL_SUCCESS);
  EXPECT_STREQ(type, "float4");
}

TEST_F(PipeObject, AKernelHasAsManyAsTheDeviceSays) {
  const auto most = info<cl_uint>(device(), CL_DEVICE_MAX_PIPE_ARGS);
  const auto source = [](cl_uint count) {
    std::string text = "kernel void k(";
    for (cl_uint i = 0; i < count; ++i)
      text += (i ? ", read_only pipe int p" : "read_only pipe int p") + std::to_string(i);
    return text + ") { int x; read_pipe(p0, &x); }";
  };
  const auto good = build(context_, source(most), "-cl-std=CL3.0");
  const auto kernel = make_kernel(good, "k");
  const auto pipe = create(4, 4);
  for (cl_uint i = 0; i < most; ++i)
    EXPECT_EQ(set_arg(kernel, i, pipe), CL_SUCCESS);
  run(queue_, kernel, {{1}, {1}, {}});

  const auto bad = make_program(context_, source(most + 1));
  EXPECT_EQ(clBuildProgram(bad, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr),
            CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(build_log(bad).find("pipes"), std::string::npos) << build_log(bad);
}

// Kernels of the languages without the feature still build.
TEST_F(PipeObject, OnlyWhereTheLanguageHasPipes) {
  build(context_,
        "kernel void k(global int* out) { out[0] = 1; }\n"
        "#ifdef __opencl_c_pipes\n#error pipes\n#endif\n",
        "-cl-std=CL1.2");
  build(context_, "#ifndef __opencl_c_pipes\n#error none\n#endif\n", "-cl-std=CL3.0");
}

} // namespace
} // namespace heddle::test
