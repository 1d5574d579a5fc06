// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What HEDDLE_TUNE found, from the cache.
#include "runtime/program/cache.h"
#include "tools/heddle/commands.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <tuple>

namespace heddle::command {
namespace {

// "16x1 32x1 64x1": the compiler's shape, the best one, and the others that were tried.
struct Words {
  std::string first, best, others;
};

std::string take_word(std::string& text) {
  const auto end = std::min(text.find(' '), text.size());
  auto word = text.substr(0, end);
  text.erase(0, end + 1);
  return word;
}

Words words_of(std::string text) {
  Words split;
  split.first = take_word(text);
  split.best = take_word(text);
  split.others = text;
  return split;
}

} // namespace

int tuned(std::span<char*> words) {
  if (!words.empty()) {
    std::fprintf(stderr, "heddle tuned: '%s' is an unexpected argument\n", words[0]);
    return 2;
  }
  auto searches = Cache::instance().searches();
  std::ranges::sort(searches, [](const auto& a, const auto& b) {
    return std::tie(a.kernel, a.groups) < std::tie(b.kernel, b.groups);
  });
  if (searches.empty()) {
    std::printf("No variants of kernels have been compared yet (HEDDLE_TUNE).\n");
    return 0;
  }
  std::printf("Lanes x interleaved rows; s: lanes run along the second dimension.\n"
              "%-32s %-12s %-10s %-10s %s\n",
              "kernel", "groups", "compiler's", "best", "also tried");
  for (const auto& [kernel, groups, text] : searches) {
    const auto [first, best, others] = words_of(text);
    std::printf("%-32s %-12s %-10s %-10s %s\n", kernel.c_str(), groups.c_str(), first.c_str(),
                best.c_str(), others.c_str());
  }
  return 0;
}

} // namespace heddle::command
