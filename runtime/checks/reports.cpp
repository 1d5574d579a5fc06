// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/checks/reports.h"

#include "runtime/checks/report_log.h"
#include "runtime/checks/suppressions.h"
#include "runtime/core/file_name.h"
#include "runtime/core/lock.h"
#include "runtime/core/options.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace heddle::checks {
namespace {

struct State {
  Suppressions suppressions; // does not change after start()
  SleepingMutex mutex;       // of all below
  ReportLog log HEDDLE_GUARDED_BY(mutex);
  std::set<std::string> told HEDDLE_GUARDED_BY(mutex);
  bool has_reached_limit HEDDLE_GUARDED_BY(mutex) = false;
};

State& state() {
  static auto& instance = *new State;
  return instance;
}

void print_errno(const char* what, const std::string& file) {
  std::fprintf(stderr, "heddle: %s '%s': %s\n", what, file.c_str(), std::strerror(errno));
}

void read_suppressions(const std::string& file) {
  constexpr auto* kProblem = "HEDDLE_CHECK_SUPPRESSIONS cannot be read,";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "re"),
                                                               std::fclose);
  if (!stream)
    return print_errno(kProblem, file);
  std::string text;
  char part[4096];
  for (std::size_t bytes; (bytes = std::fread(part, 1, sizeof part, stream.get())) != 0;)
    text.append(part, bytes);
  if (std::ferror(stream.get()) != 0)
    return print_errno(kProblem, file);
  std::vector<std::string> errors;
  state().suppressions = Suppressions::parse(text, file, errors);
  for (const auto& error : errors)
    std::fprintf(stderr, "heddle: HEDDLE_CHECK_SUPPRESSIONS: %s\n", error.c_str());
}

// Equal for findings of the same check at the same lines; without lines, of the same text.
std::string key_of(const Finding& finding, std::string_view message) {
  std::set<std::string> lines;
  for (const auto& place : finding.places)
    if (place.line != 0)
      lines.insert(place.file + ":" + std::to_string(place.line));
  std::string key = name_of(finding.check);
  for (const auto& line : lines)
    key += " " + line;
  return lines.empty() ? key.append(" ").append(message) : key;
}

} // namespace

void start() noexcept try {
  if (options().CHECK == Checks{})
    return;
  if (const auto& file = options().CHECK_SUPPRESSIONS; !file.empty())
    read_suppressions(file);
  if (const auto& file = options().CHECK_LOG; !file.empty()) {
    const auto name = with_process_number(file);
    const Lock lock(state().mutex);
    if (!state().log.open(name))
      print_errno("HEDDLE_CHECK_LOG cannot be written,", name);
  }
} catch (const std::exception&) {
  std::fputs("heddle: there is no memory for the files of HEDDLE_CHECK\n", stderr);
}

bool is_suppressed(const Finding& finding) {
  for (const auto& place : finding.places) {
    const auto names = "," + place.unchecked + ",";
    if (names.find("," + std::string(name_of(finding.check)) + ",") != std::string::npos)
      return true;
  }
  return state().suppressions.cover(finding);
}

void report(const Finding& finding, std::string_view message) noexcept try {
  auto& all = state();
  const Lock lock(all.mutex);
  const auto limit = options().CHECK_LIMIT;
  if (all.has_reached_limit || !all.told.insert(key_of(finding, message)).second)
    return;
  all.has_reached_limit = limit != 0 && all.told.size() >= limit;
  std::fprintf(stderr, "%.*s\n", static_cast<int>(message.size()), message.data());
  if (all.has_reached_limit)
    std::fprintf(stderr,
                 "heddle: these were HEDDLE_CHECK_LIMIT=%u reports; others are not printed\n",
                 limit);
  constexpr std::string_view kPrefix = "heddle: ";
  if (!all.log.add(finding, message.substr(message.starts_with(kPrefix) ? kPrefix.size() : 0)))
    print_errno("HEDDLE_CHECK_LOG cannot be written,", with_process_number(options().CHECK_LOG));
} catch (const std::exception&) {
  std::fputs("heddle: a check has found something, and there is no memory to say what\n", stderr);
}

} // namespace heddle::checks
