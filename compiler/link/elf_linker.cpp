// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/link/elf_linker.h"

#include "compiler/link/dynamic_symbols.h"
#include "compiler/link/eh_frame_header.h"
#include "compiler/link/input_object.h"
#include "compiler/link/layout.h"
#include "compiler/link/relocations.h"
#include "compiler/support/build.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

namespace heddle::compiler {
namespace elf {
namespace {

using namespace llvm::ELF;
using llvm::CachedHashStringRef;

constexpr std::uint64_t kBuildIdOffset = sizeof(Elf64_Nhdr) + sizeof "GNU";

// .dynamic: what the dynamic loader asks for, by tag. Addresses are known after layout; before it
// the section's size is.
std::vector<Elf64_Dyn> dynamic_entries(const DynamicSymbols& symbols,
                                       const Relocations& relocations) {
  std::vector<Elf64_Dyn> entries;
  const auto add = [&](std::int64_t tag, std::uint64_t value) {
    Elf64_Dyn entry{};
    entry.d_tag = tag;
    entry.d_un.d_val = value;
    entries.push_back(entry);
  };
  for (const auto name : symbols.libraries())
    add(DT_NEEDED, name);
  add(DT_FLAGS, DF_SYMBOLIC | DF_BIND_NOW);
  add(DT_FLAGS_1, DF_1_NOW);
  if (const auto* section = relocations.dynamic()) {
    add(DT_RELA, section->address);
    add(DT_RELASZ, section->size());
    add(DT_RELAENT, section->entry_size);
    add(DT_RELACOUNT, relocations.relative_count());
  }
  add(DT_SYMTAB, symbols.symbols.address);
  add(DT_SYMENT, symbols.symbols.entry_size);
  add(DT_STRTAB, symbols.names.address);
  add(DT_STRSZ, symbols.names.size());
  add(DT_GNU_HASH, symbols.hash.address);
  if (symbols.versions != nullptr) {
    add(DT_VERSYM, symbols.versions->address);
    add(DT_VERNEED, symbols.needed->address);
    add(DT_VERNEEDNUM, symbols.needed->info);
  }
  add(DT_NULL, 0);
  return entries;
}

void write_entries(const std::vector<Elf64_Dyn>& entries, OutputSection& dynamic) {
  dynamic.content.clear();
  for (const auto& entry : entries)
    append(dynamic.content, entry);
}

OutputSection& add_build_id(OutputSections& sections) {
  auto& note = sections.emplace_back(".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 4);
  append(note.content, Elf64_Nhdr{sizeof "GNU", sizeof(std::uint64_t), NT_GNU_BUILD_ID});
  append(note.content, "GNU");
  append(note.content, std::uint64_t{0});
  return note;
}

// .symtab, for perf and gdb: all symbols with a name, those that are not exported as local ones.
class SymbolTable {
 public:
  SymbolTable(const InputObject& object, OutputSections& sections)
      : object_(object),
        table_(sections.emplace_back(".symtab", SHT_SYMTAB, 0, 8, sizeof(Elf64_Sym))),
        names_(sections.emplace_back(".strtab", SHT_STRTAB, 0, 1)) {
    table_.link = &names_;
    for (const bool wants_local : {true, false}) {
      for (const auto& symbol : object.symbols())
        if (is_wanted(symbol) && is_local(symbol) == wants_local)
          symbols_.push_back(&symbol);
      if (wants_local)
        table_.info = static_cast<std::uint32_t>(symbols_.size()) + 1;
    }
    llvm::StringTableBuilder names(llvm::StringTableBuilder::ELF);
    for (const auto* symbol : symbols_)
      name_offsets_.push_back(
          static_cast<std::uint32_t>(names.add(CachedHashStringRef(object.name(*symbol)))));
    names.finalizeInOrder();
    names_.content.resize(names.getSize());
    names.write(reinterpret_cast<std::uint8_t*>(names_.content.data()));
    table_.content.resize((symbols_.size() + 1) * sizeof(Elf64_Sym));
  }

  void write() {
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      const auto& symbol = *symbols_[i];
      const auto* section = object_.section(symbol);
      Elf64_Sym entry{};
      entry.st_name = name_offsets_[i];
      entry.setBindingAndType(is_local(symbol) ? std::uint8_t{STB_LOCAL} : symbol.getBinding(),
                              symbol.getType());
      entry.st_other = symbol.st_other;
      entry.st_shndx = section != nullptr ? static_cast<Elf64_Half>(section->index)
                                          : static_cast<Elf64_Half>(symbol.st_shndx);
      entry.st_value = object_.address(symbol);
      entry.st_size = symbol.st_size;
      put(table_.content, (i + 1) * sizeof entry, entry);
    }
  }

 private:
  bool is_wanted(const Symbol& symbol) const {
    const auto name = object_.name(symbol);
    const bool is_known = symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS ||
                          object_.section(symbol) != nullptr;
    return is_known && !name.empty() && symbol.getType() != STT_SECTION && !name.starts_with(".L");
  }
  static bool is_local(const Symbol& symbol) {
    return symbol.getBinding() == STB_LOCAL ||
           (symbol.st_shndx != SHN_UNDEF &&
            (symbol.getVisibility() == STV_HIDDEN || symbol.getVisibility() == STV_INTERNAL));
  }

  const InputObject& object_;
  OutputSection& table_;
  OutputSection& names_;
  std::vector<const Symbol*> symbols_;
  std::vector<std::uint32_t> name_offsets_;
};

// .shstrtab: the offset of each section's name.
std::vector<std::uint32_t> add_section_names(OutputSections& sections) {
  auto& table = sections.emplace_back(".shstrtab", SHT_STRTAB, 0, 1);
  llvm::StringTableBuilder names(llvm::StringTableBuilder::ELF);
  std::vector<std::uint32_t> offsets;
  for (const auto& section : sections)
    offsets.push_back(static_cast<std::uint32_t>(names.add(CachedHashStringRef(section.name))));
  names.finalizeInOrder();
  table.content.resize(names.getSize());
  names.write(reinterpret_cast<std::uint8_t*>(table.content.data()));
  return offsets;
}

template <typename T>
void put(std::vector<std::byte>& file, std::uint64_t offset, const T& value) {
  std::memcpy(file.data() + offset, &value, sizeof value);
}

void put_headers(std::vector<std::byte>& file, const Layout& layout) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ElfMagic, sizeof ElfMagic - 1);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_DYN;
  header.e_machine = kArchitecture.machine;
  header.e_version = EV_CURRENT;
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_phoff = sizeof(Elf64_Ehdr);
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = static_cast<Elf64_Half>(layout.segments.size());
  header.e_shoff = layout.section_headers;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<Elf64_Half>(layout.sections.size() + 1);
  header.e_shstrndx = static_cast<Elf64_Half>((*llvm::find_if(layout.sections, [](const auto* s) {
                                                return s->name == ".shstrtab";
                                              }))->index);
  put(file, 0, header);
  auto offset = header.e_phoff;
  for (const auto& segment : layout.segments) {
    put(file, offset, segment);
    offset += sizeof segment;
  }
}

void put_section(std::vector<std::byte>& file, const OutputSection& section, std::uint32_t name,
                 const Layout& layout) {
  Elf64_Shdr header{};
  header.sh_name = name;
  header.sh_type = section.type;
  header.sh_flags = section.flags;
  header.sh_addr = section.address;
  header.sh_offset = section.offset;
  header.sh_size = section.size();
  header.sh_link = section.link != nullptr ? section.link->index : 0;
  header.sh_info = section.info;
  header.sh_addralign = section.alignment;
  header.sh_entsize = section.entry_size;
  put(file, layout.section_headers + section.index * sizeof header, header);
  if (!section.content.empty())
    std::memcpy(file.data() + section.offset, section.content.data(), section.content.size());
}

llvm::Expected<std::vector<std::byte>> link(llvm::StringRef bytes) {
  OutputSections sections;
  auto object = InputObject::read(bytes, sections);
  if (!object)
    return object.takeError();
  auto& build_id = add_build_id(sections);
  DynamicSymbols symbols(*object, sections);
  Relocations relocations(*object, sections);
  if (auto error = symbols.collect())
    return error;
  if (auto error = relocations.scan(symbols))
    return error;
  auto unwinding = EhFrameHeader::add(sections);
  if (!unwinding)
    return unwinding.takeError();
  auto& dynamic =
      sections.emplace_back(".dynamic", SHT_DYNAMIC, SHF_ALLOC | SHF_WRITE, 8, sizeof(Elf64_Dyn));
  dynamic.link = &symbols.names;
  write_entries(dynamic_entries(symbols, relocations), dynamic);
  SymbolTable symbol_table(*object, sections);
  const auto names = add_section_names(sections);

  const auto layout = lay_out(sections);
  if (auto error = relocations.apply(symbols))
    return error;
  symbols.write();
  unwinding->write();
  symbol_table.write();
  write_entries(dynamic_entries(symbols, relocations), dynamic);

  std::vector<std::byte> file(layout.size);
  put_headers(file, layout);
  for (std::size_t i = 0; i < sections.size(); ++i)
    put_section(file, sections[i], names[i], layout);
  put(file, build_id.offset + kBuildIdOffset,
      llvm::xxh3_64bits({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()}));
  return file;
}

} // namespace
} // namespace elf

bool link_shared_object(llvm::ArrayRef<char> object, Build& build, std::vector<std::byte>& output) {
  auto file = elf::link({object.data(), object.size()});
  if (!file)
    return build.error("the program cannot be linked: " + llvm::toString(file.takeError()));
  output = std::move(*file);
  return true;
}

} // namespace heddle::compiler
