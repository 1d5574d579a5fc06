// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/interface/metadata.h"
#include "compiler/interface/specialization.h"
#include "runtime/core/options.h"
#include "runtime/device/limits.h"
#include "runtime/program/build_options.h"
#include "runtime/program/compiler_host.h"
#include "runtime/program/files.h"
#include "tools/heddle/commands.h"
#include "tools/heddle/installation.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace heddle::command {
namespace {

// Locates the compiler library: in the build directory, or where it is installed.
void find_compiler() {
  if (const auto& path = installation().compiler; !path.empty())
    setenv("HEDDLE_COMPILER", path.c_str(), 1);
}

// Quotes a word of an option string (build_options.h).
std::string quoted(std::string_view word) {
  std::string text = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\')
      text += '\\';
    text += c;
  }
  return text + "\" ";
}

// "64x4"; false if the device has no groups of that size.
bool parse_local_size(std::string_view text, std::array<std::uint64_t, 3>& size) {
  size = {1, 1, 1};
  std::uint64_t items = 1;
  for (auto& number : size) {
    const auto word = text.substr(0, text.find('x'));
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size() || number == 0 ||
        number > limits::kWorkGroupSize)
      return false;
    items *= number;
    if (word.size() == text.size())
      return items <= limits::kWorkGroupSize;
    text.remove_prefix(word.size() + 1);
  }
  return false;
}

int refuse(const std::string& why) {
  std::fprintf(stderr, "heddle explain: %s\n", why.c_str());
  return 2;
}

// Prints the log; false if the build failed.
bool show(const CompileResult& result) {
  const bool ok = result.status == HEDDLE_OK;
  std::fputs(result.log.c_str(), ok ? stdout : stderr);
  return ok;
}

// Builds the program and, as the driver does, a unit for each kernel, whose log explains it.
int explain_units(const CompileRequest& program) {
  auto built = compiler_host::run(program);
  if (!show(built))
    return 1;
  const auto metadata = deserialize(built.metadata);
  if (!metadata)
    return refuse("the compiler is of another version");
  CompileRequest unit;
  unit.goal = HEDDLE_GOAL_UNIT;
  unit.inputs.push_back(std::move(built.output));
  unit.options = options_of_units(program.options);
  unit.specialization = program.specialization;
  for (const auto& kernel : metadata->kernels) {
    unit.kernel = kernel.name;
    if (!show(compiler_host::run(unit)))
      return 1;
  }
  return 0;
}

} // namespace

int explain(std::span<char*> words) {
  CompileRequest request;
  request.specialization.has_long_code = true;
  constexpr std::string_view kLocal = "--local=";
  if (!words.empty() && std::string_view(words.front()).starts_with(kLocal)) {
    auto& known = request.specialization;
    if (!parse_local_size(std::string_view(words.front()).substr(kLocal.size()), known.local_size))
      return refuse(std::string("'") + words.front() + "': expected a local size, such as 64x4");
    known.has_whole_groups = known.has_small_ids = true;
    known.has_long_rows = is_small_row(known.local_size);
    words = words.subspan(1);
  }
  if (words.empty())
    return refuse("expected a file name");
  const std::string name = words.front();
  words = words.subspan(1);
  std::string given;
  if (!words.empty()) {
    if (std::string_view(words.front()) != "--")
      return refuse(std::string("'") + words.front() + "': expected -- before build options");
    for (const char* word : words.subspan(1))
      given += quoted(word);
  }
  auto options = parse_build_options(given, BuildPhase::build);
  if (!options.error.empty() || !options.unsupported.empty())
    return refuse(options.error.empty() ? options.unsupported : options.error);
  const auto source = files::read(name);
  if (!source)
    return refuse("cannot read " + name);

  find_compiler();
  request.source.assign(reinterpret_cast<const char*>(source->data()), source->size());
  request.source_name = name;
  if (char folder[4096]; getcwd(folder, sizeof folder) != nullptr)
    request.working_directory = folder;
  request.options = std::move(options.words);
  request.options.emplace_back("-heddle-explain");
  return explain_units(request);
}

} // namespace heddle::command
