// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/kernel_cost.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace heddle::kernel_cost {
namespace {

// A lock-free hash table; kernels that share a slot share an estimate.
constexpr std::size_t kSlots = 4096;
constexpr float kUnknown = 20; // nanoseconds

std::array<std::atomic<float>, kSlots> table{};

std::atomic<float>& slot(abi::KernelFunction function) {
  const auto address = reinterpret_cast<std::uintptr_t>(function);
  return table[(address >> 4) * 0x9e3779b97f4a7c15u >> 52];
}

} // namespace

double per_item(abi::KernelFunction function) noexcept {
  const auto known = slot(function).load(std::memory_order_relaxed);
  return known == 0 ? kUnknown : known;
}

bool is_known(abi::KernelFunction function) noexcept {
  return slot(function).load(std::memory_order_relaxed) != 0;
}

void learn(abi::KernelFunction function, std::uint64_t nanoseconds, std::uint64_t items) noexcept {
  if (items == 0)
    return;
  auto& entry = slot(function);
  const auto known = entry.load(std::memory_order_relaxed);
  const auto seen = std::max(0.01f, static_cast<float>(nanoseconds) / static_cast<float>(items));
  entry.store(known == 0 ? seen : 0.5f * known + 0.5f * seen, std::memory_order_relaxed);
}

} // namespace heddle::kernel_cost
