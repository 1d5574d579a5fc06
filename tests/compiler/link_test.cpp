// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCompileProgram and clLinkProgram's side of the compiler: bitcode in, library or program out.
#include "tests/compiler/kernel_runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <future>

namespace heddle::test {
namespace {

std::vector<std::byte> object(const std::string& source,
                              const std::vector<std::string>& options = {}) {
  const auto built = build({source, options, HEDDLE_GOAL_OBJECT});
  EXPECT_TRUE(built.ok()) << built.log;
  return built.output;
}

TEST(Link, ObjectsToExecutable) {
  BuildInput input;
  input.inputs = {object("int twice(int x) { return 2 * x; }"),
                  object("int twice(int);\nkernel void k(global int* a) { a[0] = twice(a[0]); }")};
  Program program(input);
  int a = 21;
  program.run("k", {}, {bytes(&a)});
  EXPECT_EQ(a, 42);
}

TEST(Link, LibraryThenExecutable) {
  BuildInput library;
  library.goal = HEDDLE_GOAL_LIBRARY;
  library.inputs = {object("int one(int x) { return x + 1; }"),
                    object("int one(int); int two(int x) { return one(one(x)); }")};
  const auto linked = build(library);
  ASSERT_TRUE(linked.ok()) << linked.log;
  BuildInput input;
  input.inputs = {object("int two(int);\nkernel void k(global int* a) { a[0] = two(a[0]); }"),
                  linked.output};
  Program program(input);
  int a = 5;
  program.run("k", {}, {bytes(&a)});
  EXPECT_EQ(a, 7);
}

TEST(Link, DuplicateAndUndefinedSymbolsAreNamed) {
  BuildInput input;
  input.inputs = {object("int f(int x) { return x; }"), object("int f(int x) { return -x; }")};
  auto built = build(input);
  EXPECT_EQ(built.status, HEDDLE_BUILD_FAILURE);
  EXPECT_NE(built.log.find("'f'"), std::string::npos) << built.log;

  input.inputs = {object("int g(int);\nkernel void k(global int* a) { a[0] = g(1); }")};
  built = build(input);
  EXPECT_EQ(built.status, HEDDLE_BUILD_FAILURE);
  EXPECT_NE(built.log.find("'g'"), std::string::npos) << built.log;
  input.goal = HEDDLE_GOAL_LIBRARY; // a library may have undefined symbols
  EXPECT_TRUE(build(input).ok());
}

// Links share nothing; what they make depends on the object alone.
TEST(Link, ManyThreadsMakeTheSameBytes) {
  BuildInput input;
  input.source = R"(
constant float table[4] = {1, 2, 3, 4};
kernel void first(global float* a) { a[get_global_id(0)] = lgamma(a[get_global_id(0)]); }
kernel void second(global float* a, int n) { a[get_global_id(0)] *= table[n & 3]; })";
  const auto expected = build(input);
  ASSERT_TRUE(expected.ok()) << expected.log;
  std::vector<std::future<Built>> builds;
  for (int i = 0; i < 8; ++i)
    builds.push_back(std::async(std::launch::async, [&] { return build(input); }));
  for (auto& other : builds)
    EXPECT_EQ(other.get().units, expected.units);
}

TEST(Link, RefusesWhatIsNotBitcode) {
  const auto good = object("kernel void k() {}");
  BuildInput input;
  input.inputs = {std::vector<std::byte>(100, std::byte{7})};
  EXPECT_EQ(build(input).status, HEDDLE_INVALID_INPUT);
  input.inputs = {std::vector<std::byte>(good.data(), good.data() + good.size() / 2 / 4 * 4)};
  EXPECT_EQ(build(input).status, HEDDLE_INVALID_INPUT);
}

} // namespace
} // namespace heddle::test
