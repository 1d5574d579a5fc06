// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/command_buffer/replay_command.h"
#include "runtime/command_buffer/replay_state.h"

#include <algorithm>

namespace heddle {

ReplayState::ReadyChains::ReadyChains(ReplayState& state, std::uint32_t device, std::size_t most)
    : state_(state), device_(device), chains_(most) {}

void ReplayState::ReadyChains::reset(const Queue& queue) noexcept {
  queue_ = &queue;
  const auto used = added_.load(std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < used; ++i)
    chains_[i].store(0, std::memory_order_relaxed);
  taken_.store(0, std::memory_order_relaxed);
  added_.store(0, std::memory_order_relaxed);
}

void ReplayState::ReadyChains::add(std::uint32_t chain) noexcept {
  const auto position = added_.fetch_add(1, std::memory_order_acq_rel);
  chains_[position].store(chain + 1, std::memory_order_release);
}

std::uint32_t ReplayState::ReadyChains::take(std::uint32_t most, std::uint32_t& position) noexcept {
  auto first = taken_.load(std::memory_order_relaxed);
  std::uint32_t count = 0;
  do {
    const auto added = added_.load(std::memory_order_acquire);
    if (first >= added)
      return 0;
    count = std::min(most, added - first);
  } while (!taken_.compare_exchange_weak(first, first + count, std::memory_order_acq_rel));
  position = first;
  return count;
}

// Of a position that was taken; the thread that adds the chain may be about to store it.
std::uint32_t ReplayState::ReadyChains::at(std::uint32_t position) const noexcept {
  std::uint32_t chain = 0;
  while ((chain = chains_[position].load(std::memory_order_acquire)) == 0)
    ;
  return chain - 1;
}

std::uint32_t ReplayState::ReadyChains::count() const noexcept {
  const auto taken = taken_.load(std::memory_order_relaxed);
  const auto added = added_.load(std::memory_order_relaxed);
  return added > taken ? added - taken : 0;
}

void ReplayState::ReadyChains::retain_work() noexcept {
  state_.retain();
  state_.inside_.fetch_add(1, std::memory_order_relaxed);
}

void ReplayState::ReadyChains::participate() noexcept {
  Worker worker{device_, state_.executor_of(device_)};
  state_.work_ready(worker);
  state_.finish(worker);
}

} // namespace heddle
