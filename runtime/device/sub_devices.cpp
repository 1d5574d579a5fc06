// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/sub_devices.h"

#include "runtime/device/topology.h"

namespace heddle {
namespace {

using Parts = std::vector<std::vector<int>>;
using Property = cl_device_partition_property;

Result<Parts> divide_equally(const std::vector<int>& cpus, Property units) {
  if (units <= 0)
    return CL_INVALID_VALUE;
  if (static_cast<std::size_t>(units) > cpus.size())
    return CL_INVALID_DEVICE_PARTITION_COUNT;
  // A single part would be the whole device.
  if (static_cast<std::size_t>(units) == cpus.size())
    return CL_DEVICE_PARTITION_FAILED;
  Parts parts;
  for (auto begin = cpus.begin(); cpus.end() - begin >= units; begin += units)
    parts.emplace_back(begin, begin + units);
  return parts;
}

Result<Parts> divide_by_counts(const std::vector<int>& cpus, const Property* counts) {
  Parts parts;
  auto begin = cpus.begin();
  for (; *counts != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; ++counts) {
    if (*counts < 0 || *counts > cpus.end() - begin)
      return CL_INVALID_DEVICE_PARTITION_COUNT;
    parts.emplace_back(begin, begin + *counts);
    begin += *counts;
  }
  if (parts.empty())
    return CL_INVALID_DEVICE_PARTITION_COUNT;
  return parts;
}

Result<Parts> divide_by_domain(const std::vector<int>& cpus, Property domain) {
  switch (domain) {
  case CL_DEVICE_AFFINITY_DOMAIN_NUMA:
  case CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE:
  case CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE:
  case CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE:
  case CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE:
  case CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE:
    break;
  default:
    return CL_INVALID_VALUE;
  }
  auto parts = topology::divide(cpus, static_cast<cl_device_affinity_domain>(domain));
  if (parts.size() < 2)
    return CL_DEVICE_PARTITION_FAILED;
  return parts;
}

} // namespace

std::vector<Property> partition_properties(const Device& device) {
  if (device.compute_units() < 2)
    return {0};
  std::vector<Property> types = {CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS};
  if (affinity_domains(device) != 0)
    types.push_back(CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
  return types;
}

cl_device_affinity_domain affinity_domains(const Device& device) {
  const auto cpus = device.unit_cpus();
  cl_device_affinity_domain domains = 0;
  for (const auto domain : topology::kDomains)
    if (topology::divide(cpus, domain).size() > 1)
      domains |= domain | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
  return domains;
}

std::vector<Property> partition_type(const Device& device, const Property* properties) {
  std::vector<Property> list{properties[0]};
  ++properties;
  // A list of counts has its own terminating zero; the other partition types have one value, which
  // may be 0.
  if (list[0] == CL_DEVICE_PARTITION_BY_COUNTS) {
    for (; *properties != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; ++properties)
      list.push_back(*properties);
    list.push_back(CL_DEVICE_PARTITION_BY_COUNTS_LIST_END);
  } else if (list[0] == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN &&
             *properties == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE) {
    list.push_back(static_cast<Property>(topology::next_partitionable(device.unit_cpus())));
  } else {
    list.push_back(*properties);
  }
  list.push_back(0);
  return list;
}

Result<Parts> partition_device(const Device& device, const Property* properties) {
  if (properties[0] == 0)
    return CL_INVALID_VALUE;
  const auto cpus = device.unit_cpus();
  switch (properties[0]) {
  case CL_DEVICE_PARTITION_BY_COUNTS:
    return cpus.size() < 2 ? Result<Parts>(CL_DEVICE_PARTITION_FAILED)
                           : divide_by_counts(cpus, properties + 1);
  case CL_DEVICE_PARTITION_EQUALLY:
  case CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN:
    if (properties[1] == 0 || properties[2] != 0)
      return CL_INVALID_VALUE;
    if (cpus.size() < 2)
      return CL_DEVICE_PARTITION_FAILED;
    return properties[0] == CL_DEVICE_PARTITION_EQUALLY ? divide_equally(cpus, properties[1])
                                                        : divide_by_domain(cpus, properties[1]);
  default:
    return CL_INVALID_VALUE;
  }
}

} // namespace heddle
