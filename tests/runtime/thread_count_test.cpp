// Control group limits, read from fake files, and the thread count made of them.
#include "runtime/device/cgroup.h"
#include "runtime/device/thread_count.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace heddle {
namespace {

class Cgroup : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "heddle-cgroup-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  void put(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  void mount_version2(const std::string& group) {
    put("/proc/self/cgroup", "0::" + group + "\n");
    put("/proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw\n");
  }
  CgroupLimits limits() const { return read_cgroup_limits(root_); }

  std::string root_;
};

TEST_F(Cgroup, NoFilesNoLimits) {
  EXPECT_FALSE(limits().cpus);
  EXPECT_FALSE(limits().memory_bytes);
}

TEST_F(Cgroup, Version2RoundsUp) {
  mount_version2("/a");
  put("/sys/fs/cgroup/a/cpu.max", "150000 100000\n");
  put("/sys/fs/cgroup/a/memory.max", "1048576\n");
  EXPECT_EQ(limits().cpus, 2u);
  EXPECT_EQ(limits().memory_bytes, 1048576u);
}

TEST_F(Cgroup, Version2WithoutQuota) {
  mount_version2("/a");
  put("/sys/fs/cgroup/a/cpu.max", "max 100000\n");
  put("/sys/fs/cgroup/a/memory.max", "max\n");
  EXPECT_FALSE(limits().cpus);
  EXPECT_FALSE(limits().memory_bytes);
}

TEST_F(Cgroup, TightestOfNestedGroups) {
  mount_version2("/outer/inner");
  put("/sys/fs/cgroup/outer/cpu.max", "300000 100000\n");
  put("/sys/fs/cgroup/outer/inner/cpu.max", "800000 100000\n");
  EXPECT_EQ(limits().cpus, 3u);
}

TEST_F(Cgroup, Version1) {
  put("/proc/self/cgroup", "4:cpu,cpuacct:/box/x\n3:memory:/box/x\n");
  put("/proc/self/mountinfo",
      "31 25 0:27 /box /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
      "32 25 0:28 /box /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  put("/sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "-1\n");
  put("/sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000\n");
  put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n");
  put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  put("/sys/fs/cgroup/memory/x/memory.limit_in_bytes", "9223372036854771712\n");
  put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "2097152\n");
  EXPECT_EQ(limits().cpus, 1u);
  EXPECT_EQ(limits().memory_bytes, 2097152u);
}

TEST(ThreadCount, LeastOfAffinityAndQuotaUnlessWanted) {
  EXPECT_EQ(choose_thread_count(8, std::nullopt, 0), 8u);
  EXPECT_EQ(choose_thread_count(8, 3, 0), 3u);
  EXPECT_EQ(choose_thread_count(2, 3, 0), 2u);
  EXPECT_EQ(choose_thread_count(8, 3, 16), 16u);
  EXPECT_EQ(choose_thread_count(0, std::nullopt, 0), 1u);
}

} // namespace
} // namespace heddle
