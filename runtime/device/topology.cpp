// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/topology.h"

#include <hwloc.h>

#include <dlfcn.h>

namespace heddle::topology {
namespace {

// The functions of hwloc that are used. hwloc and its dependencies are opened when a device is
// first partitioned or queried for partitions, so that listing devices does not pay for them. Never
// closed: sub-devices may be created at any time.
struct Hwloc {
  hwloc_topology_t machine = nullptr; // null if hwloc is missing or cannot read the topology
  decltype(&hwloc_get_type_depth) type_depth = nullptr;
  decltype(&hwloc_get_nbobjs_by_depth) object_count = nullptr;
  decltype(&hwloc_get_obj_by_depth) object = nullptr;
  decltype(&hwloc_bitmap_isset) is_set = nullptr;
  decltype(&hwloc_bitmap_next) next_set = nullptr;

  Hwloc() {
    // The soname of the interface version that the header declares.
    static_assert(HWLOC_API_VERSION >= 0x20000 && HWLOC_API_VERSION < 0x30000);
    void* library = dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
    decltype(&hwloc_topology_init) init = nullptr;
    decltype(&hwloc_topology_load) load = nullptr;
    if (!library || !find(library, init, "hwloc_topology_init") ||
        !find(library, load, "hwloc_topology_load") ||
        !find(library, type_depth, "hwloc_get_type_depth") ||
        !find(library, object_count, "hwloc_get_nbobjs_by_depth") ||
        !find(library, object, "hwloc_get_obj_by_depth") ||
        !find(library, is_set, "hwloc_bitmap_isset") ||
        !find(library, next_set, "hwloc_bitmap_next"))
      return;
    hwloc_topology_t read = nullptr;
    if (init(&read) == 0 && load(read) == 0)
      machine = read;
  }

  template <class Function>
  static bool find(void* library, Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
  }
};

const Hwloc& hwloc() {
  static const Hwloc& instance = *new Hwloc;
  return instance;
}

hwloc_obj_type_t type_of(cl_device_affinity_domain domain) {
  switch (domain) {
  case CL_DEVICE_AFFINITY_DOMAIN_NUMA:
    return HWLOC_OBJ_NUMANODE;
  case CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE:
    return HWLOC_OBJ_L4CACHE;
  case CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE:
    return HWLOC_OBJ_L3CACHE;
  case CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE:
    return HWLOC_OBJ_L2CACHE;
  default:
    return HWLOC_OBJ_L1CACHE;
  }
}

} // namespace

std::vector<std::vector<int>> divide(const std::vector<int>& cpus,
                                     cl_device_affinity_domain domain) {
  std::vector<std::vector<int>> parts;
  if (domain == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE) {
    const auto next = next_partitionable(cpus);
    return next != 0 ? divide(cpus, next) : parts;
  }
  const auto& h = hwloc();
  if (!h.machine)
    return parts;
  const int depth = h.type_depth(h.machine, type_of(domain));
  if (depth == HWLOC_TYPE_DEPTH_UNKNOWN || depth == HWLOC_TYPE_DEPTH_MULTIPLE)
    return parts;
  const unsigned count = h.object_count(h.machine, depth);
  for (unsigned i = 0; i < count; ++i) {
    const auto* object = h.object(h.machine, depth, i);
    std::vector<int> inside;
    for (const int cpu : cpus)
      if (object->cpuset && h.is_set(object->cpuset, static_cast<unsigned>(cpu)))
        inside.push_back(cpu);
    if (!inside.empty())
      parts.push_back(std::move(inside));
  }
  return parts;
}

cl_device_affinity_domain next_partitionable(const std::vector<int>& cpus) {
  for (const auto domain : kDomains)
    if (divide(cpus, domain).size() > 1)
      return domain;
  return 0;
}

std::vector<numa::Node> numa_nodes() {
  std::vector<numa::Node> nodes;
  const auto& h = hwloc();
  if (!h.machine)
    return nodes;
  const int depth = h.type_depth(h.machine, HWLOC_OBJ_NUMANODE);
  const unsigned count = h.object_count(h.machine, depth);
  for (unsigned i = 0; i < count; ++i) {
    const auto* object = h.object(h.machine, depth, i);
    numa::Node node;
    node.number = static_cast<int>(object->os_index);
    for (int cpu = -1; object->cpuset && (cpu = h.next_set(object->cpuset, cpu)) >= 0;)
      node.cpus.push_back(cpu);
    if (!node.cpus.empty())
      nodes.push_back(std::move(node));
  }
  return nodes;
}

} // namespace heddle::topology
