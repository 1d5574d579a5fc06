// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/mapped_regions.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

namespace heddle::mapped_regions {
namespace {

constinit std::mutex mutex;
std::vector<Region> regions;
std::atomic<bool> is_used{false}; // without the check, memory objects take no lock when they go

const std::byte* begin_of(const Region& region) {
  return region.memory->data() + region.layout.begin;
}

bool overlap(const Region& a, const Region& b) {
  return &a.memory->whole() == &b.memory->whole() &&
         rects_overlap({a.memory->data(), a.layout, a.bytes},
                       {b.memory->data(), b.layout, b.bytes});
}

} // namespace

std::optional<std::string> add(Region region) {
  is_used.store(true, std::memory_order_relaxed);
  const std::lock_guard lock(mutex);
  const auto other = std::ranges::find_if(
      regions, [&region](const Region& mapped) { return overlap(mapped, region); });
  if (other != regions.end())
    return "maps " + region.what + " for writing, which overlaps " + other->what +
           ", mapped for writing";
  regions.push_back(std::move(region));
  return std::nullopt;
}

void remove(const Memory& memory, const void* pointer) noexcept {
  const std::lock_guard lock(mutex);
  const auto found = std::ranges::find_if(regions, [&](const Region& mapped) {
    return mapped.memory == &memory && begin_of(mapped) == pointer;
  });
  if (found != regions.end())
    regions.erase(found);
}

void forget(const Memory& memory) noexcept {
  if (!is_used.load(std::memory_order_relaxed))
    return;
  const std::lock_guard lock(mutex);
  std::erase_if(regions, [&memory](const Region& mapped) { return mapped.memory == &memory; });
}

} // namespace heddle::mapped_regions
