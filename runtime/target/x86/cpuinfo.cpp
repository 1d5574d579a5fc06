// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/target/x86/cpuinfo.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace heddle::processor {

std::vector<std::string> cpuinfo_words(const char* line, std::span<const char* const> wanted) {
  std::ifstream file("/proc/cpuinfo");
  std::vector<std::string> found;
  for (std::string text; std::getline(file, text) && !text.empty();) {
    if (!text.starts_with(line))
      continue;
    std::istringstream words(text.substr(std::min(text.size(), text.find(':') + 1)));
    const std::vector<std::string> all{std::istream_iterator<std::string>(words), {}};
    for (const char* word : wanted)
      if (std::find(all.begin(), all.end(), word) != all.end())
        found.emplace_back(word);
  }
  return found;
}

} // namespace heddle::processor
