// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/target/signal_frame.h"

#include "runtime/target/x86/memory_operand.h"

#include <cstdint>
#include <iterator>

namespace heddle::signal_frame {
namespace {

// In the order of their numbers in instructions.
constexpr int kRegisters[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                              REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                              REG_R12, REG_R13, REG_R14, REG_R15};
constexpr greg_t kDirectionFlag = 0x400;

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};

} // namespace

std::span<const int> signals() noexcept { return kSignals; }

void* instruction(const mcontext_t& machine) noexcept {
  return reinterpret_cast<void*>(machine.gregs[REG_RIP]);
}

void call(mcontext_t& machine, void (*function)(void*), void* context,
          std::byte* stack_top) noexcept {
  const auto top = reinterpret_cast<std::uintptr_t>(stack_top) & ~std::uintptr_t{15};
  machine.gregs[REG_RSP] = static_cast<greg_t>(top - 8);
  machine.gregs[REG_RIP] = reinterpret_cast<greg_t>(function);
  machine.gregs[REG_RDI] = reinterpret_cast<greg_t>(context);
  machine.gregs[REG_EFL] &= ~kDirectionFlag; // as the calling convention requires
}

// Of a general protection fault, for which the kernel gives no address: a misaligned address, or
// one that no process can have.
std::optional<Access> find_access(const mcontext_t& machine, int signal,
                                  const siginfo_t& info) noexcept {
  if (signal != SIGSEGV || info.si_code != SI_KERNEL || info.si_addr != nullptr)
    return std::nullopt;
  std::uint64_t registers[std::size(kRegisters)];
  for (std::size_t i = 0; i < std::size(kRegisters); ++i)
    registers[i] = static_cast<std::uint64_t>(machine.gregs[kRegisters[i]]);
  const auto* code = reinterpret_cast<const std::uint8_t*>(machine.gregs[REG_RIP]);
  const auto operand = memory_operand(code, registers);
  if (!operand)
    return std::nullopt;
  constexpr int kUnusedBits = 16; // all equal to the last one that is used
  const auto is_possible =
      static_cast<std::int64_t>(operand->address << kUnusedBits) >> kUnusedBits ==
      static_cast<std::int64_t>(operand->address);
  if (is_possible && operand->address % operand->alignment == 0)
    return std::nullopt;
  return Access{reinterpret_cast<const void*>(operand->address), is_possible};
}

} // namespace heddle::signal_frame
