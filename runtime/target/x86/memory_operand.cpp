// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/target/x86/memory_operand.h"

#include <cstring>

namespace heddle {
namespace {

enum class Encoding : std::uint8_t { legacy, vex, evex };

// What precedes the operand.
struct Opcode {
  Encoding encoding = Encoding::legacy;
  unsigned map = 0; // 0: one byte; 1: 0F; 2: 0F 38; 3: 0F 3A
  std::uint8_t byte = 0;
  unsigned base_extension = 0, index_extension = 0; // 8 for the upper registers
  std::uint64_t vector_bytes = 16;
  bool is_broadcast = false;
  bool is_wide = false; // elements of 8 bytes
};

bool is_ignored_prefix(std::uint8_t byte) {
  return byte == 0x66 || byte == 0xf2 || byte == 0xf3 || byte == 0xf0 || byte == 0x2e ||
         byte == 0x36 || byte == 0x3e || byte == 0x26;
}

bool changes_addresses(std::uint8_t byte) { return byte == 0x64 || byte == 0x65 || byte == 0x67; }

unsigned extension(std::uint8_t byte, unsigned bit) { return (byte >> bit & 1U) * 8; }

// Advances `code` to the operand. False if the instruction is none with a usual operand.
bool read_opcode(const std::uint8_t*& code, Opcode& out) {
  while (is_ignored_prefix(*code))
    ++code;
  if (changes_addresses(*code))
    return false;
  if (*code == 0xc5) {
    out.encoding = Encoding::vex;
    out.map = 1;
    out.vector_bytes = code[1] & 4U ? 32 : 16;
    out.byte = code[2];
    code += 3;
    return true;
  }
  if (*code == 0xc4 || *code == 0x62) {
    out.encoding = *code == 0xc4 ? Encoding::vex : Encoding::evex;
    const std::uint8_t inverted = ~code[1];
    out.index_extension = extension(inverted, 6);
    out.base_extension = extension(inverted, 5);
    out.map = code[1] & 7U;
    out.is_wide = (code[2] & 0x80U) != 0;
    if (out.encoding == Encoding::vex) {
      out.vector_bytes = code[2] & 4U ? 32 : 16;
      out.byte = code[3];
      code += 4;
    } else {
      out.vector_bytes = std::uint64_t{16} << (code[3] >> 5 & 3U);
      out.is_broadcast = (code[3] & 0x10U) != 0;
      out.byte = code[4];
      code += 5;
    }
    return true;
  }
  if ((*code & 0xf0U) == 0x40) { // REX
    out.index_extension = extension(*code, 1);
    out.base_extension = extension(*code, 0);
    ++code;
  }
  if (*code == 0x0f) {
    ++code;
    out.map = *code == 0x38 ? 2 : *code == 0x3a ? 3 : 1;
    code += out.map == 1 ? 0 : 1;
  }
  out.byte = *code++;
  return true;
}

bool has_operand(const Opcode& opcode) {
  const auto byte = opcode.byte;
  if (opcode.map == 1)
    return (byte < 0x80 || byte >= 0x90) && byte != 0x77; // no jump, no vzeroupper
  if (opcode.map == 2 && opcode.encoding != Encoding::legacy)
    return !(byte >= 0x90 && byte <= 0x93) && !(byte >= 0xa0 && byte <= 0xa3); // no gather, scatter
  if (opcode.map != 0)
    return true;
  return (byte < 0x40 && (byte & 7U) < 4) || byte == 0x63 || byte == 0x69 || byte == 0x6b ||
         (byte >= 0x80 && byte < 0x90) || byte == 0xc0 || byte == 0xc1 || byte == 0xc6 ||
         byte == 0xc7 || (byte >= 0xd0 && byte < 0xd4) || (byte >= 0xd8 && byte < 0xe0) ||
         byte == 0xf6 || byte == 0xf7 || byte >= 0xfe;
}

std::uint64_t alignment_of(const Opcode& opcode) {
  if (opcode.encoding == Encoding::legacy)
    return opcode.map != 0 ? 16 : 1;
  const auto byte = opcode.byte;
  const bool is_move = opcode.map == 1 && (byte == 0x28 || byte == 0x29 || byte == 0x2b ||
                                           byte == 0x6f || byte == 0x7f || byte == 0xe7);
  const bool is_streaming_load = opcode.map == 2 && byte == 0x2a;
  return is_move || is_streaming_load ? opcode.vector_bytes : 1;
}

// The unit of a displacement of one byte. Of instructions on parts of vectors it is less, but these
// need no alignment.
std::int64_t displacement_unit(const Opcode& opcode) {
  if (opcode.encoding != Encoding::evex)
    return 1;
  if (opcode.is_broadcast)
    return opcode.is_wide ? 8 : 4;
  return static_cast<std::int64_t>(opcode.vector_bytes);
}

} // namespace

std::optional<MemoryOperand> memory_operand(const std::uint8_t* code,
                                            const std::uint64_t (&registers)[16]) {
  constexpr unsigned kStackPointer = 4, kFramePointer = 5;
  Opcode opcode;
  if (!read_opcode(code, opcode) || !has_operand(opcode))
    return std::nullopt;
  const auto mode = *code >> 6;
  const unsigned number = *code++ & 7U;
  if (mode == 3)
    return std::nullopt; // a register
  std::uint64_t address = 0;
  if (number == kStackPointer) {
    const auto scale = *code >> 6;
    const unsigned index = (*code >> 3 & 7U) + opcode.index_extension;
    const unsigned base = *code++ & 7U;
    if (index != kStackPointer)
      address = registers[index] << scale;
    if (mode == 0 && base == kFramePointer) {
      std::int32_t displacement = 0;
      std::memcpy(&displacement, code, sizeof displacement);
      return MemoryOperand{address + static_cast<std::uint64_t>(std::int64_t{displacement}),
                           alignment_of(opcode)};
    }
    address += registers[base + opcode.base_extension];
  } else if (mode == 0 && number == kFramePointer) {
    return std::nullopt; // relative to the next instruction
  } else {
    address = registers[number + opcode.base_extension];
  }
  std::int64_t displacement = 0;
  if (mode == 1) {
    displacement = static_cast<std::int8_t>(*code) * displacement_unit(opcode);
  } else if (mode == 2) {
    std::int32_t wide = 0;
    std::memcpy(&wide, code, sizeof wide);
    displacement = wide;
  }
  return MemoryOperand{address + static_cast<std::uint64_t>(displacement), alignment_of(opcode)};
}

} // namespace heddle
