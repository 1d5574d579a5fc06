// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment variables, typed and read once. options.def has the table.
#pragma once

#include <span>
#include <string>

namespace heddle {

// The names of HEDDLE_CHECK.
struct Checks {
  bool division = false;
  bool memory = false;
  bool race = false;
  bool divergence = false;
  bool uninitialized = false;
  bool buffers = false; // of uninitialized: memory of buffers, too
  bool operator==(const Checks&) const = default;
};

// In the order of the documentation.
struct Options { // NOLINT(clang-analyzer-optin.performance.Padding)
  using Checks = heddle::Checks;
  using Unsigned = unsigned;
  using Flag = bool;
  using Text = std::string;
#define HEDDLE_OPTION(name, type, value, sentence) type name = value;
#include "runtime/core/options.def"
#undef HEDDLE_OPTION
};

// "division,memory"; empty for none.
std::string names_of(const Checks& checks);

// Read from the environment at the first call. An invalid value is reported once on standard error,
// with the variable, the value and what is expected, and the default is used.
const Options& options();

struct OptionDescription {
  const char* name; // with the HEDDLE_ prefix
  const char* type;
  std::string value; // the default, as text
  const char* sentence;
};
std::span<const OptionDescription> option_descriptions();

} // namespace heddle
