// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/race_shadow.h"

#include "runtime/core/lock.h"

#include <cstring>
#include <new>
#include <vector>

namespace heddle {
namespace {

// Memory for pages stays with the process up to this: fresh memory costs page faults.
constexpr std::size_t kMaxKeptBytes = 64 << 20;

// Arrays of the entries of words or of bytes, for all launches.
class Pool {
 public:
  explicit Pool(std::size_t bytes) : bytes_(bytes) {}

  std::byte* take() {
    {
      const Lock lock(mutex_);
      if (!free_.empty()) {
        auto* block = free_.back();
        free_.pop_back();
        return block;
      }
    }
    return new std::byte[bytes_];
  }

  void give(std::byte* block) {
    try {
      const Lock lock(mutex_);
      if ((free_.size() + 1) * bytes_ <= kMaxKeptBytes) {
        free_.push_back(block);
        return;
      }
    } catch (const std::bad_alloc&) { // then it is not kept
    }
    delete[] block;
  }

 private:
  const std::size_t bytes_;
  SleepingMutex mutex_;
  std::vector<std::byte*> free_ HEDDLE_GUARDED_BY(mutex_);
};

constexpr std::size_t kEntryBytes = sizeof(LastAccess) + sizeof(std::uint32_t);

// Never destroyed: threads may run kernels until the process ends.
Pool& pool_of(unsigned unit_shift) {
  static auto* const bytes = new Pool(RaceShadow::kPageBytes * kEntryBytes);
  static auto* const words =
      new Pool(RaceShadow::kPageBytes / RaceShadow::kWordBytes * kEntryBytes);
  return unit_shift == 0 ? *bytes : *words;
}

} // namespace

RaceShadow::Page::Page(std::uint64_t number, bool is_local)
    : number_(number), is_local_(is_local),
      last_(reinterpret_cast<LastAccess*>(pool_of(unit_shift_).take())),
      values_(reinterpret_cast<std::uint32_t*>(last_ + size())) {
  std::memset(static_cast<void*>(last_), 0, size() * sizeof *last_);
}

RaceShadow::Page::~Page() { pool_of(unit_shift_).give(reinterpret_cast<std::byte*>(last_)); }

RaceShadow::Details& RaceShadow::Page::details(std::size_t index) {
  if (!details_)
    details_ = std::make_unique<Details[]>(size());
  return details_[index];
}

void RaceShadow::Page::split() {
  const auto words = size();
  std::unique_ptr<Details[]> details;
  if (details_)
    details = std::make_unique<Details[]>(kPageBytes);
  auto* const last = reinterpret_cast<LastAccess*>(pool_of(0).take());
  auto* const values = reinterpret_cast<std::uint32_t*>(last + kPageBytes);
  for (std::size_t i = 0; i < words; ++i)
    for (unsigned byte = 0; byte < kWordBytes; ++byte) {
      const auto index = i * kWordBytes + byte;
      last[index] = last_[i];
      values[index] = last_[i].has_second() ? values_[i] : values_[i] >> 8 * byte & 0xff;
      if (details && last_[i].is_detailed())
        details[index] = {details_[i].items.byte(byte), details_[i].groups.byte(byte),
                          details_[i].epoch};
    }
  pool_of(unit_shift_).give(reinterpret_cast<std::byte*>(last_));
  last_ = last;
  values_ = values;
  details_ = std::move(details);
  unit_shift_ = 0;
}

RaceShadow::Page& RaceShadow::page(std::uint64_t address, bool is_local) {
  const auto number = address / kPageBytes;
  auto& page = pages_[number];
  if (!page)
    page = std::make_unique<Page>(number, is_local);
  return *page;
}

void RaceShadow::forget_local() {
  std::erase_if(pages_,
                [](const auto& entry) { return !entry.second || entry.second->is_local(); });
}

} // namespace heddle
