// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the words of a clBuildProgram option string mean to the compiler: compiler/interface/
// build_options.h has the table.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace heddle::compiler {

struct Options {
  // Arguments of Clang.
  std::vector<std::string> clang;
  std::string language = "CL1.2"; // -cl-std=
  bool optimize = true;           // not -cl-opt-disable
  bool debug = false;             // -g
  bool uniform_groups = false;    // -cl-uniform-work-group-size
  bool explain = false;           // -heddle-explain: the log says how each kernel was compiled
  // Ignores words that are not in the table, and options of other phases.
  static Options parse(llvm::ArrayRef<const char*> words);
};

} // namespace heddle::compiler
