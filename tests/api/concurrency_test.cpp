// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Independent commands overlap; sub-devices (OpenCL API 4.3) limit the cores that kernels use.
#include "tests/api/api_test.h"

#include <algorithm>
#include <set>

namespace heddle::test {
namespace {

// One work-item that loops for a while; its store keeps the loop from being removed.
constexpr const char* kSlow = R"(
kernel void slow(global uint* out, uint rounds) {
  uint x = 12345 + (uint)get_global_id(0);
  for (uint i = 0; i < rounds; ++i) x = x * 1664525u + 1013904223u + (x >> 7);
  out[get_global_id(0)] = x;
})";

cl_uint units() { return info<cl_uint>(device(), CL_DEVICE_MAX_COMPUTE_UNITS); }

struct Interval {
  cl_ulong start, end;
};
Interval interval(cl_event event) {
  return {profiling(event, CL_PROFILING_COMMAND_START), profiling(event, CL_PROFILING_COMMAND_END)};
}
cl_ulong common(const Interval& a, const Interval& b) {
  const auto start = std::max(a.start, b.start), end = std::min(a.end, b.end);
  return end > start ? end - start : 0;
}

class Overlap : public ApiTest {
 protected:
  void expect_overlap(cl_command_queue first, cl_command_queue second) {
    if (units() < 2)
      GTEST_SKIP() << "one compute unit";
    const auto program = build(context_, kSlow);
    const auto one = make_kernel(program, "slow"), two = make_kernel(program, "slow");
    const auto a = make_buffer(context_, 64), b = make_buffer(context_, 64);
    // A loaded machine may serialize two threads once, but not every time.
    cl_ulong best = 0;
    for (int attempt = 0; attempt != 5 && best < 20; ++attempt) {
      set_args(one, a, cl_uint{60000000});
      set_args(two, b, cl_uint{60000000});
      Event e1, e2;
      ASSERT_EQ(enqueue(first, one, {{1}, {}, {}}, e1.out()), CL_SUCCESS);
      ASSERT_EQ(enqueue(second, two, {{1}, {}, {}}, e2.out()), CL_SUCCESS);
      ASSERT_EQ(clFlush(first), CL_SUCCESS);
      ASSERT_EQ(clFlush(second), CL_SUCCESS);
      ASSERT_EQ(clFinish(first), CL_SUCCESS);
      ASSERT_EQ(clFinish(second), CL_SUCCESS);
      const auto i1 = interval(e1), i2 = interval(e2);
      const auto shorter = std::max<cl_ulong>(1, std::min(i1.end - i1.start, i2.end - i2.start));
      best = std::max(best, 100 * common(i1, i2) / shorter);
    }
    EXPECT_GE(best, 20u) << "percent of the shorter command's time that both were running";
  }
};

TEST_F(Overlap, OneOutOfOrderQueue) {
  const auto queue =
      make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
  expect_overlap(queue, queue);
}

TEST_F(Overlap, TwoQueues) {
  const auto first = make_queue(context_, CL_QUEUE_PROFILING_ENABLE);
  const auto second = make_queue(context_, CL_QUEUE_PROFILING_ENABLE);
  expect_overlap(first, second);
}

TEST_F(Overlap, NotOnAnInOrderQueue) {
  const auto queue = make_queue(context_, CL_QUEUE_PROFILING_ENABLE);
  const auto program = build(context_, kSlow);
  const auto one = make_kernel(program, "slow"), two = make_kernel(program, "slow");
  const auto a = make_buffer(context_, 64), b = make_buffer(context_, 64);
  set_args(one, a, cl_uint{5000000});
  set_args(two, b, cl_uint{5000000});
  Event e1, e2;
  ASSERT_EQ(enqueue(queue, one, {{1}, {}, {}}, e1.out()), CL_SUCCESS);
  ASSERT_EQ(enqueue(queue, two, {{1}, {}, {}}, e2.out()), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(common(interval(e1), interval(e2)), 0u);
}

class SubDevices : public testing::Test {
 protected:
  static std::vector<Device> partition(cl_device_id of,
                                       const std::vector<cl_device_partition_property>& how) {
    cl_uint count = 0;
    check(clCreateSubDevices(of, how.data(), 0, nullptr, &count), "clCreateSubDevices");
    std::vector<cl_device_id> handles(count);
    check(clCreateSubDevices(of, how.data(), count, handles.data(), nullptr), "clCreateSubDevices");
    std::vector<Device> devices;
    for (const auto handle : handles)
      devices.emplace_back(handle);
    return devices;
  }
  static bool supports(cl_device_partition_property how) {
    size_t size = 0;
    check(clGetDeviceInfo(device(), CL_DEVICE_PARTITION_PROPERTIES, 0, nullptr, &size),
          "partition properties");
    std::vector<cl_device_partition_property> list(size / sizeof how);
    check(clGetDeviceInfo(device(), CL_DEVICE_PARTITION_PROPERTIES, size, list.data(), nullptr),
          "properties");
    return std::find(list.begin(), list.end(), how) != list.end();
  }
};

TEST_F(SubDevices, Equally) {
  if (!supports(CL_DEVICE_PARTITION_EQUALLY))
    GTEST_SKIP();
  const auto parts = partition(device(), {CL_DEVICE_PARTITION_EQUALLY, 1, 0});
  EXPECT_EQ(parts.size(), units());
  for (const auto& part : parts) {
    EXPECT_EQ(info<cl_uint>(part, CL_DEVICE_MAX_COMPUTE_UNITS), 1u);
    EXPECT_EQ(info<cl_device_id>(part, CL_DEVICE_PARENT_DEVICE), device());
    EXPECT_EQ(info<cl_uint>(part, CL_DEVICE_REFERENCE_COUNT), 1u);
    cl_device_partition_property type[3] = {};
    size_t size = 0;
    EXPECT_EQ(clGetDeviceInfo(part, CL_DEVICE_PARTITION_TYPE, sizeof type, type, &size),
              CL_SUCCESS);
    EXPECT_EQ(type[0], CL_DEVICE_PARTITION_EQUALLY);
    EXPECT_EQ(type[1], 1);
  }
  ASSERT_EQ(clRetainDevice(parts[0]), CL_SUCCESS);
  EXPECT_EQ(info<cl_uint>(parts[0], CL_DEVICE_REFERENCE_COUNT), 2u);
  ASSERT_EQ(clReleaseDevice(parts[0]), CL_SUCCESS);
}

TEST_F(SubDevices, ByCounts) {
  if (!supports(CL_DEVICE_PARTITION_BY_COUNTS) || units() < 2)
    GTEST_SKIP();
  const auto rest = static_cast<cl_device_partition_property>(units() - 1);
  const auto parts = partition(device(), {CL_DEVICE_PARTITION_BY_COUNTS, 1, rest,
                                          CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0});
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(info<cl_uint>(parts[0], CL_DEVICE_MAX_COMPUTE_UNITS), 1u);
  EXPECT_EQ(info<cl_uint>(parts[1], CL_DEVICE_MAX_COMPUTE_UNITS), units() - 1);
}

TEST_F(SubDevices, ByAffinityDomain) {
  if (!supports(CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN))
    GTEST_SKIP();
  const auto domains =
      info<cl_device_affinity_domain>(device(), CL_DEVICE_PARTITION_AFFINITY_DOMAIN);
  for (const cl_device_affinity_domain domain :
       {CL_DEVICE_AFFINITY_DOMAIN_NUMA, CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE,
        CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE,
        CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE}) {
    const cl_device_partition_property how[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                static_cast<cl_device_partition_property>(domain),
                                                0};
    cl_uint count = 0;
    const auto status = clCreateSubDevices(device(), how, 0, nullptr, &count);
    if (!(domains & domain)) {
      EXPECT_TRUE(status == CL_INVALID_VALUE || status == CL_DEVICE_PARTITION_FAILED) << domain;
      continue;
    }
    if (status == CL_DEVICE_PARTITION_FAILED) // one domain only
      continue;
    ASSERT_EQ(status, CL_SUCCESS);
    cl_uint sum = 0;
    for (const auto& part : partition(device(), {how[0], how[1], 0})) {
      sum += info<cl_uint>(part, CL_DEVICE_MAX_COMPUTE_UNITS);
      // The domain that was used, which for the next partitionable one is the widest there is.
      cl_device_partition_property type[3] = {};
      check(clGetDeviceInfo(part, CL_DEVICE_PARTITION_TYPE, sizeof type, type, nullptr), "type");
      EXPECT_EQ(type[0], CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
      const auto widest = domains & -domains;
      EXPECT_EQ(type[1],
                static_cast<cl_device_partition_property>(
                    domain == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE ? widest : domain));
    }
    EXPECT_EQ(sum, units());
  }
}

TEST_F(SubDevices, Errors) {
  cl_uint count = 0;
  const auto creating = [&](const std::vector<cl_device_partition_property>& how) {
    return clCreateSubDevices(device(), how.data(), 0, nullptr, &count);
  };
  const auto n = static_cast<cl_device_partition_property>(units());
  EXPECT_EQ(clCreateSubDevices(device(), nullptr, 0, nullptr, &count), CL_INVALID_VALUE);
  EXPECT_EQ(creating({0}), CL_INVALID_VALUE);
  EXPECT_EQ(creating({0x7abc, 1, 0}), CL_INVALID_VALUE);
  // More compute units than the device has (OpenCL API 4.3); the CTS also expects this code.
  EXPECT_EQ(creating({CL_DEVICE_PARTITION_EQUALLY, n + 1, 0}), CL_INVALID_DEVICE_PARTITION_COUNT);
  const auto none = creating({CL_DEVICE_PARTITION_EQUALLY, 0, 0});
  EXPECT_TRUE(none == CL_INVALID_VALUE || none == CL_DEVICE_PARTITION_FAILED) << none;
  EXPECT_EQ(
      creating({CL_DEVICE_PARTITION_BY_COUNTS, n + 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0}),
      CL_INVALID_DEVICE_PARTITION_COUNT);
  EXPECT_EQ(
      creating({CL_DEVICE_PARTITION_BY_COUNTS, -1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0}),
      CL_INVALID_DEVICE_PARTITION_COUNT);
  cl_device_id place = nullptr;
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  if (units() > 1) {
    EXPECT_EQ(clCreateSubDevices(device(), equally, 1, &place, nullptr), CL_INVALID_VALUE);
  }
  EXPECT_EQ(clCreateSubDevices(device(), equally, 0, &place, nullptr), CL_INVALID_VALUE);
}

// Two commands on an out-of-order queue of a one-unit sub-device never run at once.
TEST_F(SubDevices, OneUnitRunsOneKernelAtATime) {
  if (!supports(CL_DEVICE_PARTITION_EQUALLY) || units() < 2)
    GTEST_SKIP();
  const auto parts = partition(device(), {CL_DEVICE_PARTITION_EQUALLY, 1, 0});
  const cl_device_id part = parts[1];
  cl_int status = 1;
  Context context(clCreateContext(nullptr, 1, &part, nullptr, nullptr, &status));
  ASSERT_EQ(status, CL_SUCCESS);
  Queue queue(clCreateCommandQueue(
      context, part, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, &status));
  ASSERT_EQ(status, CL_SUCCESS);
  // Each group records how many groups run concurrently.
  const char* source = R"(
    kernel void k(global int* state, uint rounds) {
      int now = atomic_inc(&state[0]) + 1;
      atomic_max(&state[1], now);
      uint x = now;
      for (uint i = 0; i < rounds; ++i) x = x * 1664525u + 1013904223u + (x >> 7);
      state[4 + get_group_id(0)] = x;
      atomic_dec(&state[0]);
    })";
  auto program = make_program(context, source);
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  const auto kernel = make_kernel(program, "k");
  const auto state = make_buffer(context, 4096, std::vector<char>(4096).data());
  set_args(kernel, state, cl_uint{3000000});
  for (int i = 0; i != 3; ++i)
    ASSERT_EQ(enqueue(queue, kernel, {{8}, {1}, {}}), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  const auto values = read<cl_int>(queue, state, 2);
  EXPECT_EQ(values[0], 0);
  EXPECT_EQ(values[1], 1) << "groups that ran at once on one compute unit";
}

TEST_F(SubDevices, ReleasedWithItsContext) {
  if (!supports(CL_DEVICE_PARTITION_EQUALLY))
    GTEST_SKIP();
  auto parts = partition(device(), {CL_DEVICE_PARTITION_EQUALLY, 1, 0});
  cl_device_id part = parts[0];
  cl_int status = 1;
  Context context(clCreateContext(nullptr, 1, &part, nullptr, nullptr, &status));
  ASSERT_EQ(status, CL_SUCCESS);
  parts.clear(); // the context keeps its device
  Queue queue(clCreateCommandQueue(context, part, 0, &status));
  ASSERT_EQ(status, CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

} // namespace
} // namespace heddle::test
