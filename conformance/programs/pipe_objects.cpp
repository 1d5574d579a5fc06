// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipes in the API and the compiler: queries, creation, errors, arguments of kernels.
#include "pipe_harness.h"

#include <algorithm>

using namespace conformance;

namespace {

TEST_F(Pipes, Queries) {
  SPEC("API, Querying Devices: minimum values if the device supports pipes");
  EXPECT_GE(limit(CL_DEVICE_MAX_PIPE_ARGS), 16u);
  EXPECT_GE(limit(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS), 1u);
  EXPECT_GE(limit(CL_DEVICE_PIPE_MAX_PACKET_SIZE), 1024u);
  build("#ifndef __opencl_c_pipes\n#error pipes\n#endif\n"
        "#ifndef __opencl_c_generic_address_space\n#error generic address space\n#endif\n",
        kLanguage);
}

TEST_F(Pipes, CreationErrors) {
  SPEC("API, Creating Pipe Objects: errors");
  const auto fails = [&](cl_context where, cl_mem_flags flags, cl_uint size, cl_uint packets,
                         const cl_pipe_properties* properties = nullptr) {
    cl_int error = 1;
    cl_mem pipe = clCreatePipe(where, flags, size, packets, properties, &error);
    EXPECT_EQ(pipe, nullptr);
    if (pipe)
      clReleaseMemObject(pipe);
    return error;
  };
  EXPECT_EQ(fails(nullptr, 0, 4, 4), CL_INVALID_CONTEXT);
  for (const cl_mem_flags flags :
       {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR,
        CL_MEM_COPY_HOST_PTR, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY})
    EXPECT_EQ(fails(context, flags, 4, 4), CL_INVALID_VALUE) << flags;
  const cl_pipe_properties properties[] = {0};
  EXPECT_EQ(fails(context, 0, 4, 4, properties), CL_INVALID_VALUE);
  EXPECT_EQ(fails(context, 0, 0, 4), CL_INVALID_PIPE_SIZE);
  EXPECT_EQ(fails(context, 0, 4, 0), CL_INVALID_PIPE_SIZE);
  EXPECT_EQ(fails(context, 0, limit(CL_DEVICE_PIPE_MAX_PACKET_SIZE) + 1, 4), CL_INVALID_PIPE_SIZE);
}

TEST_F(Pipes, ObjectQueries) {
  SPEC("API, Pipe Object Queries; Memory Object Queries");
  for (const cl_mem_flags flags :
       {cl_mem_flags{0}, cl_mem_flags{CL_MEM_READ_WRITE}, cl_mem_flags{CL_MEM_HOST_NO_ACCESS},
        cl_mem_flags{CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS}}) {
    Memory pipe = make_pipe(24, 10, flags);
    EXPECT_EQ(info<cl_uint>(clGetPipeInfo, pipe.get(), CL_PIPE_PACKET_SIZE), 24u);
    EXPECT_EQ(info<cl_uint>(clGetPipeInfo, pipe.get(), CL_PIPE_MAX_PACKETS), 10u);
    EXPECT_EQ(info<cl_mem_object_type>(clGetMemObjectInfo, pipe.get(), CL_MEM_TYPE),
              cl_mem_object_type{CL_MEM_OBJECT_PIPE});
    EXPECT_EQ(info<cl_context>(clGetMemObjectInfo, pipe.get(), CL_MEM_CONTEXT), context.get());
  }
  Memory pipe = make_pipe(4, 4);
  cl_uint value = 0;
  size_t size = 1;
  if (version >= 300) {
    EXPECT_CL(clGetPipeInfo(pipe, CL_PIPE_PROPERTIES, 0, nullptr, &size));
    EXPECT_EQ(size, 0u) << "the properties were null";
  }
  EXPECT_EQ(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, 3, &value, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetPipeInfo(pipe, 0x4242, sizeof value, &value, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetPipeInfo(nullptr, CL_PIPE_PACKET_SIZE, 4, &value, nullptr), CL_INVALID_MEM_OBJECT);
  Memory buffer = make_buffer(64);
  EXPECT_EQ(clGetPipeInfo(buffer, CL_PIPE_PACKET_SIZE, 4, &value, nullptr), CL_INVALID_MEM_OBJECT);
}

TEST_F(Pipes, AreNotBuffers) {
  SPEC("API, Pipes: not accessible from the host; buffer commands: CL_INVALID_MEM_OBJECT if buffer "
       "is not a valid buffer object");
  Memory pipe = make_pipe(4, 16), buffer = make_buffer(64);
  char bytes[64] = {};
  EXPECT_EQ(clEnqueueReadBuffer(queue, pipe, CL_TRUE, 0, 4, bytes, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueWriteBuffer(queue, pipe, CL_TRUE, 0, 4, bytes, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, pipe, buffer, 0, 0, 4, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueFillBuffer(queue, pipe, bytes, 4, 0, 4, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(
      clEnqueueMapBuffer(queue, pipe, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &error),
      nullptr);
  EXPECT_EQ(error, CL_INVALID_MEM_OBJECT);
  const cl_buffer_region region = {0, 4};
  EXPECT_EQ(clCreateSubBuffer(pipe, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_MEM_OBJECT);
}

TEST_F(Pipes, AsArguments) {
  SPEC("API, Setting Kernel Arguments: CL_INVALID_ARG_SIZE; CL_INVALID_MEM_OBJECT or "
       "CL_INVALID_ARG_VALUE for a memory object of another kind");
  Kernel kernel = make_kernel("kernel void k(read_only pipe int p, global int* b) {}", "k",
                              "-cl-std=CL3.0 -cl-kernel-arg-info");
  Memory pipe = make_pipe(4, 16), buffer = make_buffer(64);
  EXPECT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), pipe.ptr()));
  EXPECT_EQ(clSetKernelArg(kernel, 0, 4, pipe.ptr()), CL_INVALID_ARG_SIZE);
  const auto is_refused = [&](cl_uint index, const Memory& memory) {
    const auto error = clSetKernelArg(kernel, index, sizeof(cl_mem), memory.ptr());
    return error == CL_INVALID_MEM_OBJECT || error == CL_INVALID_ARG_VALUE;
  };
  EXPECT_TRUE(is_refused(0, buffer));
  EXPECT_TRUE(is_refused(1, pipe));
  cl_kernel_arg_type_qualifier qualifier = 0;
  EXPECT_CL(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier,
                               &qualifier, nullptr));
  EXPECT_EQ(qualifier, cl_kernel_arg_type_qualifier{CL_KERNEL_ARG_TYPE_PIPE});
  cl_kernel_arg_access_qualifier access = 0;
  EXPECT_CL(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access,
                               nullptr));
  EXPECT_EQ(access, cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_READ_ONLY});
}

TEST_F(Pipes, WhatDoesNotCompile) {
  SPEC("C, Pipe Functions: access qualifiers; Restrictions");
  for (const char* source :
       {"kernel void k(read_write pipe int p) {}", "kernel void k() { pipe int p; }",
        "struct s { pipe int p; }; kernel void k() {}", "pipe int p; kernel void k() {}",
        "kernel void k(read_only pipe int* p) {}",
        "kernel void k(read_only pipe int p) { int v = 0; write_pipe(p, &v); }",
        "kernel void k(write_only pipe int p) { int v; read_pipe(p, &v); }",
        "kernel void k(read_only pipe int p) { float v; read_pipe(p, &v); }",
        "kernel void k(read_only pipe int p) { reserve_write_pipe(p, 1); }"}) {
    Program program = make_program(source);
    EXPECT_EQ(clBuildProgram(program, 1, &device, kLanguage, nullptr, nullptr),
              CL_BUILD_PROGRAM_FAILURE)
        << source;
  }
}

TEST_F(Pipes, AsManyArgumentsAsTheDeviceSays) {
  SPEC("API, Querying Devices: CL_DEVICE_MAX_PIPE_ARGS");
  const auto count = std::min(limit(CL_DEVICE_MAX_PIPE_ARGS), 128u);
  std::string puts = "kernel void put(", gets = "kernel void get(", put_body, get_body;
  for (cl_uint i = 0; i < count; ++i) {
    const auto n = std::to_string(i);
    puts += "write_only pipe int p" + n + ", ";
    gets += "read_only pipe int p" + n + ", ";
    put_body += "v = 100 + " + n + "; out[" + n + "] = write_pipe(p" + n + ", &v);\n";
    get_body += "v = 0; read_pipe(p" + n + ", &v); out[" + n + "] = v;\n";
  }
  const auto tail = "global int* out) { int v;\n";
  Program program =
      build(puts + tail + put_body + "}\n" + gets + tail + get_body + "}\n", kLanguage);
  std::vector<Memory> pipes;
  for (cl_uint i = 0; i < count; ++i)
    pipes.push_back(make_pipe(4, 1));
  Memory out = make_buffer(count * 4);
  for (const char* name : {"put", "get"}) {
    Kernel kernel = make_kernel(program, name);
    for (cl_uint i = 0; i < count; ++i)
      set_argument(kernel, i, pipes[i]);
    set_argument(kernel, count, out);
    run(kernel, {1}, {1});
    const auto values = read<cl_int>(out, count);
    for (cl_uint i = 0; i < count; ++i)
      EXPECT_EQ(values[i], name[0] == 'p' ? 0 : 100 + cl_int(i));
  }
}

} // namespace
