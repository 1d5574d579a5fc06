// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CPU and memory limits of control groups, read from fake files.
#include "runtime/device/cgroup.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

class Cgroup : public testing::Test {
 protected:
  Cgroup() { fs::create_directories(root_); }
  ~Cgroup() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    const auto file = root_ + path;
    fs::create_directories(fs::path(file).parent_path());
    std::ofstream(file) << text;
  }
  void mount_version2(const std::string& group = "/") {
    write("/proc/self/mountinfo",
          "30 24 0:26 " + group +
              " /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
  }
  void mount_version1() {
    write("/proc/self/mountinfo",
          "24 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
          "33 32 0:30 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
          "34 32 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
          "35 32 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
    write("/proc/self/cgroup", "5:memory:/a\n4:cpu,cpuacct:/a/b\n3:cpuset:/a\n0::/x\n");
  }
  CgroupLimits limits() { return read_cgroup_limits(root_); }

  const std::string root_ =
      (fs::temp_directory_path() / ("heddle-cgroup-" + std::to_string(getpid()))).string();
};

TEST_F(Cgroup, NothingToRead) {
  EXPECT_FALSE(limits().cpus);
  EXPECT_FALSE(limits().memory_bytes);
}

TEST_F(Cgroup, Version2RoundsUp) {
  mount_version2();
  write("/proc/self/cgroup", "0::/service\n");
  for (const auto& [text, cpus] : {std::pair{"200000 100000\n", 2u},
                                   {"150000 100000\n", 2u},
                                   {"1000 100000\n", 1u},
                                   {"200001 100000\n", 3u}}) {
    write("/sys/fs/cgroup/service/cpu.max", text);
    EXPECT_EQ(limits().cpus, cpus) << text;
  }
  write("/sys/fs/cgroup/service/cpu.max", "max 100000\n");
  EXPECT_FALSE(limits().cpus);
  write("/sys/fs/cgroup/service/cpu.max", "nonsense");
  EXPECT_FALSE(limits().cpus);
  write("/sys/fs/cgroup/service/memory.max", "max\n");
  EXPECT_FALSE(limits().memory_bytes);
}

TEST_F(Cgroup, Version2TightestOfNestedGroups) {
  mount_version2();
  write("/proc/self/cgroup", "0::/a/b/c\n");
  write("/sys/fs/cgroup/a/b/c/cpu.max", "max 100000\n");
  write("/sys/fs/cgroup/a/b/cpu.max", "800000 100000\n");
  write("/sys/fs/cgroup/a/cpu.max", "300000 100000\n");
  write("/sys/fs/cgroup/a/b/memory.max", "1048576\n");
  EXPECT_EQ(limits().cpus, 3u);
  EXPECT_EQ(limits().memory_bytes, 1048576u);
}

TEST_F(Cgroup, Version2InAContainer) {
  // The root of the mount is the container's group.
  mount_version2("/docker/abc");
  write("/proc/self/cgroup", "0::/docker/abc/inner\n");
  write("/sys/fs/cgroup/cpu.max", "400000 100000\n");
  EXPECT_EQ(limits().cpus, 4u);
  write("/sys/fs/cgroup/inner/cpu.max", "250000 100000\n");
  EXPECT_EQ(limits().cpus, 3u);
  // A group outside of the mount: only the files at the mount point can be read.
  write("/proc/self/cgroup", "0::/../other\n");
  EXPECT_EQ(limits().cpus, 4u);
}

TEST_F(Cgroup, Version1) {
  mount_version1();
  write("/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_quota_us", "-1\n");
  write("/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_period_us", "100000\n");
  EXPECT_FALSE(limits().cpus);
  write("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "50000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "20000\n");
  EXPECT_EQ(limits().cpus, 3u);
  write("/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_quota_us", "100000\n");
  EXPECT_EQ(limits().cpus, 1u);
  EXPECT_FALSE(limits().memory_bytes);
  write("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_FALSE(limits().memory_bytes) << "the kernel's way of saying no limit";
  write("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "4096\n");
  EXPECT_EQ(limits().memory_bytes, 4096u);
}

// The root of the mount is an inner group, and the line has optional fields.
TEST_F(Cgroup, Version1InAContainer) {
  write("/proc/self/cgroup", "4:cpu,cpuacct:/box/x\n3:memory:/box/x\n");
  write("/proc/self/mountinfo",
        "31 25 0:27 /box /sys/fs/cgroup/cpu rw shared:4 - cgroup cgroup rw,cpu,cpuacct\n"
        "32 25 0:28 /box /sys/fs/cgroup/memory rw shared:5 - cgroup cgroup rw,memory\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  write("/sys/fs/cgroup/memory/x/memory.limit_in_bytes", "9223372036854771712\n");
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "2097152\n");
  EXPECT_EQ(limits().cpus, 1u);
  EXPECT_EQ(limits().memory_bytes, 2097152u);
}

} // namespace
} // namespace heddle::test
