// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linker of kernels on assembly of programs: relocations of x86.
#include "tests/compiler/link_assembly.h"

#include <algorithm>

namespace heddle::test {
namespace {

// The program's own assembly has what code generation has only in large programs: the table of
// addresses, addresses in data, variables without content on pages of their own.
TEST(LinkAssembly, WithDataAndAddresses) {
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

TEST(LinkAssembly, RefusesWhatAKernelCannotHave) {
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
  for (const auto& [assembly, expected] : cases)
    expect_refused(assembly, expected);
}

} // namespace
} // namespace heddle::test
