// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-devices: partitioning, queries, reference counts, and that they can be worked with.
#include "harness.h"

#include <algorithm>
#include <numeric>

using namespace conformance;

namespace {

const cl_device_id root = Target::get().device;
using Properties = std::vector<cl_device_partition_property>;

class SubDevices : public testing::Test {
 protected:
  ~SubDevices() override {
    for (cl_device_id device : made_)
      clReleaseDevice(device);
  }
  bool can(cl_device_partition_property kind) {
    const auto kinds = info_array<cl_device_partition_property>(clGetDeviceInfo, root,
                                                                CL_DEVICE_PARTITION_PROPERTIES);
    return std::count(kinds.begin(), kinds.end(), kind) > 0;
  }
  cl_uint units(cl_device_id device) {
    return info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_COMPUTE_UNITS);
  }
  std::vector<cl_device_id> partition(cl_device_id device, const Properties& properties) {
    cl_uint count = 0;
    EXPECT_CL(clCreateSubDevices(device, properties.data(), 0, nullptr, &count));
    std::vector<cl_device_id> devices(count);
    if (count) {
      EXPECT_CL(clCreateSubDevices(device, properties.data(), count, devices.data(), nullptr));
    }
    made_.insert(made_.begin(), devices.begin(), devices.end());
    return devices;
  }
  cl_int error_of(const Properties& properties, cl_uint room = 64) {
    std::vector<cl_device_id> devices(64);
    cl_uint count = 0;
    const cl_int error = clCreateSubDevices(root, properties.data(), room, devices.data(), &count);
    if (error == CL_SUCCESS)
      for (cl_uint i = 0; i < count; ++i)
        clReleaseDevice(devices[i]);
    return error;
  }
  // A kernel on the sub-device, alone in a context.
  void compute_on(cl_device_id device) {
    cl_int error = CL_SUCCESS;
    Context context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error));
    ASSERT_CL(error);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    Queue queue(clCreateCommandQueue(context, device, 0, &error));
#pragma GCC diagnostic pop
    ASSERT_CL(error);
    const char* source =
        "kernel void k(global int* a) { a[get_global_id(0)] = (int)get_global_id(0) * 2; }";
    Program program(clCreateProgramWithSource(context, 1, &source, nullptr, &error));
    ASSERT_CL(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
    Kernel kernel(clCreateKernel(program, "k", &error));
    ASSERT_CL(error);
    Memory buffer(clCreateBuffer(context, CL_MEM_READ_WRITE, 4000, nullptr, &error));
    ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), buffer.ptr()));
    const size_t global = 1000;
    ASSERT_CL(
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
    std::vector<cl_int> seen(1000), wanted(1000);
    ASSERT_CL(
        clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4000, seen.data(), 0, nullptr, nullptr));
    for (int i = 0; i < 1000; ++i)
      wanted[i] = 2 * i;
    EXPECT_EQ(seen, wanted);
  }
  std::vector<cl_device_id> made_;
};

TEST_F(SubDevices, Equally) {
  SPEC("API, Partitioning a Device: CL_DEVICE_PARTITION_EQUALLY");
  if (!can(CL_DEVICE_PARTITION_EQUALLY) || units(root) < 2)
    GTEST_SKIP();
  const Properties properties = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  const auto devices = partition(root, properties);
  ASSERT_EQ(devices.size(), units(root));
  for (cl_device_id device : devices) {
    EXPECT_EQ(units(device), 1u);
    EXPECT_EQ(info<cl_device_id>(clGetDeviceInfo, device, CL_DEVICE_PARENT_DEVICE), root);
    EXPECT_EQ(info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_REFERENCE_COUNT), 1u);
    EXPECT_EQ(
        info_array<cl_device_partition_property>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_TYPE),
        properties);
    EXPECT_EQ(info<cl_platform_id>(clGetDeviceInfo, device, CL_DEVICE_PLATFORM),
              Target::get().platform);
  }
  compute_on(devices.back());
}

