// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/heddle/doctor_report.h"

#include "tools/heddle/json_string.h"

#include <algorithm>
#include <iterator>

namespace heddle::doctor {
namespace {

std::string plain(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value))
    return *text;
  if (const auto* number = std::get_if<std::uint64_t>(&value))
    return std::to_string(*number);
  if (const auto* flag = std::get_if<bool>(&value))
    return *flag ? "yes" : "no";
  std::string words;
  for (const auto& word : std::get<std::vector<std::string>>(value))
    words += (words.empty() ? "" : " ") + word;
  return words;
}

const char* name_of(Level level) {
  return level == Level::fine ? "fine" : level == Level::note ? "note" : "problem";
}

std::string json(const Value& value) {
  if (std::holds_alternative<std::string>(value))
    return json_string(std::get<std::string>(value));
  if (const auto* flag = std::get_if<bool>(&value))
    return *flag ? "true" : "false";
  if (std::holds_alternative<std::uint64_t>(value))
    return plain(value);
  std::string list = "[";
  for (const auto& word : std::get<std::vector<std::string>>(value))
    list += (list.size() > 1 ? ", " : "") + json_string(word);
  return list + "]";
}

std::string counted(unsigned number, const char* what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

// Lines behind the first are as far to the right as the first.
std::string indented(const std::string& text, std::size_t columns) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '\n')
      out.append(columns, ' ');
  }
  return out;
}

} // namespace

Fact& Section::add(std::string name, Value value, std::string text) {
  return facts_.emplace_back(
      Fact{std::move(name), std::move(value), std::move(text), Level::fine, {}});
}

unsigned Report::count(Level level) const {
  unsigned number = 0;
  for (const auto& section : sections_)
    for (const auto& fact : section.facts())
      number += fact.level == level;
  return number;
}

void Report::print_text(std::FILE* out) const {
  constexpr std::size_t kNameColumns = 16;
  for (const auto& section : sections_) {
    if (section.facts().empty())
      continue;
    std::fprintf(out, "%s\n", section.name().c_str());
    for (const auto& fact : section.facts()) {
      const char mark = fact.level == Level::fine ? ' ' : fact.level == Level::note ? '?' : '!';
      const auto text = fact.text.empty() ? plain(fact.value) : fact.text;
      // A long name has a line of its own.
      const bool is_long = fact.name.size() > kNameColumns;
      std::fprintf(out, "%c %-*s%s%s\n", mark, static_cast<int>(kNameColumns), fact.name.c_str(),
                   is_long ? ("\n" + std::string(kNameColumns + 3, ' ')).c_str() : " ",
                   indented(text, kNameColumns + 3).c_str());
      if (!fact.advice.empty())
        std::fprintf(out, "%*s-> %s\n", static_cast<int>(kNameColumns + 3), "",
                     indented(fact.advice, kNameColumns + 6).c_str());
    }
  }
  const auto problems = count(Level::problem), notes = count(Level::note);
  std::fprintf(out, "\nHeddle %s: %s (!), %s (?)\n", HEDDLE_VERSION,
               counted(problems, "problem").c_str(), counted(notes, "note").c_str());
}

void Report::print_json(std::FILE* out) const {
  std::fprintf(out,
               "{\n  \"heddle\": %s,\n  \"problems\": %u,\n  \"notes\": %u,\n  \"sections\": {",
               json_string(HEDDLE_VERSION).c_str(), count(Level::problem), count(Level::note));
  const char* between_sections = "\n";
  for (const auto& section : sections_) {
    std::fprintf(out, "%s    %s: [", between_sections, json_string(section.name()).c_str());
    between_sections = ",\n";
    const char* between_facts = "\n";
    for (const auto& fact : section.facts()) {
      std::fprintf(out, "%s      {\"name\": %s, \"value\": %s, \"level\": \"%s\"", between_facts,
                   json_string(fact.name).c_str(), json(fact.value).c_str(), name_of(fact.level));
      between_facts = ",\n";
      if (!fact.text.empty())
        std::fprintf(out, ", \"text\": %s", json_string(fact.text).c_str());
      if (!fact.advice.empty())
        std::fprintf(out, ", \"advice\": %s", json_string(fact.advice).c_str());
      std::fprintf(out, "}");
    }
    std::fprintf(out, "%s]", section.facts().empty() ? "" : "\n    ");
  }
  std::fprintf(out, "\n  }\n}\n");
}

std::string size_text(std::uint64_t bytes) {
  static constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < std::size(kUnits); ++unit)
    amount /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 || amount >= 100 ? "%.0f %s" : "%.1f %s", amount,
                kUnits[unit]);
  return text;
}

} // namespace heddle::doctor
