// The option strings of clBuildProgram, clCompileProgram and clLinkProgram (OpenCL API 5.8.6).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

enum class BuildPhase { build, compile, link };

struct BuildOptions {
  // For the compiler: one option a word, values joined ("-DNAME=1", "-I/a path").
  std::vector<std::string> words;
  bool create_library = false;
  // Non-uniform work-groups: OpenCL C 2.0 or later without -cl-uniform-work-group-size.
  bool allows_non_uniform_groups = false;
  // Why the string is not valid, naming the option; empty if it is.
  std::string error;
  // Why the device cannot build what the string, valid in itself, asks for; empty if it can. The
  // build is to fail with this as its log.
  std::string unsupported;
};

// Splits at spaces; "..." and '...' keep spaces, a backslash keeps the next character.
BuildOptions parse_build_options(std::string_view text, BuildPhase phase);

} // namespace heddle
