// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of clBuildProgram, clCompileProgram and clLinkProgram (OpenCL API 5.8.6, 5.8.7): one
// table, from which the runtime validates option strings (runtime/program/build_options) and the
// compiler takes their meaning (compiler/frontend/options).
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle {

// How a word of an option string matches a spelling.
enum class OptionMatch : std::uint8_t {
  exact,
  prefix, // the word starts with the spelling
  value,  // likewise, and a word that is the spelling alone takes the next word as its value
};

// In which phases an option is valid.
enum class OptionPhases : std::uint8_t { compile, link, both };

// What an option means to the compiler.
enum class OptionEffect : std::uint8_t {
  none,            // valid, and nothing to do
  clang,           // passed to Clang as it is
  flush_denormals, // of float
  language,        // -cl-std=
  no_optimization,
  debug_info,
  uniform_groups, // passed to Clang, and known by kernels that enqueue kernels
  zero_private,   // private variables without initializers are zero
  explain,        // the log says how each kernel was compiled
  create_library, // the runtime's: the goal of a link
  link_options,   // the runtime's: valid only with create_library
  dropped,        // accepted for programs of other vendors and not passed to the compiler
};

struct BuildOption {
  std::string_view spelling;
  OptionMatch match;
  OptionPhases phases;
  OptionEffect effect;
};

// Programs pass one string to both phases, so a link also accepts the optimization options that
// the specification has for compiling only.
inline constexpr BuildOption kBuildOptions[] = {
    {"-D", OptionMatch::value, OptionPhases::compile, OptionEffect::clang},
    {"-I", OptionMatch::value, OptionPhases::compile, OptionEffect::clang},
    {"-U", OptionMatch::value, OptionPhases::compile, OptionEffect::clang},
    {"-w", OptionMatch::exact, OptionPhases::compile, OptionEffect::clang},
    {"-Werror", OptionMatch::exact, OptionPhases::compile, OptionEffect::clang},
    {"-g", OptionMatch::exact, OptionPhases::both, OptionEffect::debug_info},
    {"-heddle-explain", OptionMatch::exact, OptionPhases::both, OptionEffect::explain},
    {"-heddle-zero-private", OptionMatch::exact, OptionPhases::both, OptionEffect::zero_private},
    {"-cl-std=", OptionMatch::prefix, OptionPhases::compile, OptionEffect::language},
    {"-cl-opt-disable", OptionMatch::exact, OptionPhases::both, OptionEffect::no_optimization},
    {"-cl-single-precision-constant", OptionMatch::exact, OptionPhases::compile,
     OptionEffect::clang},
    {"-cl-denorms-are-zero", OptionMatch::exact, OptionPhases::both, OptionEffect::flush_denormals},
    {"-cl-fp32-correctly-rounded-divide-sqrt", OptionMatch::exact, OptionPhases::compile,
     OptionEffect::clang},
    {"-cl-strict-aliasing", OptionMatch::exact, OptionPhases::compile, OptionEffect::none},
    {"-cl-uniform-work-group-size", OptionMatch::exact, OptionPhases::compile,
     OptionEffect::uniform_groups},
    {"-cl-no-subgroup-ifp", OptionMatch::exact, OptionPhases::both, OptionEffect::none},
    {"-cl-mad-enable", OptionMatch::exact, OptionPhases::both, OptionEffect::clang},
    {"-cl-no-signed-zeros", OptionMatch::exact, OptionPhases::both, OptionEffect::clang},
    {"-cl-unsafe-math-optimizations", OptionMatch::exact, OptionPhases::both, OptionEffect::clang},
    {"-cl-finite-math-only", OptionMatch::exact, OptionPhases::both, OptionEffect::clang},
    {"-cl-fast-relaxed-math", OptionMatch::exact, OptionPhases::both, OptionEffect::clang},
    {"-cl-kernel-arg-info", OptionMatch::exact, OptionPhases::compile, OptionEffect::none},
    {"-create-library", OptionMatch::exact, OptionPhases::link, OptionEffect::create_library},
    {"-enable-link-options", OptionMatch::exact, OptionPhases::link, OptionEffect::link_options},
    // Options of other vendors' compilers that change nothing a program can rely on.
    {"-O", OptionMatch::exact, OptionPhases::both, OptionEffect::dropped},
    {"-O1", OptionMatch::exact, OptionPhases::both, OptionEffect::dropped},
    {"-O2", OptionMatch::exact, OptionPhases::both, OptionEffect::dropped},
    {"-O3", OptionMatch::exact, OptionPhases::both, OptionEffect::dropped},
    {"-Wall", OptionMatch::exact, OptionPhases::both, OptionEffect::dropped},
    {"-Wextra", OptionMatch::exact, OptionPhases::both, OptionEffect::dropped},
    {"-Wno-", OptionMatch::prefix, OptionPhases::both, OptionEffect::dropped},
    {"-v", OptionMatch::exact, OptionPhases::both, OptionEffect::dropped},
    {"-save-temps", OptionMatch::exact, OptionPhases::both, OptionEffect::dropped},
    {"-save-temps=", OptionMatch::prefix, OptionPhases::both, OptionEffect::dropped},
    {"-fbin-", OptionMatch::prefix, OptionPhases::both, OptionEffect::dropped},
    {"-fno-bin-source", OptionMatch::exact, OptionPhases::both, OptionEffect::dropped},
    {"-fno-bin-llvmir", OptionMatch::exact, OptionPhases::both, OptionEffect::dropped},
    {"-fno-bin-amdil", OptionMatch::exact, OptionPhases::both, OptionEffect::dropped},
    {"-fno-bin-exe", OptionMatch::exact, OptionPhases::both, OptionEffect::dropped},
    {"-cl-nv-", OptionMatch::prefix, OptionPhases::both, OptionEffect::dropped},
    {"-cl-intel-", OptionMatch::prefix, OptionPhases::both, OptionEffect::dropped},
    {"-cl-amd-", OptionMatch::prefix, OptionPhases::both, OptionEffect::dropped},
    {"-cl-qcom-", OptionMatch::prefix, OptionPhases::both, OptionEffect::dropped},
    {"-cl-arm-", OptionMatch::prefix, OptionPhases::both, OptionEffect::dropped},
};

// The option that a word of an option string is, with its value if it has one; null if there is
// none.
constexpr const BuildOption* find_build_option(std::string_view word) {
  for (const auto& option : kBuildOptions)
    if (option.match == OptionMatch::exact ? word == option.spelling
                                           : word.starts_with(option.spelling))
      return &option;
  return nullptr;
}

} // namespace heddle
