// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The address that an x86-64 instruction accesses.
#pragma once

#include <cstdint>
#include <optional>

namespace heddle {

struct MemoryOperand {
  std::uint64_t address;
  // That the instruction needs: 1 for those that need none, the operand's size for aligned moves of
  // vectors, 16 for others of SSE.
  std::uint64_t alignment;
};

// Of the instruction at `code`, with the sixteen general registers in the order of their numbers in
// instructions. Nothing if it has no memory operand in the usual form, or one relative to itself or
// to a segment, or of a vector of addresses. Reads no further than the operand. Safe in signal
// handlers.
std::optional<MemoryOperand> memory_operand(const std::uint8_t* code,
                                            const std::uint64_t (&registers)[16]);

} // namespace heddle
