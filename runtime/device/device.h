// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_device_id: the CPU or a part of it (OpenCL API 4.2, 4.3).
#pragma once

#include "runtime/core/object.h"
#include "runtime/core/result.h"

#include <CL/cl.h>

#include <atomic>
#include <vector>

namespace heddle {

class Executor;

class Device final : public Object {
 public:
  static constexpr Kind kKind = Kind::device;

  // `cpus`: the logical processors (as in sched_setaffinity) to which the device's workers are
  // pinned; empty for the root device, which uses all that the process may use and pins no thread.
  Device(Device* parent, std::vector<int> cpus,
         std::vector<cl_device_partition_property> partition);

  Device* parent() const { return parent_.get(); }
  Device& root() { return parent_ ? parent_->root() : *this; }
  cl_uint compute_units() const;
  const std::vector<int>& cpus() const { return cpus_; }
  // The logical processor of each compute unit. One may occur several times if HEDDLE_NUM_THREADS
  // exceeds their number.
  std::vector<int> unit_cpus() const;
  // As given to clCreateSubDevices, with the terminating zero; empty for the root device.
  const std::vector<cl_device_partition_property>& partition() const { return partition_; }
  // The executor of the device's commands. Created at first use, and again in a forked child, in
  // which the parent's threads do not exist. Devices of the same processors share one. Never
  // destroyed: its threads may still poll for work when the device is destroyed. Throws
  // std::bad_alloc and the exceptions of thread creation.
  Executor& executor();

 private:
  ~Device() override;

  ParentRef<Device> parent_;
  std::vector<int> cpus_;
  std::vector<cl_device_partition_property> partition_;
  struct Engine;
  static Engine* find_or_make_engine(const std::vector<int>& cpus, unsigned units);
  std::atomic<Engine*> engine_{nullptr};
};

} // namespace heddle
