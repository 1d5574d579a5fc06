// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle: the command-line tool of the driver.
#include "tools/heddle/commands.h"

#include <cstdio>
#include <string_view>

namespace {

constexpr const char* kUsage =
    "usage: heddle explain [--local=64x4] FILE.cl [-- BUILD OPTIONS]\n"
    "                                                   how each kernel is compiled, and why\n"
    "       heddle profile [--counters LIST] [--json FILE] [--csv FILE] [--html FILE] "
    "[--no-roofline] PROGRAM...\n"
    "                                                   runs the program, and prints what its "
    "kernels took and did\n"
    "       heddle roofline [--again]                   what this machine can do at most\n"
    "       heddle calibrate                            which instructions are slow on this "
    "CPU, for the compiler\n"
    "       heddle trace merge -o FILE TRACE...         traces of several processes as one\n"
    "       heddle env                                  the environment variables and their "
    "values\n"
    "       heddle tuned                                the fastest variants that HEDDLE_TUNE "
    "found\n"
    "       heddle passes                               the compiler's passes, in order\n"
    "       heddle doctor [--json] [--loader LIBRARY]   what is wrong when it does not work, and "
    "what to do\n"
    "       heddle icd                                  the driver's path, which is what an .icd "
    "file holds\n"
    "       heddle version\n";

} // namespace

int main(int count, char** words) {
  const std::string_view command = count > 1 ? words[1] : "";
  const std::span<char*> rest(words + (count > 1 ? 2 : count), words + count);
  if (command == "explain")
    return heddle::command::explain(rest);
  if (command == "env")
    return heddle::command::environment(rest);
  if (command == "tuned")
    return heddle::command::tuned(rest);
  if (command == "profile")
    return heddle::command::profile(rest);
  if (command == "roofline")
    return heddle::command::roofline(rest);
  if (command == "calibrate")
    return heddle::command::calibrate(rest);
  if (command == "trace")
    return heddle::command::trace(rest);
  if (command == "finish-builds")
    return heddle::command::finish_builds(rest);
  if (command == "passes")
    return heddle::command::passes(rest);
  if (command == "doctor")
    return heddle::command::doctor(rest);
  if (command == "icd")
    return heddle::command::icd(rest);
  if (command == "version" || command == "--version") {
    std::printf("Heddle %s\n", HEDDLE_VERSION);
    return 0;
  }
  const bool asked = command == "help" || command == "--help" || command == "-h";
  std::fputs(kUsage, asked ? stdout : stderr);
  return asked ? 0 : 2;
}
