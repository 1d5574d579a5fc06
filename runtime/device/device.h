// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_device_id: the CPU or a part of it (OpenCL API 4.2, 4.3).
#pragma once

#include "runtime/core/object.h"
#include "runtime/core/result.h"

#include <CL/cl.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

namespace heddle {

struct DeviceExecutor;

class Device final : public Object {
 public:
  static constexpr Kind kKind = Kind::device;

  // `cpus`: the logical processors (as in sched_setaffinity) to which the device's workers are
  // pinned; empty for the root device, which uses all that the process may use and pins no thread,
  // unless HEDDLE_PROCESSORS names them.
  Device(Device* parent, std::vector<int> cpus,
         std::vector<cl_device_partition_property> partition);

  Device* parent() const { return parent_.get(); }
  Device& root() { return parent_ ? parent_->root() : *this; }
  cl_uint compute_units() const;
  const std::vector<int>& cpus() const { return cpus_; }
  // The logical processor of each compute unit. One may occur several times if HEDDLE_NUM_THREADS
  // exceeds their number.
  std::vector<int> unit_cpus() const;
  // CL_DEVICE_GLOBAL_MEM_CACHE_SIZE: this device's share of the last-level cache, in bytes.
  std::uint64_t cache_bytes() const;
  // As given to clCreateSubDevices, with the terminating zero; empty for the root device.
  const std::vector<cl_device_partition_property>& partition() const { return partition_; }
  // Owned by execution/device_executor.h: the device's executors, or null before their first use.
  std::atomic<DeviceExecutor*>& executor_slot(bool is_throttled) {
    return executor_slots_[is_throttled ? 1 : 0];
  }

 private:
  ~Device() override;

  ParentRef<Device> parent_;
  std::vector<int> cpus_;
  std::vector<cl_device_partition_property> partition_;
  std::array<std::atomic<DeviceExecutor*>, 2> executor_slots_{};
};

} // namespace heddle
