// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NUMA nodes of made-up machines: hwloc's synthetic descriptions and XML files, and fake files of
// /sys. Each case is a child process of its own, because a process reads its machine once.
#include "runtime/device/numa.h"
#include "runtime/device/topology.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle {
namespace {

namespace fs = std::filesystem;
using Cpus = std::vector<int>;

// What `body`, in a process that sees the described machine, says to be wrong; empty if nothing is.
template <class Body>
std::string on_machine(const char* variable, const std::string& description, Body body) {
  int ends[2];
  if (pipe(ends) != 0)
    return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    unsetenv("HWLOC_XMLFILE");
    unsetenv("HWLOC_SYNTHETIC");
    setenv(variable, description.c_str(), 1);
    const std::string wrong = body();
    if (write(ends[1], wrong.data(), wrong.size()) < 0)
      _exit(2);
    _exit(wrong.empty() ? 0 : 1);
  }
  close(ends[1]);
  std::string wrong;
  char text[256];
  for (ssize_t got; (got = read(ends[0], text, sizeof text)) > 0;)
    wrong.append(text, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 || !wrong.empty() ? wrong : "the child ended with " + std::to_string(status);
}

std::string text_of(const std::vector<numa::Node>& nodes) {
  std::string text;
  for (const auto& node : nodes) {
    text += std::to_string(node.number) + ":";
    for (const int cpu : node.cpus)
      text.append(" ").append(std::to_string(cpu));
    text += "; ";
  }
  return text;
}

std::string text_of(const std::vector<Cpus>& parts) {
  std::string text;
  for (const auto& part : parts) {
    for (const int cpu : part)
      text += std::to_string(cpu) + " ";
    text += "; ";
  }
  return text;
}

// "what is, what ought to be" if they differ.
std::string expect(const std::string& is, const std::string& wanted) {
  return is == wanted ? "" : "'" + is + "' in place of '" + wanted + "'\n";
}

// The part of each of the processors, of a device with so many compute units.
std::string parts_text(const Cpus& cpus, unsigned units) {
  const numa::Parts parts(cpus, units);
  std::string text;
  for (const int cpu : cpus)
    text += std::to_string(parts.of(cpu)) + " ";
  return text;
}

std::string machine(const char* file) { return (fs::path(HEDDLE_TOPOLOGIES) / file).string(); }

TEST(Numa, Synthetic) {
  EXPECT_EQ(on_machine("HWLOC_SYNTHETIC", "node:2 core:2 pu:2",
                       [] {
                         return expect(text_of(numa::nodes()), "0: 0 1 2 3; 1: 4 5 6 7; ") +
                                expect(std::to_string(numa::node_of({4, 5, 7})), "1") +
                                expect(std::to_string(numa::node_of({0})), "0") +
                                expect(std::to_string(numa::node_of({3, 4})), "-1") +
                                expect(std::to_string(numa::node_of({})), "-1") +
                                expect(std::to_string(numa::node_of({8})), "-1");
                       }),
            "");
}

TEST(Numa, OneNodeIsNone) {
  EXPECT_EQ(on_machine("HWLOC_SYNTHETIC", "node:1 core:4 pu:1",
                       [] {
                         return expect(text_of(numa::nodes()), "") +
                                expect(std::to_string(numa::Parts(Cpus(), 1).count()), "1") +
                                expect(std::to_string(numa::node_of({0})), "-1");
                       }),
            "");
}

// Nodes are not numbered in order there, nor are processors in a row.
TEST(Numa, XmlFile) {
  EXPECT_EQ(on_machine("HWLOC_XMLFILE", machine("three_nodes.xml"),
                       [] {
                         return expect(text_of(numa::nodes()), "4: 0 3; 0: 1 4; 2: 2 5; ") +
                                expect(std::to_string(numa::node_of({0, 3})), "4") +
                                expect(parts_text({0, 3}, 1), "0 0 ") +
                                expect(parts_text({3, 5, 0, 1}, 4), "0 3 1 2 ") +
                                expect(parts_text({0, 1, 2, 3, 4, 5}, 3), "0 1 2 0 1 2 ") +
                                expect(parts_text({0, 1, 2, 3, 4, 5}, 100), "0 2 4 1 3 5 ");
                       }),
            "");
}

TEST(Numa, DamagedDescriptions) {
  for (const char* variable : {"HWLOC_XMLFILE", "HWLOC_SYNTHETIC"})
    EXPECT_EQ(on_machine(variable, "/nowhere/at all",
                         [] {
                           // hwloc may fall back on the machine that this is.
                           for (const auto& node : numa::nodes())
                             if (node.cpus.empty())
                               return std::string("an empty node");
                           return std::string();
                         }),
              "");
}

// Sub-devices by NUMA node: the processors of each part.
TEST(Numa, DividesDevices) {
  const auto divided = [](const Cpus& cpus) {
    return text_of(topology::divide(cpus, CL_DEVICE_AFFINITY_DOMAIN_NUMA));
  };
  EXPECT_EQ(on_machine("HWLOC_SYNTHETIC", "node:2 core:2 pu:2",
                       [&] {
                         return expect(divided({0, 1, 2, 3, 4, 5, 6, 7}), "0 1 2 3 ; 4 5 6 7 ; ") +
                                expect(divided({1, 6}), "1 ; 6 ; ") +
                                expect(divided({5, 6}), "5 6 ; ");
                       }),
            "");
  EXPECT_EQ(on_machine("HWLOC_XMLFILE", machine("three_nodes.xml"),
                       [&] {
                         return expect(divided({0, 1, 2, 3, 4, 5}), "0 3 ; 1 4 ; 2 5 ; ");
                       }),
            "");
}

class FakeSystem : public testing::Test {
 protected:
  ~FakeSystem() override { fs::remove_all(root_); }
  void write(const std::string& name, const std::string& text) {
    const auto file = root_ + "/sys/devices/system/node/" + name;
    fs::create_directories(fs::path(file).parent_path());
    std::ofstream(file) << text;
  }
  const std::string root_ =
      (fs::temp_directory_path() / ("heddle-nodes-" + std::to_string(getpid()))).string();
};

TEST_F(FakeSystem, NodesOfTheSystem) {
  EXPECT_EQ(text_of(numa::read_nodes(root_)), "");
  write("online", "0-1,3-4\n");
  write("node0/cpulist", "0-1,4\n");
  write("node1/cpulist", "2-3,5\n");
  write("node3/cpulist", "\n"); // memory without processors
  EXPECT_EQ(text_of(numa::read_nodes(root_)), "0: 0 1 4; 1: 2 3 5; ");
  write("online", "nonsense");
  EXPECT_EQ(text_of(numa::read_nodes(root_)), "");
}

// The policy of the page at `address`, and the first node of its mask; -1 if the kernel knows no
// policies.
std::pair<int, int> policy_at(const void* address) {
  int mode = -1;
  unsigned long mask[16] = {};
  if (syscall(SYS_get_mempolicy, &mode, mask, sizeof mask * 8, address, 2 /* MPOL_F_ADDR */) != 0)
    return {-1, -1};
  for (int node = 0; node < 1024; ++node)
    if (mask[node / 64] >> (node % 64) & 1)
      return {mode, node};
  return {mode, -1};
}

TEST(NumaMemory, Preferred) {
  constexpr std::size_t kBytes = std::size_t{4} << 20;
  auto* data = static_cast<std::byte*>(
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(data, MAP_FAILED);
  if (policy_at(data).first == -1)
    GTEST_SKIP() << "no memory policies here";
  EXPECT_EQ(policy_at(data).first, 0);
  // Nodes that are not there, or cannot be, leave things as they were.
  numa::prefer(data, kBytes, 999);
  numa::prefer(data, kBytes, -1);
  numa::prefer(data, kBytes, 1 << 20);
  numa::prefer(data, 0, 0);
  EXPECT_EQ(policy_at(data).first, 0);
  numa::prefer_portions(data, kBytes, {{999, {}}, {0, {}}});
  EXPECT_EQ(policy_at(data + kBytes / 2 - 1).first, 0);
  EXPECT_EQ(policy_at(data + kBytes / 2), std::pair(1, 0));
  EXPECT_EQ(policy_at(data + kBytes - 1), std::pair(1, 0));
  numa::prefer(data, kBytes, 0);
  EXPECT_EQ(policy_at(data), std::pair(1, 0));
  data[0] = std::byte{1};
  munmap(data, kBytes);
}

} // namespace
} // namespace heddle
