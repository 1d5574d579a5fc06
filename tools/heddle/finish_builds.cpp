// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The helper of a process that has exited: its driver does the work, so that it builds what that
// one would have built.
#include "tools/heddle/commands.h"

#include <cstdio>
#include <dlfcn.h>
#include <unistd.h>

namespace heddle::command {

int finish_builds(std::span<char*> words) {
  constexpr int kFile = 3; // as build_helper.cpp passes it
  if (words.size() != 1) {
    std::fputs("heddle finish-builds: expected the driver's path\n", stderr);
    return 2;
  }
  void* driver = dlopen(words[0], RTLD_NOW | RTLD_LOCAL);
  const auto finish =
      reinterpret_cast<int (*)(int)>(driver ? dlsym(driver, "heddle_finish_builds") : nullptr);
  if (!finish) {
    std::fprintf(stderr, "heddle finish-builds: %s\n", dlerror());
    return 1;
  }
  const int status = finish(kFile);
  // Nothing of the compiler's is to be destroyed. calibrate forks, for which it must have no other
  // threads: it takes this process's place.
  if (status == 0)
    execl("/proc/self/exe", "heddle", "calibrate", "--if-due", nullptr);
  _exit(status);
}

} // namespace heddle::command
