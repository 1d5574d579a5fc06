// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For the `heddle` command, as the helper of a process that has exited.
#include "runtime/program/build_helper.h"

// The exit status; runtime/program/build_helper.h says what it does.
extern "C" int heddle_finish_builds(int file) { return heddle::build_helper::finish(file); }
