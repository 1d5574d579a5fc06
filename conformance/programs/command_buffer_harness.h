// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs on command buffers have in common.
#pragma once

#include "command_buffer_api.h"
#include "harness.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace conformance {

constexpr size_t kItems = 256;

// Owns a command buffer.
class OwnedBuffer {
 public:
  OwnedBuffer(const command_buffers::Api& api, command_buffers::BufferHandle handle)
      : api_(api), handle_(handle) {}
  OwnedBuffer(OwnedBuffer&& other) noexcept
      : api_(other.api_), handle_(std::exchange(other.handle_, nullptr)) {}
  OwnedBuffer& operator=(OwnedBuffer&&) = delete;
  ~OwnedBuffer() {
    if (handle_)
      api_.release(handle_);
  }
  operator command_buffers::BufferHandle() const { return handle_; }

 private:
  const command_buffers::Api& api_;
  command_buffers::BufferHandle handle_;
};

// The device must have cl_khr_command_buffer.
class CommandBufferTest : public DeviceTest {
 protected:
  void SetUp() override {
    if (!has_extension("cl_khr_command_buffer"))
      GTEST_SKIP() << "no cl_khr_command_buffer";
    DeviceTest::SetUp();
    program = make_program("kernel void affine(global int* x, int factor, int term) {"
                           "  size_t i = get_global_id(0); x[i] = factor * x[i] + term; }"
                           "kernel void add(global int* x, global int* a, global int* b) {"
                           "  size_t i = get_global_id(0); x[i] = a[i] + b[i]; }");
    ASSERT_CL(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
    cl_int error = CL_SUCCESS;
    step = Kernel(clCreateKernel(program, "affine", &error));
    ASSERT_CL(error);
    add = Kernel(clCreateKernel(program, "add", &error));
    ASSERT_CL(error);
  }

  OwnedBuffer create(cl_command_queue of = nullptr, const cl_properties* properties = nullptr) {
    const cl_command_queue handle = of ? of : queue.get();
    return create(std::vector<cl_command_queue>{handle}, properties);
  }
  OwnedBuffer create(const std::vector<cl_command_queue>& queues, const cl_properties* properties) {
    cl_int error = CL_SUCCESS;
    const auto made =
        api.create(static_cast<cl_uint>(queues.size()), queues.data(), properties, &error);
    EXPECT_CL(error);
    return {api, made};
  }
  Memory make_zeros(size_t count) { return make_buffer(std::vector<cl_int>(count, 0)); }
  void set_step(const Memory& buffer, cl_int factor, cl_int term) {
    ASSERT_CL(clSetKernelArg(step, 0, sizeof(cl_mem), buffer.ptr()));
    ASSERT_CL(clSetKernelArg(step, 1, sizeof factor, &factor));
    ASSERT_CL(clSetKernelArg(step, 2, sizeof term, &term));
  }
  // Records x = factor x + term.
  void record_step(command_buffers::BufferHandle into, const Memory& buffer, cl_int factor,
                   cl_int term, cl_uint count = 0,
                   const command_buffers::SyncPoint* waits = nullptr,
                   command_buffers::SyncPoint* point = nullptr,
                   command_buffers::CommandHandle* handle = nullptr,
                   cl_command_queue in = nullptr) {
    set_step(buffer, factor, term);
    ASSERT_CL(api.kernel(into, in, nullptr, step, 1, nullptr, &kItems, nullptr, count, waits, point,
                         handle));
  }
  bool supports(cl_command_queue_properties properties) {
    return (info<cl_command_queue_properties>(clGetDeviceInfo, device,
                                              command_buffers::DEVICE_SUPPORTED_QUEUE_PROPERTIES) &
            properties) == properties;
  }
  template <class T>
  T buffer_info(command_buffers::BufferHandle buffer, cl_uint name) {
    T value{};
    size_t size = 0;
    EXPECT_CL(api.info(buffer, name, sizeof value, &value, &size));
    EXPECT_EQ(size, sizeof value);
    return value;
  }

  const command_buffers::Api api{Target::get().platform};
  Program program;
  Kernel step, add;
};

} // namespace conformance
