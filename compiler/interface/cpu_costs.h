// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What HEDDLE_CPU says of a CPU: its name and, behind it, which instructions are slow there, as
// `heddle calibrate` measures it: "native,slow-gathers,fast-updates".
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace heddle {

// Nothing: as the compiler knows CPUs of that name (compiler/target/target_info.h).
struct CpuCosts {
  std::optional<bool> slow_gathers, slow_scatters, slow_updates;
};

struct CostName {
  std::string_view name;
  std::optional<bool> CpuCosts::*is_slow;
};
inline constexpr std::array<CostName, 3> kCostNames = {{{"gathers", &CpuCosts::slow_gathers},
                                                        {"scatters", &CpuCosts::slow_scatters},
                                                        {"updates", &CpuCosts::slow_updates}}};

struct NamedCpu {
  std::string_view name;
  CpuCosts costs;
};

// Nothing: what follows a comma is neither "slow-" nor "fast-" with a name of kCostNames.
constexpr std::optional<NamedCpu> parse_cpu(std::string_view text) {
  NamedCpu cpu{text.substr(0, text.find(',')), {}};
  text.remove_prefix(cpu.name.size());
  while (!text.empty()) {
    text.remove_prefix(1);
    const auto word = text.substr(0, text.find(','));
    text.remove_prefix(word.size());
    const bool is_slow = word.starts_with("slow-");
    const auto* known = std::ranges::find(
        kCostNames, word.substr(std::min<std::size_t>(word.size(), 5)), &CostName::name);
    if ((!is_slow && !word.starts_with("fast-")) || known == kCostNames.end())
      return std::nullopt;
    cpu.costs.*known->is_slow = is_slow;
  }
  return cpu;
}

} // namespace heddle
