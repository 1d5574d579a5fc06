// cl_device_id: the CPU, or a part of it (OpenCL API 4.2, 4.3).
#pragma once

#include "runtime/core/object.h"
#include "runtime/core/result.h"

#include <CL/cl.h>

#include <memory>
#include <vector>

namespace heddle {

class Executor;

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
  // As given to clCreateSubDevices, with the closing zero; empty for the root device.
  const std::vector<cl_device_partition_property>& partition() const { return partition_; }
  // Where commands run; made with its threads at the first use.
  Executor& executor();

 private:
  ~Device() override;

  ParentRef<Device> parent_;
  std::vector<int> cpus_;
  std::vector<cl_device_partition_property> partition_;
  struct Lazy;
  std::unique_ptr<Lazy> lazy_;
};

} // namespace heddle