TEST_F(SubDevices, ByCounts) {
  SPEC("API, Partitioning a Device: CL_DEVICE_PARTITION_BY_COUNTS");
  if (!can(CL_DEVICE_PARTITION_BY_COUNTS) || units(root) < 2)
    GTEST_SKIP();
  const cl_uint rest = units(root) - 1;
  const auto devices =
      partition(root, {CL_DEVICE_PARTITION_BY_COUNTS, 1, cl_device_partition_property(rest),
                       CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0});
  ASSERT_EQ(devices.size(), 2u);
  EXPECT_EQ(units(devices[0]), 1u);
  EXPECT_EQ(units(devices[1]), rest);
  for (cl_device_id device : devices)
    compute_on(device);
  EXPECT_EQ(error_of({CL_DEVICE_PARTITION_BY_COUNTS, cl_device_partition_property(units(root)) + 1,
                      CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0}),
            CL_INVALID_DEVICE_PARTITION_COUNT);
}

TEST_F(SubDevices, ByAffinityDomain) {
  SPEC("API, Partitioning a Device: CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN");
  if (!can(CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN))
    GTEST_SKIP();
  const auto domains =
      info<cl_device_affinity_domain>(clGetDeviceInfo, root, CL_DEVICE_PARTITION_AFFINITY_DOMAIN);
  for (cl_device_affinity_domain domain :
       {CL_DEVICE_AFFINITY_DOMAIN_NUMA, CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE,
        CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE,
        CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE}) {
    if (!(domains & domain))
      continue;
    const Properties properties = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                   cl_device_partition_property(domain), 0};
    cl_uint count = 0;
    const cl_int error = clCreateSubDevices(root, properties.data(), 0, nullptr, &count);
    if (error == CL_DEVICE_PARTITION_FAILED) // supported in name, but one domain holds everything
      continue;
    const auto devices = partition(root, properties);
    cl_uint sum = 0;
    for (cl_device_id device : devices) {
      sum += units(device);
      SPEC("API, Querying Devices: CL_DEVICE_PARTITION_TYPE is the affinity domain that was used");
      cl_device_partition_property type[3] = {};
      EXPECT_CL(clGetDeviceInfo(device, CL_DEVICE_PARTITION_TYPE, sizeof(type), type, nullptr));
      EXPECT_EQ(type[0], CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
      if (domain == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE)
        EXPECT_TRUE(type[1] != 0 && type[1] < CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE)
            << type[1];
      else
        EXPECT_EQ(type[1], cl_device_partition_property(domain));
    }
    EXPECT_EQ(sum, units(root)) << "domain " << domain;
    compute_on(devices.front());
  }
}

TEST_F(SubDevices, ReferenceCounts) {
  SPEC("API, Partitioning a Device: clRetainDevice and clReleaseDevice");
  EXPECT_CL(clRetainDevice(root)); // of a root device they do nothing
  EXPECT_CL(clReleaseDevice(root));
  EXPECT_EQ(info<cl_uint>(clGetDeviceInfo, root, CL_DEVICE_REFERENCE_COUNT), 1u);
  EXPECT_EQ(clRetainDevice(nullptr), CL_INVALID_DEVICE);
  if (!can(CL_DEVICE_PARTITION_EQUALLY) || units(root) < 2)
    return;
  const auto devices = partition(root, {CL_DEVICE_PARTITION_EQUALLY, 1, 0});
  ASSERT_FALSE(devices.empty());
  EXPECT_CL(clRetainDevice(devices[0]));
  EXPECT_EQ(info<cl_uint>(clGetDeviceInfo, devices[0], CL_DEVICE_REFERENCE_COUNT), 2u);
  EXPECT_CL(clReleaseDevice(devices[0]));
}

