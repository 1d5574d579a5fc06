// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the linker of kernels (compiler/link) has to know of the architecture's object files.
// Defined in the target's folder.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace heddle::compiler::elf {

// How the value of a relocation is made.
struct RelocationForm {
  enum class Of {
    nothing,
    symbol,
    call, // the symbol, or its entry in .plt if it is in another library
    slot, // the address of the symbol's slot in .got
  } of;
  enum class From {
    zero,    // the address
    place,   // the distance from the place that is relocated
    page,    // the distance of pages of 4 KiB
    in_page, // the address within its page
  } from;
  unsigned bytes; // of the place
};

// Nothing if objects of kernels cannot have relocations of the type.
std::optional<RelocationForm> relocation_form(std::uint32_t type);
// Changes the bytes at `place`. False if the value does not fit.
bool put_relocated(std::uint32_t type, char* place, std::int64_t value);

struct Architecture {
  std::uint16_t machine; // EM_*
  // Types for the dynamic loader: a symbol's address, the address of the shared object and an
  // addend, a symbol's address in a slot.
  std::uint32_t absolute, relative, slot;
  // The type of sections with information for unwinding, besides SHT_PROGBITS.
  std::uint32_t unwind_section;
  char padding; // between functions; never executed
  // The largest pages that systems have: parts of shared objects with other access are on pages of
  // their own.
  std::uint64_t largest_page;
  // The first version of its C library: functions that are older there have it, too.
  llvm::StringLiteral oldest_glibc;
};
extern const Architecture kArchitecture;

constexpr std::uint64_t kPltEntrySize = 16;
// A jump to the address that is in the slot.
void write_plt_entry(char* entry, std::uint64_t address, std::uint64_t slot);

} // namespace heddle::compiler::elf
