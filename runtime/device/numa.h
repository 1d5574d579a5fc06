// NUMA nodes: which processors belong to which, and where memory is to be.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::numa {

struct Node {
  int number = 0; // the system's
  std::vector<int> cpus;
};

// The nodes that have processors, read at the first call: from /sys, or from hwloc where
// HWLOC_XMLFILE or HWLOC_SYNTHETIC describe another machine. Empty if there is but one, so that a
// machine without NUMA pays one look at a file.
const std::vector<Node>& nodes();
// The same from files below `root`; all nodes, also if there is but one.
std::vector<Node> read_nodes(const std::string& root);

// The number of the node that all of these processors lie in; -1 if there are several, or one for
// the whole machine.
int node_of(const std::vector<int>& cpus);

// The nodes that some processors lie in, counted from 0: the parts that work is dealt to.
class Parts {
 public:
  // `cpus` empty: those of the process's affinity mask.
  explicit Parts(const std::vector<int>& cpus);
  // Made up: the part of each processor.
  Parts(std::vector<unsigned> part_of_cpu, unsigned count);

  unsigned count() const { return count_; } // at least 1
  // Of the processor that the calling thread is on now.
  unsigned here() const noexcept;

 private:
  std::vector<unsigned> part_of_cpu_; // empty where there is one part
  unsigned count_ = 1;
};

// Pages of [data, data + bytes) that nobody has touched yet shall come from this node, as long as
// it has memory. `data` is the beginning of a page. What the system does not do is left to it: the
// memory works all the same.
void prefer(std::byte* data, std::size_t bytes, int node) noexcept;
// The same for a portion of each node, in the order in which Parts deals out work.
void prefer_portions(std::byte* data, std::size_t bytes, const std::vector<Node>& nodes) noexcept;

} // namespace heddle::numa