TEST_F(SubDevices, TogetherInOneContext) {
  SPEC("API, Contexts: the devices of a context may be sub-devices");
  if (!can(CL_DEVICE_PARTITION_EQUALLY) || units(root) < 2)
    GTEST_SKIP();
  const auto devices = partition(root, {CL_DEVICE_PARTITION_EQUALLY, 1, 0});
  cl_int error = CL_SUCCESS;
  Context context(
      clCreateContext(nullptr, cl_uint(devices.size()), devices.data(), nullptr, nullptr, &error));
  ASSERT_CL(error);
  EXPECT_EQ(info<cl_uint>(clGetContextInfo, context.get(), CL_CONTEXT_NUM_DEVICES), devices.size());
  // Data written through one device is read through the other.
  Memory buffer(clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, &error));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  Queue first(clCreateCommandQueue(context, devices[0], 0, &error)),
      second(clCreateCommandQueue(context, devices[1], 0, &error));
#pragma GCC diagnostic pop
  ASSERT_CL(error);
  const cl_int value = 9;
  Event filled;
  ASSERT_CL(clEnqueueFillBuffer(first, buffer, &value, 4, 0, 64, 0, nullptr, filled.out()));
  ASSERT_CL(clFlush(first));
  cl_int seen[16] = {};
  ASSERT_CL(clEnqueueReadBuffer(second, buffer, CL_TRUE, 0, 64, seen, 1, filled.ptr(), nullptr));
  EXPECT_EQ(seen[15], 9);
}

TEST_F(SubDevices, OneBuildIsForEveryDeviceOfTheContext) {
  SPEC("API, Building Program Executables: without a device list, for all devices of the program");
  if (!can(CL_DEVICE_PARTITION_EQUALLY) || units(root) < 2)
    GTEST_SKIP();
  auto devices = partition(root, {CL_DEVICE_PARTITION_EQUALLY, 1, 0});
  devices.insert(devices.begin(), root);
  cl_int error = CL_SUCCESS;
  Context context(
      clCreateContext(nullptr, cl_uint(devices.size()), devices.data(), nullptr, nullptr, &error));
  ASSERT_CL(error);
  const char* source = "kernel void k(global int* a) { a[get_global_id(0)] += 1; }";
  Program program(clCreateProgramWithSource(context, 1, &source, nullptr, &error));
  ASSERT_CL(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  Kernel kernel(clCreateKernel(program, "k", &error));
  ASSERT_CL(error);
  const cl_int zero = 0;
  Memory buffer(clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zero,
                               const_cast<cl_int*>(&zero), &error));
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), buffer.ptr()));
  for (cl_device_id device : devices) {
    cl_build_status status = CL_BUILD_NONE;
    EXPECT_CL(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status,
                                    &status, nullptr));
    EXPECT_EQ(status, CL_BUILD_SUCCESS);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    Queue queue(clCreateCommandQueue(context, device, 0, &error));
#pragma GCC diagnostic pop
    ASSERT_CL(error);
    const size_t one = 1;
    ASSERT_CL(
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    ASSERT_CL(clFinish(queue));
    cl_int seen = 0;
    ASSERT_CL(
        clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof seen, &seen, 0, nullptr, nullptr));
    EXPECT_EQ(seen, 1 + int(std::find(devices.begin(), devices.end(), device) - devices.begin()));
  }
}

TEST_F(SubDevices, Errors) {
  SPEC("API, Partitioning a Device: errors of clCreateSubDevices");
  const Properties equally = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  EXPECT_EQ(clCreateSubDevices(nullptr, equally.data(), 0, nullptr, nullptr), CL_INVALID_DEVICE);
  EXPECT_EQ(clCreateSubDevices(root, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(error_of({0x7777, 1, 0}), CL_INVALID_VALUE);
  if (!can(CL_DEVICE_PARTITION_EQUALLY) || units(root) < 2)
    return;
  EXPECT_EQ(error_of(equally, 1), CL_INVALID_VALUE) << "room for too few devices";
  const cl_int error =
      error_of({CL_DEVICE_PARTITION_EQUALLY, cl_device_partition_property(units(root)) + 1, 0});
  // The text names no error for this alone; each of these describes it.
  EXPECT_TRUE(error == CL_DEVICE_PARTITION_FAILED || error == CL_INVALID_VALUE ||
              error == CL_INVALID_DEVICE_PARTITION_COUNT)
      << error;
}

} // namespace
