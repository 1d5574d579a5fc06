// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/target_cpu.h"

#include "compiler/interface/cpu_costs.h"
#include "runtime/core/options.h"
#include "runtime/program/cache.h"
#include "runtime/program/digest.h"
#include "runtime/program/files.h"

#include <ctime>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle {
namespace {

constexpr const char* kNative = "native";
constexpr std::time_t kMinutesOfUse = 10, kDaysOfCosts = 30;

// Of this CPU, for this version of the compiler.
std::string identity() {
  const auto cpu = cpu_digest();
  const auto producer = producer_digest();
  return to_hex(
      Digest().add(std::as_bytes(std::span(cpu))).add(std::as_bytes(std::span(producer))).value());
}

// One for each CPU, as different ones may share the folder.
std::string costs_file() {
  const auto folder = Cache::default_folder();
  return folder.empty() ? folder : folder + "/cpu-costs-" + identity();
}

std::time_t seconds_since_change(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? std::time(nullptr) - status.st_mtime : -1;
}

// What the file says of this CPU; nothing if it says nothing.
std::optional<std::string> read_costs() {
  const auto path = costs_file();
  const auto bytes = path.empty() ? std::nullopt : files::read_own(path);
  if (!bytes)
    return std::nullopt;
  std::string costs(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  if (!costs.ends_with("\n")) // it may have been cut off
    return std::nullopt;
  costs.pop_back();
  const auto native = kNative + costs;
  const auto cpu = parse_cpu(native);
  return cpu && cpu->name == kNative ? std::optional(costs) : std::nullopt;
}

} // namespace

const std::string& target_cpu() {
  static const std::string cpu =
      options().CPU == kNative ? options().CPU + measured_costs::find() : options().CPU;
  return cpu;
}

namespace measured_costs {

bool are_due() {
  constexpr std::time_t kMinute = 60, kDay = 24 * 60 * kMinute;
  const auto folder = Cache::default_folder();
  if (options().CPU != kNative || folder.empty() || access(folder.c_str(), W_OK) != 0 ||
      seconds_since_change(Cache::helpers_lock(folder)) < kMinutesOfUse * kMinute)
    return false;
  return !read_costs() || seconds_since_change(costs_file()) > kDaysOfCosts * kDay;
}

std::string find() { return read_costs().value_or(""); }

bool keep(std::string_view costs) {
  const auto path = costs_file();
  const auto line = std::string(costs) + "\n";
  return !path.empty() && files::replace(path, std::as_bytes(std::span(line)));
}

} // namespace measured_costs
} // namespace heddle
