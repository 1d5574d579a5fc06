// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CL_DEVICE_UUID_KHR: identifies a device or sub-device, equally in every process.
#include "tests/api/api_test.h"

#include <array>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::test {
namespace {

using Uuid = std::array<cl_uchar, CL_UUID_SIZE_KHR>;

Uuid uuid(cl_device_id device) {
  Uuid value{};
  check(clGetDeviceInfo(device, CL_DEVICE_UUID_KHR, sizeof value, value.data(), nullptr), "uuid");
  return value;
}

// Of the root device and of its sub-devices of one unit, if it has several.
std::vector<Uuid> uuids() {
  std::vector<Uuid> list{uuid(device())};
  cl_uint units = 0;
  check(clGetDeviceInfo(device(), CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr),
        "units");
  if (units < 2)
    return list;
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  std::vector<cl_device_id> parts(units);
  check(clCreateSubDevices(device(), equally, units, parts.data(), nullptr), "clCreateSubDevices");
  for (const auto part : parts) {
    list.push_back(uuid(part));
    clReleaseDevice(part);
  }
  return list;
}

TEST(DeviceUuid, PartsHaveTheirOwn) {
  const auto list = uuids();
  if (list.size() == 1)
    GTEST_SKIP() << "one compute unit";
  for (size_t i = 0; i != list.size(); ++i)
    for (size_t j = 0; j != i; ++j)
      EXPECT_NE(list[i], list[j]) << i << " and " << j;
}

TEST(DeviceUuid, SamePartitionSameUuid) { EXPECT_EQ(uuids(), uuids()); }

// The child process queries it before this process opens the driver, so no state is inherited.
TEST(DeviceUuid, SameInEveryProcess) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto list = uuids();
    const auto bytes = static_cast<ssize_t>(list.size() * sizeof(Uuid));
    _exit(::write(ends[1], list.data(), static_cast<size_t>(bytes)) == bytes ? 0 : 1);
  }
  close(ends[1]);
  std::vector<Uuid> theirs(4096);
  ssize_t bytes = 0, got = 0;
  auto* into = reinterpret_cast<char*>(theirs.data());
  while ((got = ::read(ends[0], into + bytes, theirs.size() * sizeof(Uuid) - bytes)) > 0)
    bytes += got;
  close(ends[0]);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  theirs.resize(bytes / sizeof(Uuid));
  EXPECT_EQ(theirs, uuids());
}

} // namespace
} // namespace heddle::test
