// cl_device_id: the CPU, or a part of it (OpenCL API 4.2, 4.3).
#pragma once

#include "runtime/core/object.h"
#include "runtime/core/result.h"

#include <CL/cl.h>

#include <atomic>
#include <cstdint>
#include <vector>

namespace heddle {

class Executor;

class Device final : public Object {
 public:
  static constexpr Kind kKind = Kind::device;

  // `cpus`: logical processors (as in sched_setaffinity) that the device's workers use; for the
  // root device this is empty (all that the process may use, without pinning) unless
  // HEDDLE_PROCESSORS names them.
  Device(Device* parent, std::vector<int> cpus,
         std::vector<cl_device_partition_property> partition);

  Device* parent() const { return parent_.get(); }
  Device& root() { return parent_ ? parent_->root() : *this; }
  cl_uint compute_units() const;
  const std::vector<int>& cpus() const { return cpus_; }
  // One logical processor for each compute unit; the same one may stand there several times when
  // the user asked for more threads than there are processors.
  std::vector<int> unit_cpus() const;
  // CL_DEVICE_GLOBAL_MEM_CACHE_SIZE: this device's share of the last-level cache, in bytes.
  std::uint64_t cache_bytes() const;
  // As given to clCreateSubDevices, with the closing zero; empty for the root device.
  const std::vector<cl_device_partition_property>& partition() const { return partition_; }
  // Where commands run; made at the first use, and afresh in a forked child, where the threads of
  // the parent do not exist. Devices of the same processors share one. Never destroyed: its threads
  // may still be looking for work when the device goes. Throws std::bad_alloc and what making
  // threads throws.
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
