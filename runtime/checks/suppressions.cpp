// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/checks/suppressions.h"

#include <algorithm>
#include <fnmatch.h>

namespace heddle::checks {
namespace {

constexpr Check kChecks[] = {Check::division, Check::memory, Check::race, Check::divergence,
                             Check::uninitialized};
constexpr std::string_view kBlanks = " \t\r";

unsigned bit_of(Check check) { return 1U << static_cast<unsigned>(check); }

// Takes the first word out of the text; empty at its end.
std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const auto word = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(word.size());
  return word;
}

bool matches(const std::string& pattern, const std::string& text) {
  return pattern.empty() || fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

bool matches_file(const std::string& pattern, const std::string& file) {
  if (pattern.find('/') == std::string::npos)
    return matches(pattern, file.substr(file.rfind('/') + 1));
  // Also below any folder.
  return matches(pattern, file) || matches("*/" + pattern, file);
}

} // namespace

std::string Suppressions::parse_line(std::string_view text, Rule& rule) {
  auto names = take_word(text);
  while (!names.empty()) {
    const auto name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    const auto* known = std::ranges::find_if(
        kChecks, [&](Check check) { return name == "*" || name == name_of(check); });
    if (known == std::end(kChecks))
      return "'" + std::string(name) +
             "' is not a check; the checks are division, memory, race, divergence and "
             "uninitialized, and * is all of them";
    rule.checks |= name == "*" ? ~0U : bit_of(*known);
  }
  bool is_limited = false;
  for (auto word = take_word(text); !word.empty(); word = take_word(text)) {
    const auto kind = word.substr(0, word.find('='));
    const std::string pattern(word.substr(std::min(kind.size() + 1, word.size())));
    if (kind == "kernel")
      rule.kernel = pattern;
    else if (kind == "function")
      rule.function = pattern;
    else if (kind == "line") {
      const auto colon = pattern.rfind(':');
      rule.file = pattern.substr(0, colon);
      rule.line = colon == std::string::npos ? "" : pattern.substr(colon + 1);
    } else
      return "'" + std::string(word) + "' is not kernel=NAME, function=NAME or line=FILE:LINE";
    if (pattern.empty())
      return "'" + std::string(kind) + "' has no pattern";
    is_limited = true;
  }
  return is_limited ? "" : "kernel=NAME, function=NAME or line=FILE:LINE is missing";
}

Suppressions Suppressions::parse(std::string_view text, const std::string& file,
                                 std::vector<std::string>& errors) {
  Suppressions made;
  for (unsigned number = 1; !text.empty(); ++number) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const auto begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos || line[begin] == '#')
      continue;
    Rule rule;
    if (const auto error = parse_line(line, rule); error.empty())
      made.rules_.push_back(std::move(rule));
    else
      errors.push_back(file + ":" + std::to_string(number) + ": " + error);
  }
  return made;
}

bool Suppressions::covers(const Rule& rule, const Finding& finding) {
  if ((rule.checks & bit_of(finding.check)) == 0 || !matches(rule.kernel, finding.kernel))
    return false;
  return (rule.function.empty() && rule.file.empty()) ||
         std::ranges::any_of(finding.places, [&](const Place& place) {
           return matches(rule.function, place.function) &&
                  (rule.file.empty() || (matches_file(rule.file, place.file) &&
                                         matches(rule.line, std::to_string(place.line))));
         });
}

bool Suppressions::cover(const Finding& finding) const {
  return std::ranges::any_of(rules_, [&](const Rule& rule) { return covers(rule, finding); });
}

} // namespace heddle::checks
