// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/target/x86/cpuid_leaves.h"

#include <algorithm>
#include <array>
#include <cpuid.h>
#include <iterator>

namespace heddle {
namespace {

constexpr unsigned kExtended = 0x80000000;
// The first leaf of each kind contains the number of the last.
constexpr unsigned kLeaves[] = {0,
                                1,
                                7,
                                0x16,
                                kExtended,
                                kExtended + 1,
                                kExtended + 2,
                                kExtended + 3,
                                kExtended + 4,
                                kExtended + 7};

std::array<CpuidRegisters, std::size(kLeaves)> read_all() {
  std::array<CpuidRegisters, std::size(kLeaves)> all;
  unsigned last = 0;
  for (std::size_t i = 0; i < std::size(kLeaves); ++i) {
    const unsigned leaf = kLeaves[i];
    const bool is_first = leaf == 0 || leaf == kExtended;
    if (!is_first && leaf > last)
      continue;
    auto& r = all[i];
    __cpuid_count(leaf, 0, r.eax, r.ebx, r.ecx, r.edx);
    if (is_first)
      last = r.eax;
  }
  return all;
}

} // namespace

const CpuidRegisters& cpuid(unsigned leaf) {
  static const auto all = read_all();
  static constexpr CpuidRegisters kNone;
  const auto* found = std::ranges::find(kLeaves, leaf);
  return found == std::end(kLeaves) ? kNone
                                    : all[static_cast<std::size_t>(found - std::begin(kLeaves))];
}

} // namespace heddle
