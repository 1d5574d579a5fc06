// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/options.h"
#include "runtime/program/build_options.h"
#include "runtime/program/compiler_host.h"
#include "runtime/program/files.h"
#include "tools/heddle/commands.h"
#include "tools/heddle/installation.h"

#include <cstdio>
#include <cstdlib>
#include <string>
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

int refuse(const std::string& why) {
  std::fprintf(stderr, "heddle explain: %s\n", why.c_str());
  return 2;
}

} // namespace

int explain(std::span<char*> words) {
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
  CompileRequest request;
  request.source.assign(reinterpret_cast<const char*>(source->data()), source->size());
  request.source_name = name;
  if (char folder[4096]; getcwd(folder, sizeof folder) != nullptr)
    request.working_directory = folder;
  request.options = std::move(options.words);
  request.options.emplace_back("-heddle-explain");
  const auto result = compiler_host::run(std::move(request));
  const bool ok = result.status == HEDDLE_OK;
  std::fputs(result.log.c_str(), ok ? stdout : stderr);
  return ok ? 0 : 1;
}

} // namespace heddle::command
