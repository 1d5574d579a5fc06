// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/allocation/allocation_map.h"

#include "runtime/allocation/storage.h"
#include "runtime/core/lock.h"

#include <cstdio>
#include <new>

namespace heddle {
namespace {

// Allocations up to this size are entered for each page that they touch.
constexpr std::size_t kMaxSmallBytes = std::size_t{16} << 10;
constexpr std::uintptr_t kPage = 4096;

std::uintptr_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

bool is_small(const Allocation& allocation) { return allocation.size <= kMaxSmallBytes; }
std::uintptr_t first_page(const Allocation& allocation) { return number(allocation.begin) / kPage; }
std::uintptr_t last_page(const Allocation& allocation) {
  return (number(allocation.begin) + allocation.size - 1) / kPage;
}

// How far the address is from the nearest byte of the allocation.
std::uintptr_t distance(const Allocation& allocation, std::uintptr_t address) {
  const auto begin = number(allocation.begin);
  return address < begin                     ? begin - address
         : address - begin < allocation.size ? 0
                                             : address - begin - allocation.size + 1;
}

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
  std::string text = "the ";
  text.append(what).append(" of ").append(std::to_string(size));
  return text.append(" bytes at ").append(place);
}

template <class Visit>
void AllocationMap::for_each(Visit visit) const {
  for (const auto& [address, allocation] : large_)
    visit(allocation);
  for (const auto& [page, allocations] : small_)
    for (const auto& allocation : allocations)
      if (first_page(allocation) == page)
        visit(allocation);
}

AllocationMap::~AllocationMap() {
  for_each([](const Allocation& allocation) {
    if (allocation.kind != kBufferAllocation)
      storage::free(allocation.begin, allocation.size);
  });
}

void AllocationMap::add(const Allocation& allocation) {
  const Lock lock(mutex_);
  if (!is_small(allocation)) {
    large_.emplace(number(allocation.begin), allocation);
    return;
  }
  try {
    for (auto page = first_page(allocation); page <= last_page(allocation); ++page)
      small_[page].push_back(allocation);
  } catch (const std::bad_alloc&) {
    remove_from_pages(allocation);
    throw;
  }
}

void AllocationMap::remove_from_pages(const Allocation& allocation) {
  for (auto page = first_page(allocation); page <= last_page(allocation); ++page) {
    const auto place = small_.find(page);
    if (place == small_.end())
      continue;
    std::erase_if(place->second,
                  [&](const Allocation& other) { return other.begin == allocation.begin; });
    if (place->second.empty())
      small_.erase(place);
  }
}

const Allocation* AllocationMap::find_locked(std::uintptr_t address) const {
  const auto* pointer = reinterpret_cast<const void*>(address);
  if (const auto page = small_.find(address / kPage); page != small_.end())
    for (const auto& allocation : page->second)
      if (allocation.contains(pointer))
        return &allocation;
  const auto above = large_.upper_bound(address);
  if (above == large_.begin())
    return nullptr;
  const auto& below = std::prev(above)->second;
  return below.contains(pointer) ? &below : nullptr;
}

std::optional<Allocation> AllocationMap::find(const void* pointer, unsigned kinds) const {
  const SharedLock lock(mutex_);
  const auto* found = find_locked(number(pointer));
  return found && (found->kind & kinds) ? std::optional(*found) : std::nullopt;
}

std::optional<Allocation> AllocationMap::nearest(const void* pointer) const {
  const auto address = number(pointer);
  const SharedLock lock(mutex_);
  std::optional<Allocation> best;
  for_each([&](const Allocation& allocation) {
    if (!best || distance(allocation, address) < distance(*best, address))
      best = allocation;
  });
  return best;
}

std::optional<Allocation> AllocationMap::remove(const void* begin, unsigned kinds) {
  const Lock lock(mutex_);
  const auto* known = find_locked(number(begin));
  if (!known || known->begin != begin || !(known->kind & kinds))
    return std::nullopt;
  const auto found = *known;
  if (is_small(found))
    remove_from_pages(found);
  else
    large_.erase(number(begin));
  return found;
}

bool AllocationMap::empty() const {
  const SharedLock lock(mutex_);
  return large_.empty() && small_.empty();
}

std::string describe_address(const AllocationMap& map, const void* address) {
  const auto nearest = map.nearest(address);
  if (!nearest)
    return "";
  const auto at = number(address);
  if (nearest->contains(address))
    return std::string("byte ").append(std::to_string(at - number(nearest->begin))) + " of " +
           nearest->name();
  if (at < number(nearest->begin))
    return std::to_string(number(nearest->begin) - at) + " bytes before " + nearest->name();
  const auto after = at - number(nearest->end());
  const auto text = after == 0 ? "right after" : std::to_string(after) + " bytes after the end of";
  return text + " " + nearest->name();
}

} // namespace heddle
