// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/options.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace heddle {
namespace {

bool parse(std::string_view text, unsigned& value) {
  unsigned parsed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error != std::errc() || end != text.data() + text.size())
    return false;
  value = parsed;
  return true;
}

bool parse(std::string_view text, bool& value) {
  for (const std::string_view yes : {"1", "on", "yes", "true"})
    if (text == yes)
      return value = true, true;
  for (const std::string_view no : {"0", "off", "no", "false"})
    if (text == no)
      return value = false, true;
  return false;
}

bool parse(std::string_view text, std::string& value) {
  value = text;
  return true;
}

constexpr struct {
  std::string_view name;
  bool Checks::*member;
} kChecks[] = {{"division", &Checks::division},
               {"memory", &Checks::memory},
               {"race", &Checks::race},
               {"divergence", &Checks::divergence},
               {"uninitialized", &Checks::uninitialized},
               {"buffers", &Checks::buffers}};

// Known names take effect even if the list also has unknown ones.
bool parse(std::string_view text, Checks& value) {
  while (!text.empty()) {
    const auto name = text.substr(0, text.find(','));
    text.remove_prefix(std::min(name.size() + 1, text.size()));
    const auto* known = std::find_if(std::begin(kChecks), std::end(kChecks),
                                     [&](const auto& check) { return check.name == name; });
    if (known != std::end(kChecks))
      value.*known->member = true;
    else if (!name.empty())
      std::fprintf(
          stderr,
          "heddle: HEDDLE_CHECK names '%.*s', which is not a check; the checks are division, "
          "memory, race, divergence, uninitialized and buffers\n",
          static_cast<int>(name.size()), name.data());
  }
  value.uninitialized |= value.buffers;
  return true;
}

const char* wanted(unsigned) { return "an unsigned integer"; }
const char* wanted(bool) { return "0 or 1"; }
const char* wanted(const std::string&) { return "text"; }
const char* wanted(const Checks&) { return "a list of checks"; }

template <class T>
void read(const char* name, T& value) {
  const char* text = std::getenv(name);
  if (!text || !*text)
    return;
  if (!parse(text, value))
    std::fprintf(stderr, "heddle: invalid value %s=%s: expected %s; using the default\n", name,
                 text, wanted(value));
}

std::string text_of(unsigned value) { return std::to_string(value); }
std::string text_of(bool value) { return value ? "1" : "0"; }
std::string text_of(std::string value) { return value; }
std::string text_of(const Checks& value) { return names_of(value); }

} // namespace

std::string names_of(const Checks& checks) {
  std::string names;
  for (const auto& check : kChecks)
    if (checks.*check.member)
      names.append(names.empty() ? "" : ",").append(check.name);
  return names;
}

const Options& options() {
  static const Options& instance = *[] {
    auto* read_options = new Options;
#define HEDDLE_OPTION(name, type, value, sentence) read("HEDDLE_" #name, read_options->name);
#include "runtime/core/options.def"
#undef HEDDLE_OPTION
    return read_options;
  }();
  return instance;
}

std::span<const OptionDescription> option_descriptions() {
  static const auto& list = *new std::vector<OptionDescription>{
#define HEDDLE_OPTION(name, type, value, sentence)                                                 \
  {"HEDDLE_" #name, #type, text_of(Options::type(value)), sentence},
#include "runtime/core/options.def"
#undef HEDDLE_OPTION
  };
  return list;
}

} // namespace heddle
