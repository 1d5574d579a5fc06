// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/options.h"
#include "runtime/device/thread_count.h"
#include "tools/heddle/commands.h"
#include "tools/heddle/doctor_sections.h"
#include "tools/heddle/installation.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace heddle::doctor {
namespace {

// For the character behind a variable's name in a line; at its end that is a zero.
bool is_part_of_name(char character) {
  return character == '_' || (character >= 'A' && character <= 'Z');
}

} // namespace

std::vector<std::string> what_reading_options_says() {
  std::vector<std::string> lines;
  std::fflush(stderr);
  const int before = dup(STDERR_FILENO);
  std::FILE* const said = std::tmpfile();
  if (before < 0 || !said || dup2(fileno(said), STDERR_FILENO) < 0) {
    options();
    return lines; // on standard error, then
  }
  options();
  thread_choice();
  std::fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(before);
  std::rewind(said);
  for (char line[1024]; std::fgets(line, sizeof line, said);)
    lines.emplace_back(line, std::strcspn(line, "\n"));
  std::fclose(said);
  return lines;
}

void report_options(Report& report, const std::vector<std::string>& said) {
  auto& section = report.add("options");
  const auto known = option_descriptions();
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view text = *entry;
    const auto sign = text.find('=');
    if (!text.starts_with("HEDDLE_") || sign == std::string_view::npos)
      continue;
    auto& fact = section.add(std::string(text.substr(0, sign)), std::string(text.substr(sign + 1)));
    if (std::none_of(known.begin(), known.end(),
                     [&](const auto& option) { return fact.name == option.name; })) {
      fact.level = Level::note;
      fact.advice = "Heddle has no such variable: `heddle env` lists those that it reads";
    }
    for (const auto& line : said)
      if (const auto at = line.find(fact.name);
          at != std::string::npos && !is_part_of_name(line[at + fact.name.size()])) {
        fact.level = Level::note;
        fact.advice = line.substr(line.starts_with("heddle: ") ? 8 : 0);
      }
  }
}

} // namespace heddle::doctor

namespace heddle::command {

int doctor(std::span<char*> words) {
  using namespace heddle::doctor;
  bool as_json = false;
  std::string library = "libOpenCL.so.1";
  while (!words.empty()) {
    const std::string_view word = words.front();
    words = words.subspan(1);
    if (word == "--json") {
      as_json = true;
    } else if (word == "--loader" && !words.empty()) {
      library = words.front();
      words = words.subspan(1);
    } else {
      std::fprintf(stderr, "heddle doctor: '%.*s' is not known: --json, --loader LIBRARY\n",
                   static_cast<int>(word.size()), word.data());
      return 2;
    }
  }
  Report report;
  const auto said = what_reading_options_says(); // reads them for the first time
  const auto loader = ask_loader(library);
  report_driver(report);
  report_loader(report, loader);
  report_platforms(report, loader);
  report_surroundings(report);
  report_processor(report);
  report_threads(report);
  report_cache(report);
  report_memory(report);
  report_options(report, said);
  if (as_json)
    report.print_json(stdout);
  else
    report.print_text(stdout);
  return report.count(Level::problem) == 0 ? 0 : 1;
}

int icd(std::span<char*> words) {
  if (!words.empty()) {
    std::fprintf(stderr, "heddle icd: '%s' is an unexpected argument\n", words.front());
    return 2;
  }
  const auto& driver = installation().driver;
  if (driver.empty()) {
    std::fprintf(stderr, "heddle icd: no driver belongs to %s\n", installation().command.c_str());
    return 1;
  }
  std::printf("%s\n", driver.c_str());
  return 0;
}

} // namespace heddle::command
