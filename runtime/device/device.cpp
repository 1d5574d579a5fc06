#include "runtime/device/device.h"

#include "runtime/core/process.h"
#include "runtime/device/cache_share.h"
#include "runtime/device/machine.h"
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
  // Other ranks of the job cut their devices from other parts of the same processors.
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

// A list that only grows, without a lock: one that another thread held when the process forked
// would never be free again.
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
