// cl_device_id: the CPU, or a part of it (OpenCL API 4.2, 4.3).
#pragma once

#include "runtime/core/object.h"
#include "runtime/core/result.h"

#include <CL/cl.h>

#include <atomic>
#include <vector>

namespace heddle {

struct DeviceExecutor;

class Device final : public Object {
 public:
  static constexpr Kind kKind = Kind::device;

  // `cpus`: logical processors (as in sched_setaffinity) that the device's workers use; for the
  // root device this is empty: all that the process may use, without pinning.
  Device(Device* parent, std::vector<int> cpus,
         std::vector<cl_device_partition_property> partition);

  Device* parent() const { return parent_.get(); }
  Device& root() { return parent_ ? parent_->root() : *this; }
  cl_uint compute_units() const;
  const std::vector<int>& cpus() const { return cpus_; }
  // One logical processor for each compute unit; the same one may stand there several times when
  // the user asked for more threads than there are processors.
  std::vector<int> unit_cpus() const;
  // As given to clCreateSubDevices, with the closing zero; empty for the root device.
  const std::vector<cl_device_partition_property>& partition() const { return partition_; }
  // For execution/device_executor.h, which keeps there what it has made for the device; null until
  // then.
  std::atomic<DeviceExecutor*>& executor_slot() { return executor_slot_; }

 private:
  ~Device() override;

  ParentRef<Device> parent_;
  std::vector<int> cpus_;
  std::vector<cl_device_partition_property> partition_;
  std::atomic<DeviceExecutor*> executor_slot_{nullptr};
};

} // namespace heddle
