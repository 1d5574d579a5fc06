// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NUMA nodes: their processors, and the placement of memory.
#pragma once

#include "runtime/device/numa_node.h"

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::numa {

// The nodes that have processors, read at the first call: from /sys, or from hwloc if HWLOC_XMLFILE
// or HWLOC_SYNTHETIC describe another machine. Empty if there is only one; on a machine without
// NUMA the call reads one file.
const std::vector<Node>& nodes();
// The same from files below `root`; all nodes, also if there is but one.
std::vector<Node> read_nodes(const std::string& root);

// The number of the node that all of these processors lie in; -1 if there are several, or one for
// the whole machine.
int node_of(const std::vector<int>& cpus);

// Divides a device's processors into parts, those of a node side by side: of SharedRanges, which
// keep the work of repeated launches in the same caches and nodes.
class Parts {
 public:
  // At most `units` parts, of about as many processors each. `cpus` empty: those of the process's
  // affinity mask.
  Parts(const std::vector<int>& cpus, unsigned units);
  // For tests: the part of each processor.
  Parts(std::vector<unsigned> part_of_cpu, unsigned count);

  unsigned count() const { return count_; } // at least 1
  unsigned of(int cpu) const noexcept;      // 0 if it is not the device's
  // Of the processor that the calling thread is on now.
  unsigned here() const noexcept;

 private:
  std::vector<unsigned> part_of_cpu_; // empty where there is one part
  unsigned count_ = 1;
};

// Pages of [data, data + bytes) that have not been accessed are to be allocated from this node
// while it has free memory (MPOL_PREFERRED). `data` is the start of a page. Failure is ignored: the
// system then decides.
void prefer(std::byte* data, std::size_t bytes, int node) noexcept;
// The same for one contiguous portion per node, about where SharedRanges has those of the node.
void prefer_portions(std::byte* data, std::size_t bytes, const std::vector<Node>& nodes) noexcept;

} // namespace heddle::numa
