// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/heddle/commands.h"

#include <cstdio>

namespace heddle::command {

int passes(std::span<char*> words) {
  if (!words.empty()) {
    std::fprintf(stderr, "heddle passes: '%s': no arguments are expected\n", words.front());
    return 2;
  }
#define HEDDLE_MODULE_PASS(name, purpose, constructor, sentence)                                   \
  std::printf("%s (%s)\n    %s\n", name, #purpose, sentence);
#define HEDDLE_FUNCTION_PASS(name, purpose, constructor, sentence)                                 \
  HEDDLE_MODULE_PASS(name, purpose, constructor, sentence)
#include "compiler/passes.def"
  return 0;
}

} // namespace heddle::command
