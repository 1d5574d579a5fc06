// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/device.h"

#include "runtime/device/cache_share.h"
#include "runtime/device/cpu_list.h"
#include "runtime/device/machine.h"
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
  // Other ranks of the job partition other parts of the same processors.
  const auto usable = affinity_cpus();
  const std::size_t first = thread_choice().first;
  std::vector<int> cpus(compute_units());
  for (std::size_t i = 0; i < cpus.size(); ++i)
    cpus[i] = usable[(first + i) % usable.size()];
  return cpus;
}

std::uint64_t Device::cache_bytes() const {
  const auto bytes =
      cpus_.empty() ? cache_share(affinity_cpus(), thread_choice().sharers) : cache_share(cpus_, 1);
  return bytes != 0 ? bytes : machine().cache_bytes;
}

} // namespace heddle
