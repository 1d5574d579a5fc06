// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/build_order.h"

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
  return std::make_shared<UnitBuild>(build.source, build.kernel,
                                     plain_specialization(Effort::little, build.specialization));
}

} // namespace

bool has_same_result(const UnitBuild& build, const UnitBuild& other) {
  const bool has_same_program =
      build.source == other.source ||
      (build.source && other.source && build.source->digest == other.source->digest);
  return has_same_program && build.kernel == other.kernel &&
         build.specialization == other.specialization;
}

double gain(const WantedBuild& wanted) {
  constexpr double kLeastUsed = 1000;
  return std::max(wanted.used, kLeastUsed) / wanted.build_time *
         (wanted.build->specialization.is_plain() ? kQuickGain : 1);
}

std::vector<BuildRef> order_builds(std::vector<WantedBuild> builds, bool adds_quick,
                                   const std::function<bool(const UnitBuild&)>& has) {
  struct Choice {
    BuildRef build;
    double gain;
  };
  std::vector<Choice> choices;
  const auto add_quick = [&](BuildRef quick, double gain) {
    const auto known = std::ranges::find_if(
        choices, [&](const Choice& choice) { return has_same_result(*choice.build, *quick); });
    if (known == choices.end())
      choices.push_back({std::move(quick), gain});
    else
      known->gain = std::max(known->gain, gain);
  };
  for (const auto& wanted : builds) {
    auto gained = gain(wanted);
    if (wanted.build->specialization.is_plain()) {
      add_quick(wanted.build, gained);
      continue;
    }
    if (auto quick = adds_quick ? quick_unit_of(*wanted.build) : nullptr) {
      if (has(*quick))
        gained *= kGainAfterQuick;
      else
        add_quick(quick, gain({quick, wanted.used, wanted.build_time}));
    }
    choices.push_back({wanted.build, gained});
  }
  std::ranges::stable_sort(choices, std::ranges::greater(), &Choice::gain);
  std::vector<BuildRef> ordered;
  for (auto& choice : choices)
    ordered.push_back(std::move(choice.build));
  return ordered;
}

} // namespace heddle
