// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_ext_buffer_device_address 1.0.2 and cl_intel_create_buffer_with_properties.
#include "tests/api/api_test.h"
#include "tests/api/shared_memory.h"

#include <numeric>

namespace heddle::test {
namespace {

class DeviceAddressTest : public ApiTest {
 protected:
  Buffer make(std::vector<cl_mem_properties> properties, cl_mem_flags flags, size_t size,
              void* host, cl_int* status) {
    return Buffer(
        clCreateBufferWithProperties(context_, properties.data(), flags, size, host, status));
  }
  cl_int address_of(cl_mem buffer, DeviceAddress& address) {
    return clGetMemObjectInfo(buffer, kDeviceAddress, sizeof address, &address, nullptr);
  }
  SetKernelArgDevicePointer set_pointer_ =
      extension<SetKernelArgDevicePointer>("clSetKernelArgDevicePointerEXT");
};

TEST_F(DeviceAddressTest, Properties) {
  cl_int status = CL_SUCCESS;
  const std::vector<cl_mem_properties> on = {kDevicePrivateAddress, CL_TRUE, 0};
  const auto buffer = make(on, CL_MEM_READ_WRITE, 4096, nullptr, &status);
  check(status, "clCreateBufferWithProperties");
  cl_mem_properties read_back[3] = {};
  check(clGetMemObjectInfo(buffer, CL_MEM_PROPERTIES, sizeof read_back, read_back, nullptr),
        "CL_MEM_PROPERTIES");
  EXPECT_EQ(std::vector<cl_mem_properties>(read_back, read_back + 3), on);
  DeviceAddress address = 0;
  EXPECT_EQ(address_of(buffer, address), CL_SUCCESS);
  EXPECT_NE(address, 0u);
  size_t size = 0;
  check(clGetMemObjectInfo(buffer, kDeviceAddress, 0, nullptr, &size), "size");
  EXPECT_EQ(size, sizeof(DeviceAddress)) << "one for each device of the context";
  EXPECT_EQ(clGetMemObjectInfo(buffer, kDeviceAddress, 7, &address, nullptr), CL_INVALID_VALUE);

  const auto off = make({kDevicePrivateAddress, CL_FALSE, 0}, 0, 64, nullptr, &status);
  check(status, "CL_FALSE");
  EXPECT_EQ(address_of(off, address), CL_INVALID_OPERATION);
  EXPECT_EQ(address_of(make_buffer(context_, 64), address), CL_INVALID_OPERATION);
  (void)make({kDevicePrivateAddress, 7, 0}, 0, 64, nullptr, &status);
  EXPECT_EQ(status, CL_INVALID_PROPERTY);
  (void)make({kDevicePrivateAddress, CL_TRUE, kDevicePrivateAddress, CL_TRUE, 0}, 0, 64, nullptr,
             &status);
  EXPECT_EQ(status, CL_INVALID_PROPERTY);
  (void)make({0x7777, CL_TRUE, 0}, 0, 64, nullptr, &status);
  EXPECT_EQ(status, CL_INVALID_PROPERTY);
  SvmArray<cl_int> svm(context_, 16);
  const auto over = make(on, CL_MEM_USE_HOST_PTR, 64, svm.data(), &status);
  EXPECT_EQ(address_of(over, address), CL_SUCCESS);
  EXPECT_EQ(address, reinterpret_cast<DeviceAddress>(svm.data()));
}

TEST_F(DeviceAddressTest, TheIntelCall) {
  const auto create =
      extension<decltype(&clCreateBufferWithPropertiesINTEL)>("clCreateBufferWithPropertiesINTEL");
  cl_int status = 77;
  const cl_mem_properties_intel none[] = {0}, unknown[] = {0x7777, 1, 0};
  EXPECT_NE(Buffer(create(context_, nullptr, 0, 64, nullptr, &status)).get(), nullptr);
  EXPECT_EQ(status, CL_SUCCESS);
  EXPECT_NE(Buffer(create(context_, none, CL_MEM_READ_ONLY, 64, nullptr, &status)).get(), nullptr);
  EXPECT_EQ(create(context_, unknown, 0, 64, nullptr, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
  EXPECT_EQ(create(context_, none, 0, 0, nullptr, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(create(nullptr, none, 0, 64, nullptr, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_CONTEXT);
}

TEST_F(DeviceAddressTest, KernelsUseThem) {
  const auto program = build(context_, R"(
    kernel void k(global int* in, global int* out, constant int* c, int v, local int* l) {
      out[get_global_id(0)] = in[get_global_id(0)] + in[-1];
    }
    kernel void follow(global ulong* address, global int* out) {
      out[get_global_id(0)] = ((global int*)*address)[get_global_id(0)];
    })");
  const auto kernel = make_kernel(program, "k");
  cl_int status = CL_SUCCESS;
  std::vector<cl_int> values(64);
  std::iota(values.begin(), values.end(), 0);
  const auto in =
      make({kDevicePrivateAddress, CL_TRUE, 0}, CL_MEM_COPY_HOST_PTR, 256, values.data(), &status);
  check(status, "clCreateBufferWithProperties");
  const auto out = make_buffer(context_, 256);
  DeviceAddress address = 0;
  check(address_of(in, address), "CL_MEM_DEVICE_ADDRESS_EXT");
  EXPECT_EQ(set_pointer_(kernel, 0, address + 32), CL_SUCCESS);
  EXPECT_EQ(set_pointer_(kernel, 2, 0), CL_INVALID_ARG_INDEX) << "constant memory";
  EXPECT_EQ(set_pointer_(kernel, 3, address), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(set_pointer_(kernel, 4, address), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(set_pointer_(kernel, 5, address), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(set_pointer_(nullptr, 0, address), CL_INVALID_KERNEL);
  check(set_arg(kernel, 1, out), "argument 1");
  check(set_arg(kernel, 2, in), "argument 2");
  check(set_arg(kernel, 3, cl_int(0)), "argument 3");
  check(set_arg(kernel, 4, Local{4}), "argument 4");
  run(queue_, kernel, {{16}, {}, {}});
  EXPECT_EQ(read<cl_int>(queue_, out, 16)[15], 23 + 7);
  // By an address in memory.
  const auto follow = make_kernel(program, "follow");
  const auto place = make_buffer(context_, 8, &address, CL_MEM_COPY_HOST_PTR);
  check(clSetKernelExecInfo(follow, kDevicePointers, sizeof address, &address), "exec info");
  set_args(follow, place, out);
  run(queue_, follow, {{16}, {}, {}});
  EXPECT_EQ(read<cl_int>(queue_, out, 16)[15], 15);
}

} // namespace
} // namespace heddle::test
