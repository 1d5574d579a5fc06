// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/build_options.h"

#include "compiler/interface/build_options.h"
#include "runtime/device/features.h"

#include <algorithm>
#include <iterator>

namespace heddle {
namespace {

bool is_valid_in(BuildPhase phase, OptionPhases phases) {
  return phases == OptionPhases::both ||
         (phases == OptionPhases::link) == (phase == BuildPhase::link);
}

bool is_language(std::string_view value) {
  static constexpr std::string_view kLanguages[] = {
      "CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0", "CL3.1", "CLC++", "CLC++1.0", "CLC++2021"};
  return std::find(std::begin(kLanguages), std::end(kLanguages), value) != std::end(kLanguages);
}

// The device's language versions, as "CL3.0".
std::vector<std::string> device_languages() {
  std::vector<std::string> names;
  for (const auto& language : features::languages())
    names.push_back("CL" + std::to_string(CL_VERSION_MAJOR(language.version)) + '.' +
                    std::to_string(CL_VERSION_MINOR(language.version)));
  names.insert(names.end(), {"CLC++", "CLC++1.0", "CLC++2021"});
  return names;
}

// An error message if the device does not support the language version (OpenCL API 5.8.6.5: the
// build fails), otherwise empty.
std::string reason_against(const std::string& language) {
  const auto names = device_languages();
  if (std::find(names.begin(), names.end(), language) != names.end())
    return "";
  std::string text = "option '-cl-std=" + language +
                     "': the device does not support that version of the language; it supports";
  for (const auto& name : names)
    text += (&name == &names.front() ? " " : &name == &names.back() ? " and " : ", ") + name;
  return text;
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r';
}

// False if a quotation mark is not closed.
bool split(std::string_view text, std::vector<std::string>& words) {
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && is_space(c)) {
      if (in_word)
        words.push_back(std::move(word));
      word.clear();
      in_word = false;
      continue;
    }
    in_word = true;
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (quote != 0 && c == quote) {
      quote = 0;
    } else {
      word += c;
    }
  }
  if (in_word)
    words.push_back(std::move(word));
  return quote == 0;
}

class Parser {
 public:
  Parser(std::vector<std::string> given, BuildPhase phase)
      : given_(std::move(given)), phase_(phase) {}

  BuildOptions run() {
    while (next_ < given_.size() && options_.error.empty())
      take(given_[next_++]);
    if (options_.error.empty() && enables_link_options_ && !options_.create_library)
      options_.error = "option '-enable-link-options' requires '-create-library'";
    options_.allows_non_uniform_groups = language_ >= "CL2.0" && !uniform_;
    return std::move(options_);
  }

 private:
  void take(const std::string& word) {
    if (phase_ != BuildPhase::link && (word == "-x" || word.starts_with("-spir-std="))) {
      options_.error =
          "option '" + word + "' is for SPIR binaries, which this device does not have";
      return;
    }
    if (phase_ != BuildPhase::link && word == "-O0") {
      options_.words.push_back("-cl-opt-disable");
      return;
    }
    const auto* option = find_build_option(word);
    if (option == nullptr || !is_valid_in(phase_, option->phases)) {
      refuse(word);
      return;
    }
    switch (option->effect) {
    case OptionEffect::dropped:
      return;
    case OptionEffect::language:
      take_language(word);
      break;
    case OptionEffect::create_library:
      options_.create_library = true;
      break;
    case OptionEffect::link_options:
      enables_link_options_ = true;
      break;
    default:
      break;
    }
    uniform_ |= word == "-cl-uniform-work-group-size";
    if (option->match == OptionMatch::value && word == option->spelling)
      take_with_value(word);
    else
      options_.words.push_back(word);
  }

  void take_language(const std::string& word) {
    language_ = word.substr(word.find('=') + 1);
    if (!is_language(language_))
      options_.error =
          "option '" + word +
          "' names no version of OpenCL C or C++ for OpenCL: CL1.0, CL1.1, CL1.2, CL2.0, "
          "CL3.0, CL3.1, CLC++, CLC++1.0 or CLC++2021";
    else
      options_.unsupported = reason_against(language_);
  }

  // Appends the option joined with the next word.
  void take_with_value(const std::string& word) {
    if (next_ < given_.size() && !given_[next_].empty())
      options_.words.push_back(word + given_[next_++]);
    else
      options_.error = "option '" + word + "' has no value";
  }

  void refuse(const std::string& word) {
    options_.error =
        "option '" + word + "' is unknown" + (phase_ == BuildPhase::link ? " to the linker" : "");
  }

  const std::vector<std::string> given_;
  const BuildPhase phase_;
  std::size_t next_ = 0;
  BuildOptions options_;
  std::string language_ = "CL1.2";
  bool uniform_ = false;
  bool enables_link_options_ = false;
};

} // namespace

BuildOptions parse_build_options(std::string_view text, BuildPhase phase) {
  std::vector<std::string> words;
  if (!split(text, words)) {
    BuildOptions options;
    options.error = "the options have a quotation mark that is not closed";
    return options;
  }
  return Parser(std::move(words), phase).run();
}

std::vector<std::string> options_of_units(const std::vector<std::string>& words) {
  std::vector<std::string> kept;
  for (const auto& word : words) {
    const auto* option = find_build_option(word);
    const auto effect = option ? option->effect : OptionEffect::none;
    if (effect == OptionEffect::no_optimization || effect == OptionEffect::debug_info ||
        effect == OptionEffect::uniform_groups || effect == OptionEffect::explain)
      kept.push_back(word);
  }
  return kept;
}

} // namespace heddle
