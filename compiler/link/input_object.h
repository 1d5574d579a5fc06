// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The object file of a link: its sections, copied to output sections, and its symbols.
#pragma once

#include "compiler/link/output_section.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Error.h"

namespace heddle::compiler::elf {

using Symbol = llvm::object::ELF64LE::Sym;
using Relocation = llvm::object::ELF64LE::Rela;

class InputObject {
 public:
  struct Section {
    OutputSection* output = nullptr; // null: not part of the shared object
    std::uint64_t offset = 0;        // in the output section
    llvm::ArrayRef<Relocation> relocations;
  };

  // Copies what belongs into a shared object to `outputs`, sections of the same kind to one. An
  // error for what code generation does not produce: constructors, thread-local variables.
  static llvm::Expected<InputObject> read(llvm::StringRef bytes, OutputSections& outputs);

  llvm::ArrayRef<Section> sections() const { return sections_; }
  llvm::ArrayRef<Symbol> symbols() const { return symbols_; }
  // Empty if the name is damaged, which symbols() were checked for.
  llvm::StringRef name(const Symbol& symbol) const;
  // Null for undefined and absolute symbols, and for those of sections that are left out.
  const OutputSection* section(const Symbol& symbol) const;
  // Of a defined symbol, after layout.
  std::uint64_t address(const Symbol& symbol) const;

 private:
  llvm::Error read_sections(const llvm::object::ELFFile<llvm::object::ELF64LE>& file,
                            OutputSections& outputs);
  llvm::Error read_symbols(const llvm::object::ELFFile<llvm::object::ELF64LE>& file);

  std::vector<Section> sections_;
  llvm::ArrayRef<Symbol> symbols_;
  llvm::StringRef names_;
};

} // namespace heddle::compiler::elf
