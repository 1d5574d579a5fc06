#include "runtime/program/build_options.h"

#include <algorithm>
#include <array>

namespace heddle {
namespace {

using Names = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view word, Names names) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

// What the compile phase takes as it stands (OpenCL API 5.8.6.1 to 5.8.6.6).
bool is_compile_option(std::string_view word) {
  return is_one_of(word, {"-cl-single-precision-constant", "-cl-denorms-are-zero",
                          "-cl-fp32-correctly-rounded-divide-sqrt", "-cl-opt-disable",
                          "-cl-strict-aliasing", "-cl-uniform-work-group-size",
                          "-cl-no-subgroup-ifp", "-cl-mad-enable", "-cl-no-signed-zeros",
                          "-cl-unsafe-math-optimizations", "-cl-finite-math-only",
                          "-cl-fast-relaxed-math", "-cl-kernel-arg-info", "-w", "-Werror", "-g"});
}

// What the link phase takes (OpenCL API 5.8.7); it may repeat the math options with
// -enable-link-options.
bool is_link_option(std::string_view word) {
  return is_one_of(word, {"-create-library", "-enable-link-options", "-cl-denorms-are-zero",
                          "-cl-no-signed-zeros", "-cl-unsafe-math-optimizations",
                          "-cl-finite-math-only", "-cl-fast-relaxed-math", "-cl-no-subgroup-ifp",
                          "-cl-mad-enable", "-cl-opt-disable", "-g"});
}

bool is_standard(std::string_view value) {
  return is_one_of(value, {"CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0"});
}

// Words, or nothing if a quotation is left open.
bool split(std::string_view text, std::vector<std::string>& words) {
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0')) {
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

} // namespace

BuildOptions parse_build_options(std::string_view text, BuildPhase phase) {
  BuildOptions options;
  std::vector<std::string> given;
  if (!split(text, given)) {
    options.error = "the options have a quotation mark that is not closed";
    return options;
  }
  const bool compiles = phase != BuildPhase::link;

  std::string standard = "CL1.2";
  bool uniform = false;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string& word = given[i];
    const auto value_of = [&](std::string_view name) -> std::string {
      if (word.size() > name.size())
        return word.substr(name.size());
      if (i + 1 < given.size())
        return given[++i];
      options.error = "option '" + word + "' lacks its value";
      return {};
    };
    if (compiles && (word.starts_with("-D") || word.starts_with("-I") || word.starts_with("-U"))) {
      const std::string name = word.substr(0, 2);
      options.words.push_back(name + value_of(name));
    } else if (compiles && word.starts_with("-cl-std=")) {
      standard = word.substr(8);
      if (!is_standard(standard))
        options.error =
            "option '" + word +
            "' names no OpenCL C version of this device: CL1.0, CL1.1, CL1.2, CL2.0 or CL3.0";
      options.words.push_back(word);
    } else if (compiles && is_compile_option(word)) {
      uniform |= word == "-cl-uniform-work-group-size";
      options.words.push_back(word);
    } else if (phase == BuildPhase::link && is_link_option(word)) {
      options.create_library |= word == "-create-library";
      options.words.push_back(word);
    } else {
      options.error = "option '" + word + "' is not one of OpenCL's";
    }
    if (!options.error.empty())
      return options;
  }
  if (phase == BuildPhase::link) {
    const auto has = [&](std::string_view name) {
      return std::find(given.begin(), given.end(), name) != given.end();
    };
    if (has("-enable-link-options") && !options.create_library)
      options.error = "option '-enable-link-options' goes only with '-create-library'";
  }
  options.allows_non_uniform_groups = standard >= "CL2.0" && !uniform;
  return options;
}

} // namespace heddle
