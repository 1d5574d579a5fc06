// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCompileProgram and clLinkProgram's side of the compiler: bitcode in, library or executable out.
#include "tests/compiler/kernel_runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <utility>

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

// The program's own assembly has what code generation has only in large programs: the table of
// addresses, addresses in data, variables without content on pages of their own.
TEST(Link, AssemblyWithDataAndAddresses) {
  BuildInput input;
  input.source = R"(
__asm__(".section .data.rel.ro.mine, \"aw\", @progbits\n .p2align 3\n"
        "own_table: .quad own_value\n .quad own_value + 4\n"
        ".section .rodata.mine, \"a\"\n .p2align 2\n own_value: .long 42\n .long 43\n"
        ".bss\n .p2align 12\n own_zero: .zero 5000\n"
        ".data\n own_counter: .long 7\n .long own_counter - .\n .text\n"
        "own_function: ret\n");
kernel void k(global int* a) {
  private int* private* table;
  __asm__ volatile("movq own_table@GOTPCREL(%%rip), %0" : "=r"(table));
  a[0] = *table[0];
  a[1] = *table[1];
  private int* zero;
  __asm__ volatile("leaq own_zero(%%rip), %0" : "=r"(zero));
  zero[1249] += 3;
  a[2] = zero[0] + zero[1249] + (((ulong)zero & 4095) != 0);
  ulong address;
  private int* counter;
  __asm__ volatile("movq own_counter@GOTPCREL(%%rip), %0" : "=r"(counter));
  a[3] = ++counter[0];
  a[4] = counter[1];
  __asm__ volatile("callq own_function@PLT\n movq own_table(%%rip), %0\n movl (%0), %k0" : "=r"(address));
  a[5] = (int)address;
  __asm__ volatile("movq memmove@GOTPCREL(%%rip), %0" : "=r"(address));
  a[6] = address > 65536;
})";
  Program program(input);
  int a[7] = {};
  program.run("k", {}, {bytes(&a)});
  const int expected[7] = {42, 43, 3, 8, -4, 42, 1};
  EXPECT_TRUE(std::equal(a, a + 7, expected)) << ::testing::PrintToString(a);
}

TEST(Link, RefusesWhatAKernelCannotHave) {
  const std::pair<const char*, const char*> cases[] = {
      {"callq nowhere@PLT", "'nowhere'"},
      {"movl nowhere(%rip), %eax", "'nowhere'"},
      {"movq memcpy(%rip), %rax", "'memcpy'"},
      {".section .rodata\n .quad k\n .text", "R_X86_64_64"},
      {"movl $memcpy, %eax", "R_X86_64_32"},
      {".section .init_array, \"aw\"\n .quad 0\n .text", ".init_array"},
      {".section .tdata, \"awT\", @progbits\n .quad 0\n .text", "thread-local"},
      {"movq memcpy@GOTTPOFF(%rip), %rax", "memcpy"},
  };
  for (const auto& [assembly, expected] : cases) {
    BuildInput input;
    const std::string text = assembly;
    std::string quoted;
    for (const char c : text)
      quoted += c == '\n' ? "\\n" : c == '"' ? "\\\"" : std::string(1, c);
    input.source = "kernel void k(global int* a) { __asm__ volatile(\"";
    input.source.append(quoted).append("\"); a[0] = 1; }");
    const auto built = build(input);
    EXPECT_EQ(built.status, HEDDLE_BUILD_FAILURE) << assembly;
    EXPECT_NE(built.log.find("cannot be linked"), std::string::npos) << built.log;
    EXPECT_NE(built.log.find(expected), std::string::npos) << built.log;
  }
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
    EXPECT_EQ(other.get().output, expected.output);
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
