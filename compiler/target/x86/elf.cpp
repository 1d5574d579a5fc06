// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/elf.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

namespace heddle::compiler::elf {
namespace {

using namespace llvm::ELF;

// jmp *slot(%rip); the rest is never executed.
constexpr std::uint8_t kPltEntry[kPltEntrySize] = {0xff, 0x25, 0,    0,    0,    0,    0xcc, 0xcc,
                                                   0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc};
constexpr std::uint64_t kPltOperand = 2; // offset of the distance to the slot
constexpr std::uint64_t kPltNext = 6;    // from where it is counted

template <typename T>
bool put(char* place, std::int64_t value) {
  const auto stored = static_cast<T>(value);
  std::memcpy(place, &stored, sizeof stored);
  return static_cast<std::int64_t>(stored) == value;
}

} // namespace

const Architecture kArchitecture = {
    .machine = EM_X86_64,
    .absolute = R_X86_64_64,
    .relative = R_X86_64_RELATIVE,
    .slot = R_X86_64_GLOB_DAT,
    .unwind_section = SHT_X86_64_UNWIND,
    .padding = '\xcc',
    .largest_page = 4096,
    .oldest_glibc = "GLIBC_2.2.5",
};

std::optional<RelocationForm> relocation_form(std::uint32_t type) {
  using Of = RelocationForm::Of;
  using From = RelocationForm::From;
  switch (type) {
  case R_X86_64_NONE:
    return {{Of::nothing, From::zero, 0}};
  case R_X86_64_64:
    return {{Of::symbol, From::zero, 8}};
  case R_X86_64_32:
  case R_X86_64_32S:
    return {{Of::symbol, From::zero, 4}};
  case R_X86_64_PC32:
    return {{Of::symbol, From::place, 4}};
  case R_X86_64_PC64:
    return {{Of::symbol, From::place, 8}};
  case R_X86_64_PLT32:
    return {{Of::call, From::place, 4}};
  case R_X86_64_GOTPCREL:
  case R_X86_64_GOTPCRELX:
  case R_X86_64_REX_GOTPCRELX:
  case R_X86_64_CODE_4_GOTPCRELX:
    return {{Of::slot, From::place, 4}};
  default:
    return std::nullopt;
  }
}

bool put_relocated(std::uint32_t type, char* place, std::int64_t value) {
  switch (type) {
  case R_X86_64_64:
  case R_X86_64_PC64:
    return put<std::int64_t>(place, value);
  case R_X86_64_32:
    return put<std::uint32_t>(place, value);
  default:
    return put<std::int32_t>(place, value);
  }
}

void write_plt_entry(char* entry, std::uint64_t address, std::uint64_t slot) {
  std::memcpy(entry, kPltEntry, sizeof kPltEntry);
  put<std::int32_t>(entry + kPltOperand, static_cast<std::int64_t>(slot - address - kPltNext));
}

} // namespace heddle::compiler::elf
