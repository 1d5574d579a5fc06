// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/options.h"
#include "tools/heddle/commands.h"

#include <cstdio>
#include <string_view>

namespace heddle::command {
namespace {

void print(const char* name, const std::string& value, bool is_default, const char* sentence) {
  std::printf("HEDDLE_%s=%s%s\n    %s\n", name, value.c_str(), is_default ? "  (default)" : "",
              sentence);
}

std::string text_of(unsigned value) { return std::to_string(value); }
std::string text_of(bool value) { return value ? "1" : "0"; }
std::string text_of(const Checks& value) { return names_of(value); }
const std::string& text_of(const std::string& value) { return value; }

// A row of docs/environment.md. The default of VERIFY_EACH depends on the kind of build.
void print_row(const OptionDescription& option) {
  std::string value =
      option.type == std::string_view("Text") ? '"' + option.value + '"' : option.value;
  if (option.name == std::string_view("HEDDLE_VERIFY_EACH"))
    value = "0; 1 in debug and sanitizer builds";
  if (value.empty())
    value = "none";
  std::printf("| `%s` | %s | %s | %s |\n", option.name, option.type, value.c_str(),
              option.sentence);
}

} // namespace

// The printed values are those in effect; an invalid value is reported on standard error and
// replaced by the default.
int environment(std::span<char*> words) {
  if (words.size() == 1 && words.front() == std::string_view("--markdown")) {
    for (const auto& option : option_descriptions())
      print_row(option);
    return 0;
  }
  if (!words.empty()) {
    std::fprintf(stderr, "heddle env: '%s' is an unexpected argument\n", words.front());
    return 2;
  }
  const Options defaults;
#define HEDDLE_OPTION(name, type, value, sentence)                                                 \
  print(#name, text_of(options().name), options().name == defaults.name, sentence);
#include "runtime/core/options.def"
#undef HEDDLE_OPTION
  return 0;
}

} // namespace heddle::command
