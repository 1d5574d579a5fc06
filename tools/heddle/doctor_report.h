// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `heddle doctor` found: facts in sections, printed as text for people or as JSON for
// programs.
#pragma once

#include <cstdint>
#include <cstdio>
#include <deque>
#include <string>
#include <variant>
#include <vector>

namespace heddle::doctor {

// note: works, but perhaps not as the user thinks; problem: something does not work.
enum class Level { fine, note, problem };

using Value = std::variant<std::string, std::uint64_t, bool, std::vector<std::string>>;

struct Fact {
  std::string name; // unique in its section
  Value value;
  std::string text; // the value as people read it; empty: as it is
  Level level = Level::fine;
  std::string advice; // what to do about it; never empty where the level is not fine
};

class Section {
 public:
  explicit Section(std::string name) : name_(std::move(name)) {}
  const std::string& name() const { return name_; }
  const std::deque<Fact>& facts() const { return facts_; }
  // The references stay valid.
  Fact& add(std::string name, Value value, std::string text = {});

 private:
  std::string name_;
  std::deque<Fact> facts_;
};

class Report {
 public:
  // The reference stays valid.
  Section& add(std::string name) { return sections_.emplace_back(std::move(name)); }
  unsigned count(Level level) const;
  void print_text(std::FILE* out) const;
  // One object: {"heddle": version, "problems": N, "notes": N, "sections": {NAME: [FACT, ...]}},
  // a fact being {"name", "value", "level"} and, where there are any, "text" and "advice".
  void print_json(std::FILE* out) const;

 private:
  std::deque<Section> sections_;
};

// "3.5 GiB", for people.
std::string size_text(std::uint64_t bytes);

} // namespace heddle::doctor
