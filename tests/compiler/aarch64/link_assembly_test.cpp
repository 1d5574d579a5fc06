// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linker of kernels on assembly of programs: relocations of AArch64.
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
        ".data\n .p2align 2\n own_counter: .long 7\n .long own_counter - .\n"
        ".text\n .p2align 2\n own_function: ret\n");
kernel void k(global int* a) {
  private int* private* table;
  __asm__ volatile("adrp %0, :got:own_table\n ldr %0, [%0, :got_lo12:own_table]" : "=r"(table));
  a[0] = *table[0];
  a[1] = *table[1];
  private int* zero;
  __asm__ volatile("adrp %0, own_zero\n add %0, %0, :lo12:own_zero" : "=r"(zero));
  zero[1249] += 3;
  a[2] = zero[0] + zero[1249] + (((ulong)zero & 4095) != 0);
  ulong address;
  private int* counter;
  __asm__ volatile("adrp %0, :got:own_counter\n ldr %0, [%0, :got_lo12:own_counter]" : "=r"(counter));
  a[3] = ++counter[0];
  a[4] = counter[1];
  __asm__ volatile("bl own_function\n adrp %0, own_table\n ldr %0, [%0, :lo12:own_table]\n ldr %w0, [%0]"
                   : "=r"(address) : : "x30");
  a[5] = (int)address;
  __asm__ volatile("adrp %0, :got:memmove\n ldr %0, [%0, :got_lo12:memmove]" : "=r"(address));
  a[6] = address > 65536;
  __asm__ volatile("adrp %0, own_value\n ldr %w0, [%0, :lo12:own_value]\n tbz %w0, #0, 1f\n mov %w0, #0\n1:"
                   : "=r"(address));
  a[7] = (int)address;
})";
  Program program(input);
  int a[8] = {};
  program.run("k", {}, {bytes(&a)});
  const int expected[8] = {42, 43, 3, 8, -4, 42, 1, 42};
  EXPECT_TRUE(std::equal(a, a + 8, expected)) << ::testing::PrintToString(a);
}

TEST(LinkAssembly, RefusesWhatAKernelCannotHave) {
  const std::pair<const char*, const char*> cases[] = {
      {"bl nowhere", "'nowhere'"},
      {"adrp x9, nowhere\n ldr w9, [x9, :lo12:nowhere]", "'nowhere'"},
      {"adrp x9, memcpy\n ldr x9, [x9, :lo12:memcpy]", "'memcpy'"},
      {".section .rodata\n .xword k\n .text", "R_AARCH64_ABS64"},
      {"movz x9, #:abs_g0:memcpy", "R_AARCH64_MOVW_UABS_G0"},
      {".section .init_array, \"aw\"\n .xword 0\n .text", ".init_array"},
      {".section .tdata, \"awT\", @progbits\n .xword 0\n .text", "thread-local"},
      {"adrp x9, :gottprel:memcpy\n ldr x9, [x9, :gottprel_lo12:memcpy]", "memcpy"},
  };
  for (const auto& [assembly, expected] : cases)
    expect_refused(assembly, expected);
}

} // namespace
} // namespace heddle::test
