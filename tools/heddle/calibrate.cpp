// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures which instructions are slow on this CPU: by kernels whose time is that of one kind of
// instruction, built as for a CPU on which these are slow, and as for one on which they are fast.
#include "compiler/interface/cpu_costs.h"
#include "runtime/program/target_cpu.h"
#include "tools/heddle/commands.h"
#include "tools/heddle/doctor_child.h"
#include "tools/heddle/measurement.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace heddle::command {
namespace {

// A kernel for each of kCostNames, by its name. What they access stays in the first-level cache.
// Only the launch tells the places of `gathers` and `updates`; `scatters` is for strides.
constexpr const char* kSource = R"(
#define NEXT(at) at = at * 5 + 1
kernel void gathers(global uint* restrict out, global const uint* restrict table, uint scale, uint n) {
  uint i = get_global_id(0), at = i * scale, sum = 0;
  for (uint k = 0; k < n; ++k) { sum += table[at & 1023]; NEXT(at); }
  out[i] = sum;
}
kernel void scatters(global uint* restrict out, global uint* restrict table, uint scale, uint n) {
  uint i = get_global_id(0);
  for (uint k = 0; k < n; ++k) table[i * 9 + (k & 7)] = k * scale;
  out[i] = i;
}
kernel void updates(global uint* restrict out, global uint* restrict table, uint scale, uint n) {
  local uint bins[256];
  uint i = get_global_id(0), at = i * scale;
  for (uint k = get_local_id(0); k < 256; k += get_local_size(0)) bins[k] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 0; k < n; ++k) { atomic_inc(&bins[at >> 24]); NEXT(at); }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = bins[get_local_id(0)];
})";
constexpr std::size_t kItems = 512, kTable = 9 * kItems;
constexpr cl_uint kScale = 2654435761, kSteps = 512;
// What else runs on the machine disturbs some launches, and whole processes.
constexpr int kLaunches = 25, kRounds = 3;
// What the compiler expects of a CPU of this name holds unless something else is faster by that.
constexpr double kGain = 1.15;

using Times = std::array<double, kCostNames.size()>; // in seconds; 0: not known

void measure(const std::string& cpu, const std::function<void(const std::string&)>& say) {
  setenv("HEDDLE_CPU", cpu.c_str(), 1);
  setenv("HEDDLE_NUM_THREADS", "1", 1);
  setenv("HEDDLE_CACHE", "0", 1);
  const Measurement on(kSource);
  auto* out = on.buffer(kItems * sizeof(cl_uint));
  auto* table = on.buffer_of(kTable, cl_uint{1});
  for (const auto& cost : kCostNames) {
    const std::string name(cost.name);
    auto* kernel = on.make_kernel(name.c_str());
    on.set(kernel, 0, out);
    on.set(kernel, 1, table);
    on.set(kernel, 2, kScale);
    on.set(kernel, 3, kSteps);
    say(doctor::row({name, std::to_string(on.best_time(kernel, kItems, kLaunches) * 1e9)}));
  }
}

// Keeps the shorter times. False: the child has failed.
bool add_times(const std::string& cpu, Times& best) {
  const auto answer = doctor::ask_child([&](const auto& say) {
    try {
      measure(cpu, say);
    } catch (const DriverFailure& failure) {
      throw std::runtime_error(failure.what);
    }
  });
  if (!answer.failure.empty() || answer.rows.size() != best.size()) {
    std::fprintf(stderr, "heddle calibrate: the kernels for %s: %s\n", cpu.c_str(),
                 answer.failure.empty() ? "no times" : answer.failure.c_str());
    return false;
  }
  for (std::size_t i = 0; i < best.size(); ++i) {
    const auto seconds = std::atof(answer.rows[i][1].c_str()) * 1e-9;
    best[i] = best[i] == 0 ? seconds : std::min(best[i], seconds);
  }
  return true;
}

std::string with_all(std::string_view prefix) {
  std::string cpu = "native";
  for (const auto& cost : kCostNames)
    cpu.append(",").append(prefix).append(cost.name);
  return cpu;
}

// What of all differs from what the compiler expects, behind commas, or nothing if it cannot be
// measured. Prints the times.
std::optional<std::string> find_costs() {
  Times expected{}, slow{}, fast{};
  for (int round = 0; round < kRounds; ++round)
    if (!add_times("native", expected) || !add_times(with_all("slow-"), slow) ||
        !add_times(with_all("fast-"), fast))
      return std::nullopt;
  std::string costs;
  constexpr double kElements = static_cast<double>(kItems) * kSteps * 1e-9;
  std::printf("nanoseconds for each work-item, with code for CPUs on which they are slow and fast\n"
              "%-10s %8s %8s %8s\n",
              "", "expected", "slow", "fast");
  for (std::size_t i = 0; i < kCostNames.size(); ++i) {
    const auto name = std::string(kCostNames[i].name);
    const auto* found = "as expected";
    if (const auto best = std::min(slow[i], fast[i]); best * kGain < expected[i]) {
      const bool is_slow = slow[i] < fast[i];
      costs += (is_slow ? ",slow-" : ",fast-") + name;
      found = is_slow ? "slow" : "fast";
    }
    std::printf("%-10s %8.2f %8.2f %8.2f  %s\n", name.c_str(), expected[i] / kElements,
                slow[i] / kElements, fast[i] / kElements, found);
  }
  return costs;
}

} // namespace

int calibrate(std::span<char*> words) {
  const bool if_due = words.size() == 1 && std::string_view(words[0]) == "--if-due";
  if (!words.empty() && !if_due) {
    std::fprintf(stderr, "heddle calibrate: '%s' is an unexpected argument\n", words[0]);
    return 2;
  }
  if (if_due && !measured_costs::are_due())
    return 0;
  const auto costs = find_costs();
  if (!costs)
    return 1;
  if (measured_costs::keep(*costs))
    return 0;
  std::fputs("heddle calibrate: there is no cache folder to keep this in\n", stderr);
  return 1;
}

} // namespace heddle::command
