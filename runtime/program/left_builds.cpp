// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/left_builds.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace heddle {
namespace {

// Of a quick unit, by what an optimized one gains: launches take a third of the plain unit's time,
// not a fifth, and the build 0.15.
constexpr double kQuickGain = 5;
// Of the optimized one where the quick one is there.
constexpr double kGainAfterQuick = 0.3;

BuildRef quick_unit_of(const UnitBuild& build) {
  auto quick = Specialization::plain(Effort::little);
  quick.argument_count = build.specialization.argument_count;
  quick.arguments = build.specialization.arguments;
  return std::make_shared<UnitBuild>(build.source, build.kernel, quick);
}

bool is_same(const UnitBuild& build, const UnitBuild& other) {
  return build.source == other.source && build.kernel == other.kernel &&
         build.specialization == other.specialization;
}

} // namespace

std::vector<BuildRef> order_left_builds(std::vector<LeftBuild> builds, bool adds_quick,
                            const std::function<bool(const UnitBuild&)>& has) {
  struct Choice {
    BuildRef build;
    double gain;
  };
  std::vector<Choice> choices;
  const auto add_quick = [&](BuildRef quick, double gain) {
    const auto known = std::ranges::find_if(
        choices, [&](const Choice& choice) { return is_same(*choice.build, *quick); });
    if (known == choices.end())
      choices.push_back({std::move(quick), gain});
    else
      known->gain = std::max(known->gain, gain);
  };
  for (auto& [build, used] : builds) {
    if (build->specialization.is_plain()) {
      add_quick(build, used * kQuickGain);
      continue;
    }
    auto gain = used;
    if (auto quick = adds_quick ? quick_unit_of(*build) : nullptr) {
      if (has(*quick))
        gain *= kGainAfterQuick;
      else
        add_quick(std::move(quick), used * kQuickGain);
    }
    choices.push_back({build, gain});
  }
  std::ranges::stable_sort(choices, std::ranges::greater(), &Choice::gain);
  std::vector<BuildRef> ordered;
  for (auto& choice : choices)
    ordered.push_back(std::move(choice.build));
  return ordered;
}

} // namespace heddle
