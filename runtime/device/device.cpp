#include "runtime/device/device.h"

#include "runtime/core/process.h"
#include "runtime/device/thread_count.h"
#include "runtime/execution/executor.h"

#include <memory>

namespace heddle {

struct Device::Engine {
  const unsigned fork_generation;
  Executor executor;
};

Device::Device(Device* parent, std::vector<int> cpus,
               std::vector<cl_device_partition_property> partition)
    : Object(Kind::device), parent_(parent), cpus_(std::move(cpus)),
      partition_(std::move(partition)) {}

Device::~Device() {
  auto* engine = engine_.load(std::memory_order_acquire);
  // Threads of the process that forked cannot be waited for here.
  if (engine && engine->fork_generation == process::fork_generation())
    delete engine;
}

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

Executor& Device::executor() {
  const auto generation = process::fork_generation();
  auto* engine = engine_.load(std::memory_order_acquire);
  if (engine && engine->fork_generation == generation)
    return engine->executor;
  // No lock: one that another thread held when the process forked would never be free again.
  auto fresh = std::unique_ptr<Engine>(new Engine{generation, {compute_units(), cpus_}});
  while (!engine_.compare_exchange_weak(engine, fresh.get(), std::memory_order_acq_rel))
    if (engine && engine->fork_generation == generation)
      return engine->executor;
  return fresh.release()->executor;
}

} // namespace heddle
