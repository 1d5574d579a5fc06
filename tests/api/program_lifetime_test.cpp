// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lifetimes: kernels and their arguments, programs and their kernels, sub-devices and the binaries
// of their parent.
#include "tests/api/api_test.h"

namespace heddle::test {
namespace {

constexpr const char* kSource =
    "kernel void k(global int* out) { out[get_global_id(0)] = 5; }\n"
    "kernel void local_one(global int* out, local int* scratch) {"
    "  scratch[get_local_id(0)] = 6; out[get_global_id(0)] = scratch[get_local_id(0)]; }\n";

class ProgramLifetimeTest : public ApiTest {};

void CL_CALLBACK count_destroyed(cl_mem, void* count) { ++*static_cast<int*>(count); }

// A kernel object holds no reference to its arguments (OpenCL API 5.9.2).
TEST_F(ProgramLifetimeTest, ArgumentsAreNotKept) {
  const auto program = build(context_, kSource);
  const auto kernel = make_kernel(program, "k");
  int destroyed = 0;
  auto buffer = make_buffer(context_, 64);
  check(clSetMemObjectDestructorCallback(buffer, count_destroyed, &destroyed), "callback");
  set_args(kernel, buffer);
  buffer.reset();
  EXPECT_EQ(destroyed, 1);
  EXPECT_EQ(enqueue(queue_, kernel, {{16}, {}, {}}), CL_INVALID_KERNEL_ARGS);
  const auto other = make_buffer(context_, 64);
  set_args(kernel, other);
  run(queue_, kernel, {{16}, {}, {}});
  EXPECT_EQ(read<cl_int>(queue_, other, 16)[15], 5);
}

// A command keeps them until it has finished.
TEST_F(ProgramLifetimeTest, CommandsKeepArguments) {
  const auto program = build(context_, kSource);
  auto kernel = make_kernel(program, "k");
  int destroyed = 0;
  auto buffer = make_buffer(context_, 64);
  check(clSetMemObjectDestructorCallback(buffer, count_destroyed, &destroyed), "callback");
  set_args(kernel, buffer);
  cl_int status = CL_SUCCESS;
  const Event gate(clCreateUserEvent(context_, &status));
  check(status, "clCreateUserEvent");
  Event done;
  check(enqueue(queue_, kernel, {{16}, {}, {}}, done.out(), {gate}), "enqueue");
  buffer.reset();
  kernel.reset();
  EXPECT_EQ(destroyed, 0);
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  check(clFinish(queue_), "clFinish");
  EXPECT_EQ(event_status(done), CL_COMPLETE);
}

TEST_F(ProgramLifetimeTest, KernelsKeepTheirProgramFromBeingBuilt) {
  const auto program = build(context_, kSource);
  auto kernel = make_kernel(program, "k");
  cl_int status = CL_SUCCESS;
  Kernel copy(clCloneKernel(kernel, &status));
  check(status, "clCloneKernel");
  const auto rebuild = [&] { return clBuildProgram(program, 0, nullptr, "", nullptr, nullptr); };
  EXPECT_EQ(rebuild(), CL_INVALID_OPERATION);
  EXPECT_EQ(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
            CL_INVALID_OPERATION);
  kernel.reset();
  EXPECT_EQ(rebuild(), CL_INVALID_OPERATION);
  copy.reset();
  EXPECT_EQ(rebuild(), CL_SUCCESS);
}

TEST_F(ProgramLifetimeTest, WhatCannotBeBuilt) {
  const auto source = make_program(context_, kSource);
  check(clCompileProgram(source, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr), "compile");
  const cl_program input = source;
  cl_int status = CL_SUCCESS;
  const Program linked(
      clLinkProgram(context_, 0, nullptr, "", 1, &input, nullptr, nullptr, &status));
  check(status, "clLinkProgram");
  EXPECT_EQ(clBuildProgram(linked, 0, nullptr, "", nullptr, nullptr), CL_INVALID_OPERATION);
  EXPECT_EQ(clCompileProgram(linked, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
            CL_INVALID_OPERATION);
  // An executable cannot be linked.
  const cl_program executable = linked;
  EXPECT_EQ(clLinkProgram(context_, 0, nullptr, "", 1, &executable, nullptr, nullptr, &status),
            nullptr);
  EXPECT_EQ(status, CL_INVALID_OPERATION);
}

// A loaded binary is an executable only after it has been built (OpenCL API 5.9.1).
TEST_F(ProgramLifetimeTest, LoadedBinariesMustBeBuilt) {
  const auto program = build(context_, kSource);
  size_t size = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr), "sizes");
  std::vector<unsigned char> bytes(size);
  auto* into = bytes.data();
  check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof into, &into, nullptr), "binaries");
  const auto chosen = device();
  const unsigned char* from = bytes.data();
  cl_int status = CL_SUCCESS;
  const Program loaded(
      clCreateProgramWithBinary(context_, 1, &chosen, &size, &from, nullptr, &status));
  check(status, "clCreateProgramWithBinary");
  EXPECT_EQ(clCreateKernel(loaded, "k", &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_PROGRAM_EXECUTABLE);
  check(clBuildProgram(loaded, 0, nullptr, nullptr, nullptr, nullptr), "clBuildProgram");
  EXPECT_NE(make_kernel(loaded, "k").get(), nullptr);
}

// A program that was not built for a sub-device runs there as built for the parent (OpenCL
// API 5.8.8).
TEST_F(ProgramLifetimeTest, SubDeviceUsesTheParentsBinary) {
  const cl_device_partition_property halves[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint count = 0;
  if (clCreateSubDevices(device(), halves, 0, nullptr, &count) != CL_SUCCESS || count == 0)
    GTEST_SKIP() << "the device has one compute unit";
  std::vector<cl_device_id> parts(count);
  check(clCreateSubDevices(device(), halves, count, parts.data(), nullptr), "clCreateSubDevices");
  std::vector<Device> owned;
  for (const auto part : parts)
    owned.emplace_back(part);
  const cl_device_id both[] = {device(), parts[0]};
  cl_int status = CL_SUCCESS;
  const Context context(clCreateContext(nullptr, 2, both, nullptr, nullptr, &status));
  check(status, "clCreateContext");
  const auto program = make_program(context, kSource);
  check(clBuildProgram(program, 1, both, "", nullptr, nullptr), "clBuildProgram");
  const auto kernel = make_kernel(program, "k");
  const Queue queue(clCreateCommandQueue(context, parts[0], 0, &status));
  check(status, "clCreateCommandQueue");
  const auto out = make_buffer(context, 64);
  set_args(kernel, out);
  run(queue, kernel, {{16}, {}, {}});
  EXPECT_EQ(read<cl_int>(queue, out, 16)[15], 5);
}

TEST_F(ProgramLifetimeTest, LocalSizesNearTheEndOfTheRange) {
  const auto program = build(context_, kSource);
  const auto kernel = make_kernel(program, "local_one");
  const auto out = make_buffer(context_, 64);
  for (const size_t bytes : {~size_t{0}, ~size_t{0} - 200, size_t{1} << 63}) {
    set_args(kernel, out, Local{bytes});
    EXPECT_EQ(enqueue(queue_, kernel, {{16}, {}, {}}), CL_OUT_OF_RESOURCES) << bytes;
  }
  set_args(kernel, out, Local{64});
  run(queue_, kernel, {{16}, {}, {}});
  EXPECT_EQ(read<cl_int>(queue_, out, 16)[15], 6);
}

} // namespace
} // namespace heddle::test
