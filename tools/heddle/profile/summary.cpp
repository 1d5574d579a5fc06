// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/heddle/profile/summary.h"

#include <algorithm>
#include <cstddef>
#include <map>

namespace heddle {
namespace {

using profile::KernelTimes;
using profile::Profile;

void add(profile::UnitTimes& sum, const profile::UnitTimes& more) {
  sum.groups += more.groups;
  sum.thread_time += more.thread_time;
}

void add(KernelTimes& sum, const KernelTimes& more) {
  if (more.launches > sum.launches)
    sum.median = more.median; // of the process with more of them
  sum.least = std::min(sum.least, more.least);
  sum.most = std::max(sum.most, more.most);
  sum.launches += more.launches;
  sum.failed += more.failed;
  sum.time += more.time;
  sum.work_items += more.work_items;
  sum.waited += more.waited;
  sum.estimated += more.estimated;
  sum.guessed += more.guessed;
  sum.estimated_time += more.estimated_time;
  sum.flops += more.flops;
  sum.double_flops += more.double_flops;
  sum.bytes_read += more.bytes_read;
  sum.bytes_written += more.bytes_written;
  for (std::size_t i = 0; i < std::min(sum.counters.size(), more.counters.size()); ++i)
    sum.counters[i] += more.counters[i];
  sum.samples.insert(sum.samples.end(), more.samples.begin(), more.samples.end());
  for (const auto& unit : more.units) {
    const auto found = std::ranges::find_if(sum.units, [&](const profile::UnitTimes& known) {
      return known.code == unit.code && known.lanes == unit.lanes && known.rows == unit.rows;
    });
    if (found == sum.units.end())
      sum.units.push_back(unit);
    else
      add(*found, unit);
  }
}

// When kernels ran is that of the longest process.
Profile join(const std::vector<Profile>& profiles) {
  Profile joined;
  if (profiles.empty())
    return joined;
  const auto& longest =
      *std::ranges::max_element(profiles, {}, [](const Profile& each) { return each.seconds; });
  joined = longest;
  std::map<std::string, profile::BuildTimes> builds;
  for (const auto& each : profiles) {
    joined.compute_units = std::max(joined.compute_units, each.compute_units);
    for (const auto& build : each.builds) {
      auto& sum = builds[build.kernel];
      sum.kernel = build.kernel;
      sum.builds += build.builds;
      sum.loads += build.loads;
      sum.time += build.time;
      sum.processor_time += build.processor_time;
    }
    if (&each == &longest)
      continue;
    for (const auto& kernel : each.kernels) {
      const auto found = std::ranges::find_if(joined.kernels, [&](const KernelTimes& known) {
        return known.name == kernel.name && known.local_size == kernel.local_size;
      });
      if (found != joined.kernels.end()) {
        add(*found, kernel);
        continue;
      }
      joined.kernels.push_back(kernel);
      joined.kernels.back().ran.clear();
    }
  }
  joined.builds.clear();
  for (auto& [name, build] : builds)
    joined.builds.push_back(std::move(build));
  return joined;
}

std::string describe(const profile::UnitTimes& unit) {
  auto text =
      unit.code + ", " + std::to_string(unit.lanes) + (unit.lanes == 1 ? " lane" : " lanes");
  if (unit.rows > 1)
    text += " x " + std::to_string(unit.rows) + " rows";
  return text;
}

bool is_above_roof(const KernelFigures& kernel) {
  constexpr double kAbove = 1.1;
  return kernel.of_roof.value_or(0) > kAbove;
}

} // namespace

bool Summary::has_kernel_above_roof() const { return std::ranges::any_of(kernels, is_above_roof); }

void Summary::doubt_above_roof() {
  for (auto& kernel : kernels)
    if (is_above_roof(kernel)) {
      kernel.is_guessed = true;
      kernel.of_roof.reset();
    }
}

std::string groups_text(const KernelTimes& kernel) {
  auto text = std::to_string(kernel.local_size[0]);
  for (std::size_t d = 1; d < 3; ++d)
    if (kernel.local_size[d] != 1 || (d == 1 && kernel.local_size[2] != 1))
      text += "x" + std::to_string(kernel.local_size[d]);
  return text;
}

Summary::Summary(const std::vector<Profile>& profiles, std::optional<Roofline> machine)
    : profile(join(profiles)), processes(static_cast<unsigned>(profiles.size())),
      roofline(std::move(machine)) {
  for (const auto& kernel : profile.kernels)
    kernel_time += static_cast<double>(kernel.time);
  for (const auto& kernel : profile.kernels) {
    if (kernel.launches == 0)
      continue;
    KernelFigures figures;
    figures.sums = &kernel;
    figures.groups = groups_text(kernel);
    const auto time = std::max(1.0, static_cast<double>(kernel.time));
    figures.share = time / std::max(1.0, kernel_time);
    figures.items_per_second = static_cast<double>(kernel.work_items) / time * 1e9;
    double thread_time = 0;
    const profile::UnitTimes* most = nullptr;
    for (const auto& unit : kernel.units) {
      thread_time += static_cast<double>(unit.thread_time);
      if (!most || unit.thread_time > most->thread_time)
        most = &unit;
    }
    if (most) {
      figures.unit = describe(*most);
      figures.remarks = most->remarks;
    }
    figures.busy = std::min(1.0, thread_time / (time * std::max(1u, profile.compute_units)));
    const auto bytes = kernel.bytes_read + kernel.bytes_written;
    if (kernel.estimated != 0 && kernel.estimated_time > 0) {
      figures.flops = kernel.flops / kernel.estimated_time * 1e9;
      figures.bandwidth = bytes / kernel.estimated_time * 1e9;
      if (bytes > 0)
        figures.intensity = kernel.flops / bytes;
      figures.is_guessed = kernel.guessed != 0;
      if (roofline && !figures.is_guessed && (kernel.flops > 0 || bytes > 0))
        figures.of_roof = roofline->least_time(kernel.flops, kernel.double_flops, bytes,
                                               bytes / static_cast<double>(kernel.estimated)) /
                          (kernel.estimated_time * 1e-9);
    }
    for (const auto& build : profile.builds)
      if (build.kernel == kernel.name) {
        figures.build_time = static_cast<double>(build.time);
        figures.builds = build.builds;
        figures.loads = build.loads;
      }
    figures.lines = find_source_lines(kernel);
    kernels.push_back(std::move(figures));
  }
  std::ranges::stable_sort(kernels, [](const auto& a, const auto& b) { return a.share > b.share; });
}

} // namespace heddle
