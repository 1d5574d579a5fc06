// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The option strings of clBuildProgram, clCompileProgram and clLinkProgram (OpenCL API 5.8.6,
// 5.8.7).
#include "compiler/interface/build_options.h"
#include "runtime/device/features.h"
#include "runtime/program/build_options.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

using Words = std::vector<std::string>;

BuildOptions build(std::string_view text) { return parse_build_options(text, BuildPhase::build); }
BuildOptions link(std::string_view text) { return parse_build_options(text, BuildPhase::link); }

TEST(BuildOptions, Words) {
  const struct {
    const char* text;
    Words words;
  } cases[] = {
      {"", {}},
      {"  \t\n ", {}},
      {"-D A", {"-DA"}},
      {"-DA -D B=2", {"-DA", "-DB=2"}},
      {"-D\tA=1", {"-DA=1"}},
      {"-D A=", {"-DA="}},
      {"-I /usr/a -I/usr/b", {"-I/usr/a", "-I/usr/b"}},
      {"-I \"a path\"", {"-Ia path"}},
      {"-I\"a path\"", {"-Ia path"}},
      {"-I 'a path'", {"-Ia path"}},
      {"\"-Ia path\"", {"-Ia path"}},
      {"-I a\\ path", {"-Ia path"}},
      {"-D NAME=\\\"text\\\"", {"-DNAME=\"text\""}},
      {"-D \"NAME=a b\"", {"-DNAME=a b"}},
      {"-D NAME='a \"b\" \\c'", {"-DNAME=a \"b\" \\c"}},
      {"-D F(x)=(x+1)", {"-DF(x)=(x+1)"}},
      {"-U A", {"-UA"}},
      {"-D A -DA=2 -D A=3", {"-DA", "-DA=2", "-DA=3"}}, // in the order they are given
      {"-cl-std=CL3.0 -g -w -Werror", {"-cl-std=CL3.0", "-g", "-w", "-Werror"}},
      {"-O0", {"-cl-opt-disable"}},
      {"-O3 -cl-nv-verbose -cl-nv-maxrregcount=32 -Wno-unused", {}},
  };
  for (const auto& [text, words] : cases) {
    const auto options = build(text);
    EXPECT_EQ(options.error, "") << text;
    EXPECT_EQ(options.words, words) << text;
  }
}

// Valid in every phase, because the one that generates machine code prints the remarks.
TEST(BuildOptions, ExplanationIsAskedForInEveryPhase) {
  for (const auto phase : {BuildPhase::build, BuildPhase::compile, BuildPhase::link})
    EXPECT_EQ(parse_build_options("-heddle-explain", phase).words, Words{"-heddle-explain"});
}

TEST(BuildOptions, EveryOptionOfTheSpecification) {
  for (const char* word : {"-cl-single-precision-constant",
                           "-cl-denorms-are-zero",
                           "-cl-fp32-correctly-rounded-divide-sqrt",
                           "-cl-opt-disable",
                           "-cl-strict-aliasing",
                           "-cl-uniform-work-group-size",
                           "-cl-no-subgroup-ifp",
                           "-cl-mad-enable",
                           "-cl-no-signed-zeros",
                           "-cl-unsafe-math-optimizations",
                           "-cl-finite-math-only",
                           "-cl-fast-relaxed-math",
                           "-w",
                           "-Werror",
                           "-cl-std=CL1.0",
                           "-cl-std=CL1.1",
                           "-cl-std=CL1.2",
                           "-cl-std=CL3.0",
                           "-cl-std=CLC++",
                           "-cl-std=CLC++1.0",
                           "-cl-std=CLC++2021",
                           "-cl-kernel-arg-info",
                           "-g"}) {
    for (const auto phase : {BuildPhase::build, BuildPhase::compile}) {
      const auto options = parse_build_options(word, phase);
      EXPECT_EQ(options.error, "") << word;
      EXPECT_EQ(options.words, Words{word});
    }
  }
  for (const char* word : {"-create-library", "-cl-denorms-are-zero", "-cl-no-signed-zeros",
                           "-cl-unsafe-math-optimizations", "-cl-finite-math-only",
                           "-cl-fast-relaxed-math", "-cl-no-subgroup-ifp"}) {
    EXPECT_EQ(link(word).error, "") << word;
    EXPECT_EQ(link(word).words, Words{word});
  }
}

