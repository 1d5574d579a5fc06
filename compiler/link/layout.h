// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the sections of a shared object are in the file and in memory.
#pragma once

#include "compiler/link/output_section.h"
#include "llvm/ADT/SmallVector.h"

namespace heddle::compiler::elf {

struct Layout {
  llvm::SmallVector<OutputSection*, 32> sections; // in the order of their indices, from 1
  llvm::SmallVector<llvm::ELF::Elf64_Phdr, 10> segments;
  std::uint64_t section_headers = 0; // their offset in the file
  std::uint64_t size = 0;            // of the file
};

// Fixes index, offset and address of the sections: read-only ones, code, those that are written
// while the object is loaded, those that programs write, and what is not loaded.
Layout lay_out(OutputSections& sections);

} // namespace heddle::compiler::elf
