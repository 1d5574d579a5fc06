// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the dynamic loader reads of a shared object's symbols.
#pragma once

#include "compiler/link/input_object.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/StringTableBuilder.h"

namespace heddle::compiler::elf {

class DynamicSymbols {
 public:
  // Adds .dynsym, .dynstr, .gnu.hash and, if functions of libraries are called, the sections of
  // versions to `outputs`. `object` outlives it.
  DynamicSymbols(const InputObject& object, OutputSections& outputs);

  // Collects the symbols and fixes the sizes of the sections. An error names an undefined symbol
  // that no library has.
  llvm::Error collect();
  // Writes the symbols, after layout.
  void write();

  // In .dynsym, of an undefined or exported symbol.
  std::uint32_t index(const Symbol& symbol) const { return indices_.lookup(&symbol); }
  // Where in .dynstr the names of the libraries are.
  llvm::ArrayRef<std::uint32_t> libraries() const { return library_names_; }

  OutputSection& symbols;
  OutputSection& names;
  OutputSection& hash;
  OutputSection* versions = nullptr; // .gnu.version
  OutputSection* needed = nullptr;   // .gnu.version_r

 private:
  struct Import {
    const Symbol* symbol;
    std::uint16_t version;
  };
  struct Library {
    llvm::StringRef name;
    llvm::SmallVector<std::pair<llvm::StringRef, std::uint16_t>, 4> versions;
  };

  llvm::Error add_import(const Symbol& symbol);
  std::uint16_t version_index(llvm::StringRef library, llvm::StringRef version);
  void sort_exports();
  void write_hash();
  void write_versions();

  const InputObject& object_;
  OutputSections& outputs_;
  std::vector<Import> imports_;
  std::vector<const Symbol*> exports_;
  std::vector<Library> libraries_;
  std::uint16_t next_version_ = llvm::ELF::VER_NDX_GLOBAL + 1;
  std::uint32_t bucket_count_ = 1;
  llvm::SmallVector<std::uint32_t, 2> library_names_;
  llvm::DenseMap<const Symbol*, std::uint32_t> indices_;
  llvm::StringTableBuilder name_table_{llvm::StringTableBuilder::ELF};
};

} // namespace heddle::compiler::elf
