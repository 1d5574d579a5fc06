// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/mapped_regions.h"

#include "runtime/core/lock.h"

#include <algorithm>
#include <atomic>
#include <vector>

namespace heddle::mapped_regions {
namespace {

constinit SleepingMutex mutex;
std::vector<Region> regions HEDDLE_GUARDED_BY(mutex);
std::atomic<bool> is_used{false}; // without the check, memory objects take no lock when they go

const std::byte* begin_of(const Region& region) { return region.data + region.layout.begin; }

bool overlap(const Region& a, const Region& b) {
  return a.whole == b.whole &&
         rects_overlap({a.data, a.layout, a.bytes}, {b.data, b.layout, b.bytes});
}

} // namespace

std::optional<std::string> add(Region region) {
  is_used.store(true, std::memory_order_relaxed);
  const Lock lock(mutex);
  const auto other = std::ranges::find_if(
      regions, [&region](const Region& mapped) { return overlap(mapped, region); });
  if (other != regions.end())
    return "maps " + region.what + " for writing, which overlaps " + other->what +
           ", mapped for writing";
  regions.push_back(std::move(region));
  return std::nullopt;
}

void remove(const Memory& memory, const void* pointer) noexcept {
  const Lock lock(mutex);
  const auto found = std::ranges::find_if(regions, [&](const Region& mapped) {
    return mapped.memory == &memory && begin_of(mapped) == pointer;
  });
  if (found != regions.end())
    regions.erase(found);
}

void forget(const Memory& memory) noexcept {
  if (!is_used.load(std::memory_order_relaxed))
    return;
  const Lock lock(mutex);
  std::erase_if(regions, [&memory](const Region& mapped) { return mapped.memory == &memory; });
}

} // namespace heddle::mapped_regions
