// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/device.h"

#include "runtime/core/process.h"
#include "runtime/device/thread_count.h"
#include "runtime/execution/executor.h"

#include <memory>

namespace heddle {

struct Device::Engine {
  const unsigned fork_generation;
  const std::vector<int> cpus;
  Executor executor;
  Engine* next = nullptr;
};

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

// A lock-free list that only grows: a lock that another thread held at a fork would never be
// released in the child.
Device::Engine* Device::find_or_make_engine(const std::vector<int>& cpus, unsigned units) {
  static std::atomic<Engine*> newest{nullptr};
  const auto generation = process::fork_generation();
  std::unique_ptr<Engine> fresh;
  auto* first = newest.load(std::memory_order_acquire);
  for (;;) {
    for (auto* engine = first; engine; engine = engine->next)
      if (engine->fork_generation == generation && engine->cpus == cpus)
        return engine;
    if (!fresh)
      fresh.reset(new Engine{generation, cpus, {units, cpus}});
    fresh->next = first;
    if (newest.compare_exchange_strong(first, fresh.get(), std::memory_order_acq_rel))
      return fresh.release();
  }
}

Executor& Device::executor() {
  auto* engine = engine_.load(std::memory_order_acquire);
  if (!engine || engine->fork_generation != process::fork_generation()) {
    engine = find_or_make_engine(cpus_, compute_units());
    engine_.store(engine, std::memory_order_release);
  }
  return engine->executor;
}

} // namespace heddle
