// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The option strings of clBuildProgram, clCompileProgram and clLinkProgram (OpenCL API 5.8.6).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

enum class BuildPhase { build, compile, link };

struct BuildOptions {
  // The options for the compiler, each with its value in one string ("-DNAME=1", "-I/a path").
  std::vector<std::string> words;
  bool create_library = false;
  // Whether work-groups may be non-uniform: OpenCL C 2.0 or later without
  // -cl-uniform-work-group-size.
  bool allows_non_uniform_groups = false;
  // An error message that names the invalid option; empty if the string is valid.
  std::string error;
  // An error message if the string is valid but the device does not support it, otherwise empty.
  // The build must fail with this as its log.
  std::string unsupported;
};

// Splits at white space; "...", '...' and a backslash quote.
BuildOptions parse_build_options(std::string_view text, BuildPhase phase);

// The words that matter to the units of a program, whose source has been compiled.
std::vector<std::string> options_of_units(const std::vector<std::string>& words);

} // namespace heddle
