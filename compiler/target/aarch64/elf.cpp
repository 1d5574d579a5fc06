// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/elf.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

namespace heddle::compiler::elf {
namespace {

using namespace llvm::ELF;

// adrp x16, page; ldr x17, [x16, offset]; br x17; the last one is never executed.
constexpr std::uint32_t kPltEntry[kPltEntrySize / 4] = {0x90000010, 0xf9400211, 0xd61f0220,
                                                        0xd4200020};
constexpr std::uint64_t kPage = 4096; // of ADRP, whatever the system's are

template <typename T>
bool put(char* place, std::int64_t value) {
  const auto stored = static_cast<T>(value);
  std::memcpy(place, &stored, sizeof stored);
  return static_cast<std::int64_t>(stored) == value;
}

// Into an instruction's bits that are zeros, as they are in objects.
void put_bits(char* place, std::uint32_t bits) {
  std::uint32_t instruction = 0;
  std::memcpy(&instruction, place, sizeof instruction);
  instruction |= bits;
  std::memcpy(place, &instruction, sizeof instruction);
}

// ADR and ADRP: the two lowest bits stand apart.
bool put_adr(char* place, std::int64_t value) {
  const auto bits = static_cast<std::uint32_t>(value);
  put_bits(place, (bits & 3) << 29 | (bits >> 2 & 0x7ffff) << 5);
  return llvm::isInt<21>(value);
}

// The distance in instructions, for the `width` bits from bit `first` on.
bool put_branch(char* place, std::int64_t value, unsigned first, unsigned width) {
  const auto words = value >> 2;
  put_bits(place, (static_cast<std::uint32_t>(words) & ((1U << width) - 1)) << first);
  return value % 4 == 0 && llvm::isIntN(width, words);
}

// Of loads and stores: in units of what they access.
bool put_offset(char* place, std::int64_t value, unsigned shift) {
  const auto units = value >> shift;
  put_bits(place, static_cast<std::uint32_t>(units) << 10);
  return units << shift == value;
}

} // namespace

const Architecture kArchitecture = {
    .machine = EM_AARCH64,
    .absolute = R_AARCH64_ABS64,
    .relative = R_AARCH64_RELATIVE,
    .slot = R_AARCH64_GLOB_DAT,
    .unwind_section = SHT_PROGBITS,
    .padding = '\0',
    .largest_page = 65536,
    .oldest_glibc = "GLIBC_2.17",
};

std::optional<RelocationForm> relocation_form(std::uint32_t type) {
  using Of = RelocationForm::Of;
  using From = RelocationForm::From;
  switch (type) {
  case R_AARCH64_NONE:
    return {{Of::nothing, From::zero, 0}};
  case R_AARCH64_ABS64:
    return {{Of::symbol, From::zero, 8}};
  case R_AARCH64_ABS32:
    return {{Of::symbol, From::zero, 4}};
  case R_AARCH64_PREL64:
    return {{Of::symbol, From::place, 8}};
  case R_AARCH64_PREL32:
  case R_AARCH64_ADR_PREL_LO21:
  case R_AARCH64_CONDBR19:
  case R_AARCH64_TSTBR14:
    return {{Of::symbol, From::place, 4}};
  case R_AARCH64_PLT32:
  case R_AARCH64_CALL26:
  case R_AARCH64_JUMP26:
    return {{Of::call, From::place, 4}};
  case R_AARCH64_ADR_PREL_PG_HI21:
    return {{Of::symbol, From::page, 4}};
  case R_AARCH64_ADD_ABS_LO12_NC:
  case R_AARCH64_LDST8_ABS_LO12_NC:
  case R_AARCH64_LDST16_ABS_LO12_NC:
  case R_AARCH64_LDST32_ABS_LO12_NC:
  case R_AARCH64_LDST64_ABS_LO12_NC:
  case R_AARCH64_LDST128_ABS_LO12_NC:
    return {{Of::symbol, From::in_page, 4}};
  case R_AARCH64_ADR_GOT_PAGE:
    return {{Of::slot, From::page, 4}};
  case R_AARCH64_LD64_GOT_LO12_NC:
    return {{Of::slot, From::in_page, 4}};
  default:
    return std::nullopt;
  }
}

bool put_relocated(std::uint32_t type, char* place, std::int64_t value) {
  switch (type) {
  case R_AARCH64_ABS64:
  case R_AARCH64_PREL64:
    return put<std::int64_t>(place, value);
  case R_AARCH64_ABS32:
    return put<std::uint32_t>(place, value);
  case R_AARCH64_ADR_PREL_LO21:
    return put_adr(place, value);
  case R_AARCH64_ADR_PREL_PG_HI21:
  case R_AARCH64_ADR_GOT_PAGE:
    return put_adr(place, value / static_cast<std::int64_t>(kPage));
  case R_AARCH64_CALL26:
  case R_AARCH64_JUMP26:
    return put_branch(place, value, 0, 26);
  case R_AARCH64_CONDBR19:
    return put_branch(place, value, 5, 19);
  case R_AARCH64_TSTBR14:
    return put_branch(place, value, 5, 14);
  case R_AARCH64_ADD_ABS_LO12_NC:
  case R_AARCH64_LDST8_ABS_LO12_NC:
    return put_offset(place, value, 0);
  case R_AARCH64_LDST16_ABS_LO12_NC:
    return put_offset(place, value, 1);
  case R_AARCH64_LDST32_ABS_LO12_NC:
    return put_offset(place, value, 2);
  case R_AARCH64_LDST64_ABS_LO12_NC:
  case R_AARCH64_LD64_GOT_LO12_NC:
    return put_offset(place, value, 3);
  case R_AARCH64_LDST128_ABS_LO12_NC:
    return put_offset(place, value, 4);
  default: // PREL32, PLT32
    return put<std::int32_t>(place, value);
  }
}

void write_plt_entry(char* entry, std::uint64_t address, std::uint64_t slot) {
  std::memcpy(entry, kPltEntry, sizeof kPltEntry);
  put_adr(entry, static_cast<std::int64_t>(slot / kPage - address / kPage));
  put_offset(entry + 4, static_cast<std::int64_t>(slot % kPage), 3);
}

} // namespace heddle::compiler::elf
