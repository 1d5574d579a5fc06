// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/device.h"

#include "runtime/device/thread_count.h"

namespace heddle {

Device::Device(Device* parent, std::vector<int> cpus,
               std::vector<cl_device_partition_property> partition)
    : Object(Kind::device), parent_(parent), cpus_(std::move(cpus)),
      partition_(std::move(partition)) {}

Device::~Device() = default;

cl_uint Device::compute_units() const {
  return cpus_.empty() ? thread_count() : static_cast<cl_uint>(cpus_.size());
}

std::vector<int> Device::unit_cpus() const {
  if (!cpus_.empty())
    return cpus_;
  const auto usable = affinity_cpus();
  std::vector<int> cpus(compute_units());
  for (std::size_t i = 0; i < cpus.size(); ++i)
    cpus[i] = usable[i % usable.size()];
  return cpus;
}

} // namespace heddle
