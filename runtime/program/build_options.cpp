#include "runtime/program/build_options.h"

#include "runtime/device/features.h"

#include <algorithm>
#include <initializer_list>

namespace heddle {
namespace {

using Names = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view word, Names names) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

bool starts_with_one_of(std::string_view word, Names names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return word.starts_with(name); });
}

// What the compile phase takes as it stands (OpenCL API 5.8.6).
bool is_compile_option(std::string_view word) {
  return is_one_of(word,
                   {"-cl-single-precision-constant", "-cl-denorms-are-zero",
                    "-cl-fp32-correctly-rounded-divide-sqrt", "-cl-opt-disable",
                    "-cl-strict-aliasing", "-cl-uniform-work-group-size", "-cl-no-subgroup-ifp",
                    "-cl-mad-enable", "-cl-no-signed-zeros", "-cl-unsafe-math-optimizations",
                    "-cl-finite-math-only", "-cl-fast-relaxed-math", "-cl-kernel-arg-info", "-w",
                    "-Werror", "-g", "-heddle-explain"});
}

// What the link phase takes (OpenCL API 5.8.7). Programs that pass one string to both phases bring
// the others of the optimisation options too; they act on what was compiled, so they are let pass.
bool is_link_option(std::string_view word) {
  return is_one_of(word, {"-create-library", "-enable-link-options", "-cl-denorms-are-zero",
                          "-cl-no-signed-zeros", "-cl-unsafe-math-optimizations",
                          "-cl-finite-math-only", "-cl-fast-relaxed-math", "-cl-no-subgroup-ifp",
                          "-cl-mad-enable", "-cl-opt-disable", "-g", "-heddle-explain"});
}

// Options of other vendors' compilers that change nothing a program can rely on: wishes about
// warnings, registers and temporary files. Programs pass them without asking who the vendor is.
bool is_harmless_wish(std::string_view word) {
  return is_one_of(word,
                   {"-O", "-O1", "-O2", "-O3", "-Wall", "-Wextra", "-v", "-save-temps",
                    "-fno-bin-source", "-fno-bin-llvmir", "-fno-bin-amdil", "-fno-bin-exe"}) ||
         starts_with_one_of(word, {"-Wno-", "-cl-nv-", "-cl-intel-", "-cl-amd-", "-cl-qcom-",
                                   "-cl-arm-", "-save-temps=", "-fbin-"});
}

bool is_language(std::string_view value) {
  return is_one_of(value, {"CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0"});
}

// "CL3.0" and so on.
std::vector<std::string> device_languages() {
  std::vector<std::string> names;
  for (const auto& language : features::languages())
    names.push_back("CL" + std::to_string(CL_VERSION_MAJOR(language.version)) + '.' +
                    std::to_string(CL_VERSION_MINOR(language.version)));
  return names;
}

// Empty if the device has the language (OpenCL API 5.8.6.5: such a build fails).
std::string reason_against(const std::string& language) {
  const auto names = device_languages();
  if (std::find(names.begin(), names.end(), language) != names.end())
    return "";
  std::string text = "option '-cl-std=" + language +
                     "': this device does not have all of that version of OpenCL C; it has";
  for (const auto& name : names)
    text += (&name == &names.front() ? " " : &name == &names.back() ? " and " : ", ") + name;
  return text;
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r';
}

// False if a quotation is left open.
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
      options_.error = "option '-enable-link-options' goes only with '-create-library'";
    options_.allows_non_uniform_groups = language_ >= "CL2.0" && !uniform_;
    return std::move(options_);
  }

 private:
  void take(const std::string& word) {
    if (phase_ == BuildPhase::link) {
      if (is_link_option(word)) {
        options_.create_library |= word == "-create-library";
        enables_link_options_ |= word == "-enable-link-options";
        options_.words.push_back(word);
      } else if (!is_harmless_wish(word)) {
        refuse(word);
      }
    } else if (word.starts_with("-D") || word.starts_with("-I") || word.starts_with("-U")) {
      take_with_value(word);
    } else if (word.starts_with("-cl-std=")) {
      language_ = word.substr(8);
      if (!is_language(language_))
        options_.error = "option '" + word +
                         "' names no version of OpenCL C: CL1.0, CL1.1, CL1.2, CL2.0 or CL3.0";
      else
        options_.unsupported = reason_against(language_);
      options_.words.push_back(word);
    } else if (word == "-O0") {
      options_.words.push_back("-cl-opt-disable");
    } else if (is_compile_option(word)) {
      uniform_ |= word == "-cl-uniform-work-group-size";
      options_.words.push_back(word);
    } else if (word == "-x" || word.starts_with("-spir-std=")) {
      options_.error =
          "option '" + word + "' is for SPIR binaries, which this device does not have";
    } else if (!is_harmless_wish(word)) {
      refuse(word);
    }
  }

  void take_with_value(const std::string& word) {
    if (word.size() > 2) {
      options_.words.push_back(word);
    } else if (next_ < given_.size() && !given_[next_].empty()) {
      options_.words.push_back(word + given_[next_++]);
    } else {
      options_.error = "option '" + word + "' lacks its value";
    }
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

} // namespace heddle
