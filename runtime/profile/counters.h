// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processor's and the system's counters of the calling thread, in user mode
// (HEDDLE_PROFILE_COUNTERS; perf_event_open(2)).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::profile {

inline constexpr std::size_t kMaxCounters = 8;
using Counts = std::array<std::uint64_t, kMaxCounters>;

// The names that choose() knows, in words for users.
std::string known_counters();
// Chooses what is counted, by names separated by commas: those that can be. Those that cannot be
// are named on standard error with what to do. Once, before other threads run.
void choose_counters(std::string_view names);
// In the order of Counts.
const std::vector<std::string>& chosen_counters() noexcept;
// Counts of the thread until now; zeros if nothing is chosen.
Counts read_counters() noexcept;
// Why perf_event_open failed with this errno, and what to do. Valid until the next call.
const char* advice_for_events(int error) noexcept;

} // namespace heddle::profile
