#include "runtime/device/topology.h"

#include <hwloc.h>

namespace heddle::topology {
namespace {

// Null when hwloc cannot read the machine. Never freed: sub-devices may be made at any time.
hwloc_topology_t machine_topology() {
  static const hwloc_topology_t instance = [] {
    hwloc_topology_t read = nullptr;
    if (hwloc_topology_init(&read) != 0)
      return static_cast<hwloc_topology_t>(nullptr);
    if (hwloc_topology_load(read) != 0) {
      hwloc_topology_destroy(read);
      return static_cast<hwloc_topology_t>(nullptr);
    }
    return read;
  }();
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
    for (const auto next : kDomains)
      if (parts = divide(cpus, next); parts.size() > 1)
        break;
    return parts;
  }
  const auto machine = machine_topology();
  if (!machine)
    return parts;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(machine, type_of(domain), object))) {
    std::vector<int> inside;
    for (const int cpu : cpus)
      if (object->cpuset && hwloc_bitmap_isset(object->cpuset, static_cast<unsigned>(cpu)))
        inside.push_back(cpu);
    if (!inside.empty())
      parts.push_back(std::move(inside));
  }
  return parts;
}

} // namespace heddle::topology
