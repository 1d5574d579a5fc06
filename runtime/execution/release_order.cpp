// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/release_order.h"

#include "compiler/interface/check_record.h"
#include "runtime/core/lock.h"

#include <utility>

namespace heddle {
namespace {

constexpr std::uint64_t kSeveral = ~std::uint64_t{0};

} // namespace

void ReleaseOrder::clear() {
  if (!has_any_.exchange(false, std::memory_order_relaxed))
    return;
  const Lock lock(mutex_);
  by_address_.clear();
  actors_.clear();
}

void ReleaseOrder::end_read(std::uint64_t actor, ReleaseState& state) {
  const auto released = by_address_.find(std::exchange(state.read, 0));
  if (released == by_address_.end() || released->second == actor + 1)
    return;
  state.has_seen = true;
  state.has_acquired |= state.read_acquires;
}

void ReleaseOrder::add_atomic(std::uint64_t address, std::uint64_t order, std::uint64_t actor,
                              ReleaseState& state) {
  const bool releases =
      (order & abi::kAccessWrites) != 0 && ((order & abi::kAccessReleases) != 0 || state.has_fence);
  if (releases || has_any_.load(std::memory_order_acquire)) {
    const Lock lock(mutex_);
    end_read(actor, state);
    if (releases) {
      has_any_.store(true, std::memory_order_release);
      actors_.insert(actor);
      const auto [place, is_new] = by_address_.try_emplace(address, actor + 1);
      if (!is_new && place->second != actor + 1)
        place->second = kSeveral;
    }
  }
  state.read = (order & abi::kAccessReads) != 0 ? address : 0;
  state.read_acquires = (order & abi::kAccessAcquires) != 0;
}

void ReleaseOrder::add_fence(std::uint64_t order, std::uint64_t actor, ReleaseState& state) {
  (void)has_acquired(actor, state);
  state.has_fence |= (order & abi::kAccessReleases) != 0;
  state.has_acquired |= (order & abi::kAccessAcquires) != 0 && state.has_seen;
}

bool ReleaseOrder::has_acquired(std::uint64_t actor, ReleaseState& state) {
  if (state.read != 0 && has_any_.load(std::memory_order_acquire)) {
    const Lock lock(mutex_);
    end_read(actor, state);
  }
  return state.has_acquired;
}

bool ReleaseOrder::has_released(std::uint64_t actor) {
  const Lock lock(mutex_);
  return actors_.contains(actor);
}

} // namespace heddle
