// What the words of a clBuildProgram option string mean to the compiler (OpenCL API 5.8.6).
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace heddle::compiler {

struct Options {
  // Handed to Clang as they are: -D, -I, -cl-* of the language and of floating point, -w, -Werror.
  std::vector<std::string> clang;
  std::string language = "CL1.2"; // -cl-std=
  bool optimize = true;           // not -cl-opt-disable
  bool debug = false;             // -g
  bool explain = false;           // -heddle-explain: the log says what was made of each kernel
  // Words that belong to another phase, or that no part of Heddle acts on, are left out.
  static Options parse(llvm::ArrayRef<const char*> words);
};

} // namespace heddle::compiler
