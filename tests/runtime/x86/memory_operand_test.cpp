// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of faults for which the kernel has none: those of misaligned accesses, and of addresses
// that no process has.
#include "runtime/execution/fault_guard.h"
#include "runtime/target/x86/memory_operand.h"

#include <gtest/gtest.h>

#include <cstring>
#include <initializer_list>
#include <vector>

namespace heddle {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Register n has n << 20.
std::optional<MemoryOperand> operand_of(const Bytes& code) {
  std::uint64_t registers[16];
  for (std::uint64_t i = 0; i < 16; ++i)
    registers[i] = i << 20;
  return memory_operand(code.data(), registers);
}

void expect_operand(const Bytes& code, std::uint64_t address, std::uint64_t alignment) {
  const auto operand = operand_of(code);
  ASSERT_TRUE(operand.has_value());
  EXPECT_EQ(operand->address, address);
  EXPECT_EQ(operand->alignment, alignment);
}

constexpr std::uint64_t reg(std::uint64_t number) { return number << 20; }

TEST(MemoryOperand, FormsOfAddresses) {
  expect_operand({0x0f, 0x28, 0x07}, reg(7), 16);                              // movaps (rdi)
  expect_operand({0x0f, 0x28, 0x47, 0xf0}, reg(7) - 16, 16);                   // -16(rdi)
  expect_operand({0x0f, 0x28, 0x87, 4, 1, 0, 0}, reg(7) + 260, 16);            // 260(rdi)
  expect_operand({0x0f, 0x28, 0x04, 0x24}, reg(4), 16);                        // (rsp)
  expect_operand({0x0f, 0x28, 0x44, 0x8f, 8}, reg(7) + 4 * reg(1) + 8, 16);    // 8(rdi,rcx,4)
  expect_operand({0x0f, 0x28, 0x04, 0xcd, 4, 0, 0, 0}, 8 * reg(1) + 4, 16);    // 4(,rcx,8)
  expect_operand({0x43, 0x0f, 0x28, 0x04, 0x65, 0, 0, 0, 0}, 2 * reg(12), 16); // 0(,r12,2)
  expect_operand({0x41, 0x0f, 0x28, 0x45, 0}, reg(13), 16);                    // (r13)
  expect_operand({0x66, 0x41, 0x0f, 0x6f, 0x04, 0x24}, reg(12), 16);           // movdqa (r12)
  expect_operand({0x66, 0x0f, 0x38, 0x2a, 0x06}, reg(6), 16);                  // movntdqa (rsi)
  expect_operand({0x48, 0x8b, 0x00}, reg(0), 1);                               // mov (rax)
  expect_operand({0xf0, 0x0f, 0xc1, 0x02}, reg(2), 16);                        // lock xadd (rdx)
}

TEST(MemoryOperand, VectorEncodings) {
  expect_operand({0xc5, 0xfc, 0x28, 0x07}, reg(7), 32);                   // vmovaps ymm
  expect_operand({0xc5, 0xf8, 0x58, 0x07}, reg(7), 1);                    // vaddps xmm needs none
  expect_operand({0xc4, 0xc1, 0x7d, 0x6f, 0x45, 0x20}, reg(13) + 32, 32); // vmovdqa 32(r13)
  expect_operand({0xc4, 0xa1, 0x78, 0x29, 0x04, 0x87}, reg(7) + 4 * reg(8), 16); // (rdi,r8,4)
  expect_operand({0x62, 0xf1, 0x7c, 0x48, 0x28, 0x47, 0x01}, reg(7) + 64,
                 64); // vmovaps zmm, 64(rdi)
  expect_operand({0x62, 0xd1, 0xfd, 0x28, 0x6f, 0x44, 0x24, 0xff}, reg(12) - 32, 32); // ymm
  expect_operand({0x62, 0xf1, 0x7c, 0x58, 0x58, 0x47, 0x02}, reg(7) + 8, 1); // vaddps {1to16}
}

TEST(MemoryOperand, Others) {
  EXPECT_FALSE(operand_of({0x0f, 0x28, 0xc1}));                   // registers
  EXPECT_FALSE(operand_of({0x0f, 0x28, 0x05, 0, 0, 0, 0}));       // relative
  EXPECT_FALSE(operand_of({0x64, 0x48, 0x8b, 0x00}));             // of a segment
  EXPECT_FALSE(operand_of({0xc4, 0xe2, 0x7d, 0x92, 0x04, 0x87})); // gather
  EXPECT_FALSE(operand_of({0xc5, 0xf8, 0x77}));                   // vzeroupper
  EXPECT_FALSE(operand_of({0xf3, 0xa4}));                         // rep movsb
  EXPECT_FALSE(operand_of({0x0f, 0x84, 0, 0, 0, 0}));             // jump
}

__attribute__((no_sanitize("all"))) void load_aligned(const void* at, std::uint64_t index) {
  asm volatile("movaps 4(%0,%1,4), %%xmm0" : : "r"(at), "r"(index) : "xmm0", "memory");
}

TEST(MemoryOperand, FaultsHaveTheirAddress) {
  alignas(64) char memory[256] = {};
  Fault fault;
  EXPECT_FALSE(fault_guard::run_guarded([&] { load_aligned(memory, 4); }, &fault));
  EXPECT_EQ(fault.address, memory + 20);
  EXPECT_TRUE(fault.is_misaligned);
  EXPECT_EQ(fault.signal_name(), "SIGSEGV (misaligned memory access)");
  EXPECT_TRUE(fault_guard::run_guarded([&] { load_aligned(memory, 3); }, &fault));

  volatile std::uint64_t nowhere = 0x7fff'0000'0000'0010;
  EXPECT_FALSE(fault_guard::run_guarded(
      [&] { load_aligned(reinterpret_cast<const void*>(nowhere), 0); }, &fault));
  EXPECT_EQ(fault.address, reinterpret_cast<const void*>(nowhere + 4));
  EXPECT_FALSE(fault.is_misaligned);
  EXPECT_EQ(fault.signal_name(), "SIGSEGV (invalid memory access)");
}

} // namespace
} // namespace heddle