// No row of the table hides a later one.
TEST(BuildOptions, EveryRowIsFoundByItsSpelling) {
  for (const auto& option : kBuildOptions)
    EXPECT_EQ(find_build_option(option.spelling), &option) << option.spelling;
}

TEST(BuildOptions, PhasesComeFromTheTable) {
  for (const auto& option : kBuildOptions) {
    if (option.match != OptionMatch::exact)
      continue;
    // -enable-link-options is valid only with another option.
    const std::string text = option.effect == OptionEffect::link_options
                                 ? "-create-library -enable-link-options"
                                 : std::string(option.spelling);
    EXPECT_EQ(build(text).error.empty(), option.phases != OptionPhases::link) << text;
    EXPECT_EQ(link(text).error.empty(), option.phases != OptionPhases::compile) << text;
  }
}

TEST(BuildOptions, ErrorsNameTheOption) {
  const struct {
    const char* text;
    const char* named;
  } cases[] = {
      {"-cl-no-such-thing", "-cl-no-such-thing"},
      {"-D A --bad -D B", "--bad"},
      {"-D", "-D"},
      {"-I", "-I"},
      {"-D \"\"", "-D"},
      {"name", "name"},
      {"-cl-std=CL4.0", "-cl-std=CL4.0"},
      {"-cl-std=", "-cl-std="},
      {"-cl-std=CLC++2.0", "-cl-std=CLC++2.0"},
      {"-x spir", "-x"},
      {"-spir-std=1.2", "-spir-std=1.2"},
      {"-create-library", "-create-library"}, // the linker's
      {"-I \"a path", "not closed"},
  };
  for (const auto& [text, named] : cases)
    EXPECT_NE(build(text).error.find(named), std::string::npos)
        << text << ": " << build(text).error;
  for (const char* text : {"-D A", "-cl-std=CL1.2", "-Werror", "-fantasy"})
    EXPECT_NE(link(text).error, "") << text;
}

TEST(BuildOptions, LanguagesThatTheDeviceLacks) {
  for (const char* text : {"", "-cl-std=CL1.0", "-cl-std=CL1.2", "-cl-std=CL3.0", "-cl-std=CLC++",
                           "-cl-std=CLC++2021"})
    EXPECT_EQ(build(text).unsupported, "") << text;
  const auto options = build("-cl-std=CL2.0");
  EXPECT_EQ(options.error, "");
  for (const auto& language : features::languages())
    if (language.version == CL_MAKE_VERSION(2, 0, 0)) {
      EXPECT_EQ(options.unsupported, "");
      return;
    }
  EXPECT_EQ(options.unsupported,
            "option '-cl-std=CL2.0': the device does not support that "
            "version of the language; it supports CL1.0, CL1.1, CL1.2, CL3.0, CL3.1, CLC++, "
            "CLC++1.0 and CLC++2021");
}

TEST(BuildOptions, Libraries) {
  EXPECT_FALSE(link("").create_library);
  EXPECT_TRUE(link("-create-library").create_library);
  EXPECT_TRUE(link("-enable-link-options -create-library").create_library);
  EXPECT_NE(link("-enable-link-options").error, "");
}

TEST(BuildOptions, NonUniformGroups) {
  EXPECT_FALSE(build("").allows_non_uniform_groups);
  EXPECT_FALSE(build("-cl-std=CL1.2").allows_non_uniform_groups);
  EXPECT_TRUE(build("-cl-std=CL2.0").allows_non_uniform_groups);
  EXPECT_TRUE(build("-cl-std=CL3.0").allows_non_uniform_groups);
  EXPECT_TRUE(build("-cl-std=CLC++").allows_non_uniform_groups);
  EXPECT_TRUE(build("-cl-std=CLC++2021").allows_non_uniform_groups);
  EXPECT_FALSE(build("-cl-std=CL3.0 -cl-uniform-work-group-size").allows_non_uniform_groups);
}

} // namespace
} // namespace heddle
