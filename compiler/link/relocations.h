// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relocations of an object: applied, or passed on to the dynamic loader.
#pragma once

#include "compiler/link/dynamic_symbols.h"
#include "compiler/target/elf.h"

namespace heddle::compiler::elf {

class Relocations {
 public:
  // Adds .rela.dyn, and .got and .plt if they are needed, to `outputs`.
  Relocations(const InputObject& object, OutputSections& outputs)
      : object_(object), outputs_(outputs) {}

  // Fixes the sizes of the sections. An error for relocations that cannot be in a shared object.
  llvm::Error scan(const DynamicSymbols& symbols);
  // After layout. An error if a value does not fit.
  llvm::Error apply(const DynamicSymbols& symbols);

  const OutputSection* dynamic() const { return dynamic_; } // null: there are none
  // How many of them are relative; these come first.
  std::uint64_t relative_count() const { return relative_.size(); }

 private:
  struct Place {
    OutputSection& section;
    std::uint64_t offset;
  };

  llvm::Error scan(const InputObject::Section& section, const Relocation& relocation);
  llvm::Error apply(const InputObject::Section& section, const Relocation& relocation,
                    const DynamicSymbols& symbols);
  llvm::Error put_absolute(const Place& place, const Symbol& symbol, std::int64_t addend,
                           const DynamicSymbols& symbols);
  // Of what is not for the dynamic loader, at the address `place`.
  std::int64_t value_of(const RelocationForm& form, const Symbol& target, std::int64_t addend,
                        std::uint64_t place) const;
  void add_got_slot(const Symbol& symbol);
  void write_got(const DynamicSymbols& symbols);
  void write_plt();
  const Symbol& symbol(const Relocation& relocation) const {
    return object_.symbols()[relocation.getSymbol(false)];
  }
  std::uint64_t got_address(const Symbol& symbol) const;
  std::uint64_t plt_address(const Symbol& symbol) const;

  const InputObject& object_;
  OutputSections& outputs_;
  OutputSection* dynamic_ = nullptr;
  OutputSection* got_ = nullptr;
  OutputSection* plt_ = nullptr;
  std::vector<const Symbol*> got_symbols_, plt_symbols_;
  llvm::DenseMap<const Symbol*, std::uint32_t> got_slots_, plt_entries_;
  std::uint64_t dynamic_count_ = 0;
  std::vector<llvm::ELF::Elf64_Rela> relative_, symbolic_;
};

} // namespace heddle::compiler::elf
