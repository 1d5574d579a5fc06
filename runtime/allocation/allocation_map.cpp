#include "runtime/allocation/allocation_map.h"

#include "runtime/allocation/storage.h"

#include <cstdio>
#include <mutex>
#include <shared_mutex>

namespace heddle {
namespace {

std::uintptr_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

} // namespace

std::string Allocation::name() const {
  const char* what = "buffer";
  switch (kind) {
  case kSvmAllocation:
    what = "SVM allocation";
    break;
  case kHostAllocation:
    what = "host USM allocation";
    break;
  case kDeviceAllocation:
    what = "device USM allocation";
    break;
  case kSharedAllocation:
    what = "shared USM allocation";
    break;
  case kBufferAllocation:
    break;
  }
  char place[32];
  std::snprintf(place, sizeof place, "%p", static_cast<void*>(begin));
  return std::string("the ") + what + " of " + std::to_string(size) + " bytes at " + place;
}

AllocationMap::~AllocationMap() {
  for (const auto& [address, allocation] : allocations_)
    if (allocation.kind != kBufferAllocation)
      storage::free(allocation.begin, allocation.size);
}

void AllocationMap::add(const Allocation& allocation) {
  const std::lock_guard lock(mutex_);
  allocations_.emplace(number(allocation.begin), allocation);
}

std::optional<Allocation> AllocationMap::find(const void* pointer, unsigned kinds) const {
  const std::shared_lock lock(mutex_);
  auto place = allocations_.upper_bound(number(pointer));
  if (place == allocations_.begin())
    return std::nullopt;
  const auto& found = (--place)->second;
  if (!found.contains(pointer) || !(found.kind & kinds))
    return std::nullopt;
  return found;
}

std::optional<Allocation> AllocationMap::nearest(const void* pointer) const {
  const auto address = number(pointer);
  const std::shared_lock lock(mutex_);
  const auto above = allocations_.upper_bound(address);
  if (above == allocations_.begin())
    return above == allocations_.end() ? std::nullopt : std::optional(above->second);
  const auto& below = std::prev(above)->second;
  if (above == allocations_.end() || below.contains(pointer) ||
      address - number(below.end()) <= above->first - address)
    return below;
  return above->second;
}

std::optional<Allocation> AllocationMap::remove(const void* begin, unsigned kinds) {
  const std::lock_guard lock(mutex_);
  const auto place = allocations_.find(number(begin));
  if (place == allocations_.end() || !(place->second.kind & kinds))
    return std::nullopt;
  const auto found = place->second;
  allocations_.erase(place);
  return found;
}

bool AllocationMap::empty() const {
  const std::shared_lock lock(mutex_);
  return allocations_.empty();
}

std::string describe_address(const AllocationMap& map, const void* address) {
  const auto nearest = map.nearest(address);
  if (!nearest)
    return "";
  const auto at = number(address);
  if (nearest->contains(address))
    return "byte " + std::to_string(at - number(nearest->begin)) + " of " + nearest->name();
  if (at < number(nearest->begin))
    return std::to_string(number(nearest->begin) - at) + " bytes before " + nearest->name();
  const auto behind = at - number(nearest->end());
  return (behind == 0 ? "right behind" : std::to_string(behind) + " bytes behind the end of") +
         (" " + nearest->name());
}

} // namespace heddle
