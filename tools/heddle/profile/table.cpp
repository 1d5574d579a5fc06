// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/heddle/profile/show.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <optional>

namespace heddle {
namespace {

constexpr std::size_t kMaxRows = 40;

std::string text_of(const std::optional<double>& value, double unit, bool is_guessed = false) {
  return value ? (is_guessed ? "~" : "") + number_text(*value / unit) : "-";
}

void append_counters(std::string& text, const Summary& summary,
                     const profile::KernelTimes& kernel) {
  double cycles = 0, instructions = 0;
  std::string line;
  for (std::size_t i = 0; i < kernel.counters.size(); ++i) {
    const auto& name = summary.profile.counters[i];
    const auto count = static_cast<double>(kernel.counters[i]);
    if (name == "cycles")
      cycles = count;
    if (name == "instructions")
      instructions = count;
    line += (line.empty() ? "" : ", ") + name + " " + number_text(count);
  }
  if (cycles > 0 && instructions > 0)
    line += ", " + number_text(instructions / cycles) + " instructions a cycle";
  if (!line.empty())
    append(text, "    %s\n", line.c_str());
}

void append_row(std::string& text, const Summary& summary, const KernelFigures& kernel) {
  const auto& sums = *kernel.sums;
  const auto name = sums.name.size() > 28 ? sums.name.substr(0, 25) + "..." : sums.name;
  append(text, "%-28s %-9s %8llu %9s %5.1f%% %9s %9s %7s %8s %6s %5.0f%% %8s %8s  %s\n",
         name.c_str(), kernel.groups.c_str(), static_cast<unsigned long long>(sums.launches),
         number_text(static_cast<double>(sums.time) * 1e-6).c_str(), 100 * kernel.share,
         number_text(static_cast<double>(sums.median) * 1e-3).c_str(),
         number_text(kernel.items_per_second * 1e-6).c_str(),
         text_of(kernel.bandwidth, 1e9).c_str(),
         text_of(kernel.flops, 1e9, kernel.is_guessed).c_str(),
         kernel.of_roof ? (number_text(100 * *kernel.of_roof) + "%").c_str() : "-",
         100 * kernel.busy, number_text(static_cast<double>(sums.waited) * 1e-6).c_str(),
         number_text(kernel.build_time * 1e-6).c_str(), kernel.unit.c_str());
  if (sums.failed != 0)
    append(text, "    %llu launches failed\n", static_cast<unsigned long long>(sums.failed));
  append_counters(text, summary, sums);
}

} // namespace

void append(std::string& text, const char* format, ...) {
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  text += line;
}

std::string number_text(double value) {
  char text[32];
  const auto size = std::abs(value);
  if (size >= 1e6)
    std::snprintf(text, sizeof text, "%.3g", value);
  else
    std::snprintf(text, sizeof text, "%.*f", size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2, value);
  return text;
}

std::string as_table(const Summary& summary) {
  std::string text;
  const auto& profile = summary.profile;
  append(text, "%.2f s in %u %s; %s s in kernels, on %u compute units\n", profile.seconds,
         summary.processes, summary.processes == 1 ? "process" : "processes",
         number_text(summary.kernel_time * 1e-9).c_str(), profile.compute_units);
  if (const auto& roofline = summary.roofline)
    append(text, "%s: %s GFLOP/s of floats, %s of doubles, %s GB/s, %s in the cache\n",
           roofline->cpu.c_str(), number_text(roofline->float_flops * 1e-9).c_str(),
           number_text(roofline->double_flops * 1e-9).c_str(),
           number_text(roofline->bandwidth * 1e-9).c_str(),
           number_text(roofline->cache_bandwidth * 1e-9).c_str());
  append(text, "%-28s %-9s %8s %9s %6s %9s %9s %7s %8s %6s %6s %8s %8s  %s\n", "kernel", "group",
         "launches", "ms", "", "median us", "M items/s", "GB/s", "GFLOP/s", "roof", "busy",
         "wait ms", "build ms", "code");
  const auto shown = std::min(kMaxRows, summary.kernels.size());
  for (std::size_t i = 0; i < shown; ++i)
    append_row(text, summary, summary.kernels[i]);
  if (shown < summary.kernels.size())
    append(text, "and %zu more\n", summary.kernels.size() - shown);
  for (const auto& build : profile.builds)
    if (build.kernel.empty())
      append(text, "%llu programs built and %llu loaded from the cache in %s ms\n",
             static_cast<unsigned long long>(build.builds),
             static_cast<unsigned long long>(build.loads),
             number_text(static_cast<double>(build.time) * 1e-6).c_str());
  return text;
}

} // namespace heddle
