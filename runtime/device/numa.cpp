// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/numa.h"

#include "runtime/core/page_bytes.h"
#include "runtime/device/cpu_list.h"
#include "runtime/device/topology.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle::numa {
namespace {

constexpr int kPreferred = 1; // MPOL_PREFERRED of the kernel's interface
constexpr std::size_t kBits = 8 * sizeof(unsigned long);
constexpr std::size_t kMaxNodes = 1024;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

bool is_made_up() {
  const auto is_set = [](const char* name) {
    const char* text = std::getenv(name);
    return text && *text;
  };
  return is_set("HWLOC_XMLFILE") || is_set("HWLOC_SYNTHETIC");
}

std::string read_line(const std::string& path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

} // namespace

std::vector<Node> read_nodes(const std::string& root) {
  const auto folder = root + "/sys/devices/system/node/";
  std::vector<Node> found;
  for (const int number : parse_cpu_list(read_line(folder + "online"))) {
    auto cpus = parse_cpu_list(read_line(folder + "node" + std::to_string(number) + "/cpulist"));
    if (!cpus.empty()) // else memory alone
      found.push_back({number, std::move(cpus)});
  }
  return found;
}

const std::vector<Node>& nodes() {
  static const auto& instance = *[] {
    auto* found = new std::vector<Node>;
    if (is_made_up())
      *found = topology::numa_nodes();
    else if (read_line("/sys/devices/system/node/online") != "0")
      *found = read_nodes("");
    if (found->size() < 2)
      found->clear();
    return found;
  }();
  return instance;
}

int node_of(const std::vector<int>& cpus) {
  for (const auto& node : nodes()) {
    const bool inside = std::all_of(cpus.begin(), cpus.end(), [&](int cpu) {
      return std::find(node.cpus.begin(), node.cpus.end(), cpu) != node.cpus.end();
    });
    if (inside && !cpus.empty())
      return node.number;
  }
  return -1;
}

Parts::Parts(const std::vector<int>& cpus, unsigned units) {
  auto used = cpus.empty() ? affinity_cpus() : cpus;
  count_ = std::max(1u, std::min(units, static_cast<unsigned>(used.size())));
  if (count_ == 1)
    return;
  const auto node_index = [](int cpu) {
    return std::find_if(nodes().begin(), nodes().end(),
                        [&](const Node& node) {
                          return std::find(node.cpus.begin(), node.cpus.end(), cpu) !=
                                 node.cpus.end();
                        }) -
           nodes().begin();
  };
  std::stable_sort(used.begin(), used.end(),
                   [&](int a, int b) { return node_index(a) < node_index(b); });
  for (std::size_t i = 0; i < used.size(); ++i) {
    const auto index = static_cast<std::size_t>(used[i]);
    if (part_of_cpu_.size() <= index)
      part_of_cpu_.resize(index + 1);
    part_of_cpu_[index] = static_cast<unsigned>(i * count_ / used.size());
  }
}

Parts::Parts(std::vector<unsigned> part_of_cpu, unsigned count)
    : part_of_cpu_(std::move(part_of_cpu)), count_(count) {}

unsigned Parts::of(int cpu) const noexcept {
  const bool known = cpu >= 0 && static_cast<std::size_t>(cpu) < part_of_cpu_.size();
  return known ? part_of_cpu_[static_cast<std::size_t>(cpu)] : 0;
}

unsigned Parts::here() const noexcept { return count_ == 1 ? 0 : of(sched_getcpu()); }

void prefer(std::byte* data, std::size_t bytes, int node) noexcept {
  unsigned long mask[kMaxNodes / kBits] = {};
  if (node < 0 || static_cast<std::size_t>(node) >= kMaxNodes || bytes == 0)
    return;
  mask[static_cast<std::size_t>(node) / kBits] |= 1ul << (static_cast<std::size_t>(node) % kBits);
  syscall(SYS_mbind, data, bytes, kPreferred, mask, kMaxNodes, 0);
}

void prefer_portions(std::byte* data, std::size_t bytes, const std::vector<Node>& nodes) noexcept {
  // A huge page cannot lie in two nodes.
  const auto unit =
      bytes / std::max<std::size_t>(1, nodes.size()) < 4 * kHugePage ? page_bytes() : kHugePage;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    auto end = bytes;
    if (i + 1 < nodes.size())
      end = (bytes / nodes.size() * (i + 1) + unit / 2) / unit * unit;
    if (end > begin)
      prefer(data + begin, end - begin, nodes[i].number);
    begin = std::max(begin, end);
  }
}

} // namespace heddle::numa
