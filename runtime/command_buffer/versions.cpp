// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/command_buffer/versions.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace heddle {

ReplacedVersion& ReplacedVersions::add(const RecordedKernel& kernel) {
  auto& entry = empty() ? first_ : others_.emplace_back();
  entry.kernel = &kernel;
  return entry;
}

void ReplacedVersions::sort() noexcept {
  std::ranges::sort(others_, std::less<>(), &ReplacedVersion::kernel);
}

const RecordedKernel::Version*
ReplacedVersions::find_other(const RecordedKernel& kernel) const noexcept {
  const auto entry =
      std::ranges::lower_bound(others_, &kernel, std::less<>(), &ReplacedVersion::kernel);
  return entry != others_.end() && entry->kernel == &kernel ? entry->version : nullptr;
}

// Not by recursion.
Versions::~Versions() {
  auto* next = next_.load(std::memory_order_acquire);
  while (next && next->is_unique()) {
    auto* const after = next->next_.exchange(nullptr, std::memory_order_acq_rel);
    next->release();
    next = after;
  }
  if (next)
    next->release();
}

// From both ends: the oldest replay in flight runs what the next update has replaced, and a kernel
// that seldom changes has few versions.
const RecordedKernel::Version&
Versions::find_replaced(const RecordedKernel& kernel,
                        const RecordedKernel::Version& newest) const noexcept {
  const auto* version = &newest;
  const auto* state = this;
  for (;;) {
    version = version->older;
    if (version->number <= number_)
      return *version;
    if (!state)
      continue;
    const auto* next = state->next_.load(std::memory_order_acquire);
    if (next)
      if (const auto* replaced = state->replaced_.find(kernel))
        return *replaced;
    state = next;
  }
}

} // namespace heddle
