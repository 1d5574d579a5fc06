// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where this command is, and the driver and the compiler that belong to it.
#pragma once

#include <string>

namespace heddle::command {

struct Installation {
  std::string command;  // of this program
  std::string driver;   // libheddle.so; empty if it is in none of the places where it is installed
  std::string compiler; // libheddle-compiler.so: what HEDDLE_COMPILER names, or the one beside the
                        // driver; empty if neither is there
};

// Absolute paths without symbolic links in the command's own, found again after the tree was moved.
const Installation& installation();

} // namespace heddle::command
