// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices and buffers on a machine with two NUMA nodes of a processor each, as hwloc is told:
// sub-devices keep their threads and their memory in their node, and what spans both nodes computes
// the same.
#include "tests/api/api_test.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle::test {
namespace {

// Before the driver is opened.
const int kSet = setenv("HWLOC_SYNTHETIC", "node:2 core:1 pu:1", 1);
constexpr size_t kBytes = size_t{8} << 20;

bool has_both_processors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 2 &&
         CPU_ISSET(0, &set) && CPU_ISSET(1, &set);
}

std::vector<cl_device_id> by_node() {
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                     CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0};
  std::vector<cl_device_id> devices(2);
  cl_uint count = 0;
  check(clCreateSubDevices(device(), properties, 2, devices.data(), &count), "clCreateSubDevices");
  EXPECT_EQ(count, 2u);
  return devices;
}

// The memory policy where the buffer is, and the first node that it names; {-1, -1} if the system
// has none.
std::pair<int, int> policy_of(cl_command_queue queue, cl_mem buffer, size_t at = 0) {
  cl_int error;
  void* data =
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, at, 1, 0, nullptr, nullptr, &error);
  check(error, "clEnqueueMapBuffer");
  int mode = -1;
  unsigned long mask[16] = {};
  const bool known =
      syscall(SYS_get_mempolicy, &mode, mask, sizeof mask * 8, data, 2 /* MPOL_F_ADDR */) == 0;
  check(clEnqueueUnmapMemObject(queue, buffer, data, 0, nullptr, nullptr), "unmap");
  check(clFinish(queue), "clFinish");
  if (!known)
    return {-1, -1};
  return {mode, mask[0] & 1 ? 0 : mask[0] & 2 ? 1 : -1};
}

class Numa : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_both_processors())
      GTEST_SKIP() << "this needs processors 0 and 1";
  }
};

TEST_F(Numa, SubDevicesKeepTheirThreads) {
  const auto domains =
      info<cl_device_affinity_domain>(device(), CL_DEVICE_PARTITION_AFFINITY_DOMAIN);
  EXPECT_TRUE(domains & CL_DEVICE_AFFINITY_DOMAIN_NUMA);
  const auto devices = by_node();
  for (size_t node = 0; node < 2; ++node) {
    cl_int error;
    const Context context(clCreateContext(nullptr, 1, &devices[node], nullptr, nullptr, &error));
    check(error, "clCreateContext");
    const Queue queue(clCreateCommandQueueWithProperties(context, devices[node], nullptr, &error));
    check(error, "clCreateCommandQueueWithProperties");
    cpu_set_t set;
    CPU_ZERO(&set);
    cpu_set_t* where = &set;
    check(clEnqueueNativeKernel(
              queue,
              [](void* argument) {
                sched_getaffinity(0, sizeof(cpu_set_t), *static_cast<cpu_set_t**>(argument));
              },
              static_cast<void*>(&where), sizeof where, 0, nullptr, nullptr, 0, nullptr, nullptr),
          "clEnqueueNativeKernel");
    check(clFinish(queue), "clFinish");
    EXPECT_EQ(CPU_COUNT(&set), 1);
    EXPECT_TRUE(CPU_ISSET(static_cast<int>(node), &set));
  }
  for (auto* one : devices)
    clReleaseDevice(one);
}

TEST_F(Numa, SubDevicesKeepTheirMemory) {
  const auto devices = by_node();
  std::vector<cl_uint> values(kBytes / 4);
  std::iota(values.begin(), values.end(), 7u);
  for (size_t node = 0; node < 2; ++node) {
    cl_int error;
    const Context context(clCreateContext(nullptr, 1, &devices[node], nullptr, nullptr, &error));
    check(error, "clCreateContext");
    const Queue queue(clCreateCommandQueueWithProperties(context, devices[node], nullptr, &error));
    check(error, "clCreateCommandQueueWithProperties");
    const auto fresh = make_buffer(context, kBytes);
    const auto copied = make_buffer(context, kBytes, values.data());
    EXPECT_EQ(read<cl_uint>(queue, copied, values.size()), values);
    const auto policy = policy_of(queue, fresh);
    if (policy.first == -1)
      continue; // no policies here
    // The real machine may have node 0 only; the other one's memory is then where the system puts
    // it.
    if (node == 0) {
      EXPECT_EQ(policy, std::pair(1, 0)); // MPOL_PREFERRED
      EXPECT_EQ(policy_of(queue, copied, kBytes - 1), std::pair(1, 0));
    } else {
      EXPECT_NE(policy, std::pair(1, 0));
    }
  }
  for (auto* one : devices)
    clReleaseDevice(one);
}

// Memory that the device's own threads touch first is left to them; what the host fills is shared
// out.
TEST_F(Numa, BuffersOfBothNodes) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const std::vector<cl_uint> values(kBytes / 4, 3);
  const auto fresh = make_buffer(context, kBytes);
  const auto copied = make_buffer(context, kBytes, values.data());
  if (policy_of(queue, fresh).first == -1)
    GTEST_SKIP() << "no memory policies here";
  EXPECT_EQ(policy_of(queue, fresh).first, 0);
  EXPECT_EQ(policy_of(queue, copied), std::pair(1, 0));
  EXPECT_NE(policy_of(queue, copied, kBytes - 1), std::pair(1, 0));
}

// Launches, fills and copies whose ranges are dealt out by node.
TEST_F(Numa, WorkOfBothNodes) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, R"(
    kernel void work(global uint* x, uint rounds) {
      uint v = get_global_id(0);
      for (uint i = 0; i < rounds; ++i)
        v = v * 1664525u + 1013904223u;
      x[get_global_id(0)] += v;
    })");
  const auto kernel = make_kernel(program, "work");
  for (const size_t items : {size_t{1000}, size_t{100'003}, kBytes / 4}) {
    const auto buffer = make_buffer(context, items * 4);
    const auto copy = make_buffer(context, items * 4);
    const cl_uint pattern = 5, rounds = 200;
    check(clEnqueueFillBuffer(queue, buffer, &pattern, 4, 0, items * 4, 0, nullptr, nullptr),
          "fill");
    set_args(kernel, buffer, rounds);
    for (int launch = 0; launch < 3; ++launch)
      check(enqueue(queue, kernel, {{items}, {}, {}}), "enqueue");
    check(clEnqueueCopyBuffer(queue, buffer, copy, 0, 0, items * 4, 0, nullptr, nullptr), "copy");
    const auto result = read<cl_uint>(queue, copy, items);
    size_t wrong = 0;
    for (size_t i = 0; i < items; ++i) {
      auto v = static_cast<cl_uint>(i);
      for (cl_uint round = 0; round < rounds; ++round)
        v = v * 1664525u + 1013904223u;
      wrong += result[i] != 5 + 3 * v;
    }
    EXPECT_EQ(wrong, 0u) << items;
  }
}

} // namespace
} // namespace heddle::test
