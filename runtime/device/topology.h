// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which processors share caches and memory nodes.
#pragma once

#include "runtime/device/numa_node.h"

#include <CL/cl.h>

#include <array>
#include <vector>

namespace heddle::topology {

// From the widest to the narrowest, as CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE tries them.
constexpr std::array<cl_device_affinity_domain, 5> kDomains = {
    CL_DEVICE_AFFINITY_DOMAIN_NUMA, CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE,
    CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE,
    CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE};

// The processors of each domain, in order; empty if the machine has no such domains or they are
// unknown. hwloc reads the topology at the first call, which takes milliseconds.
std::vector<std::vector<int>> divide(const std::vector<int>& cpus,
                                     cl_device_affinity_domain domain);

// What CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE is for these processors: the widest domain that
// divides them; 0 if none does.
cl_device_affinity_domain next_partitionable(const std::vector<int>& cpus);

// The NUMA nodes that have processors, as hwloc knows them: the machine's, or those of the one that
// HWLOC_XMLFILE or HWLOC_SYNTHETIC describe.
std::vector<numa::Node> numa_nodes();

} // namespace heddle::topology
