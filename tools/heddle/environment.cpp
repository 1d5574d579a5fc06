#include "runtime/core/options.h"
#include "tools/heddle/commands.h"

#include <cstdio>

namespace heddle::command {
namespace {

void print(const char* name, const std::string& value, bool is_default, const char* sentence) {
  std::printf("HEDDLE_%s=%s%s\n    %s\n", name, value.c_str(), is_default ? "  (default)" : "",
              sentence);
}

std::string text_of(unsigned value) { return std::to_string(value); }
std::string text_of(bool value) { return value ? "1" : "0"; }
std::string text_of(const Checks& value) { return names_of(value); }
const std::string& text_of(const std::string& value) { return value; }

} // namespace

// The values are those in effect: what the driver does not understand it says on standard error,
// and takes the default.
int environment(std::span<char*> words) {
  if (!words.empty()) {
    std::fprintf(stderr, "heddle env: '%s' is too much\n", words.front());
    return 2;
  }
  const Options defaults;
#define HEDDLE_OPTION(name, type, value, sentence)                                                 \
  print(#name, text_of(options().name), options().name == defaults.name, sentence);
#include "runtime/core/options.def"
#undef HEDDLE_OPTION
  return 0;
}

} // namespace heddle::command
