// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/heddle/installation.h"

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace heddle::command {
namespace {

namespace fs = std::filesystem;

std::string readable(const fs::path& path) {
  const auto name = path.lexically_normal().string();
  return access(name.c_str(), R_OK) == 0 ? name : std::string();
}

Installation find() {
  Installation found;
  std::error_code error;
  const auto self = fs::read_symlink("/proc/self/exe", error);
  found.command = self.string();
  // In the build folder and in the wheel, then where `cmake --install` puts it.
  for (const char* folder : {"../lib", HEDDLE_INSTALLED_LIBRARIES})
    if (found.driver.empty())
      found.driver = readable(self.parent_path() / folder / "libheddle.so");
  // Not options(), which would keep what is read now: explain sets the variable behind this.
  if (const char* chosen = std::getenv("HEDDLE_COMPILER"); chosen && *chosen)
    found.compiler = readable(chosen);
  else if (!found.driver.empty())
    found.compiler = readable(fs::path(found.driver).parent_path() / "libheddle-compiler.so");
  return found;
}

} // namespace

const Installation& installation() {
  static const auto& found = *new Installation(find());
  return found;
}

} // namespace heddle::command
