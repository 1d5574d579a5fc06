// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/link/input_object.h"

#include "compiler/target/elf.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace heddle::compiler::elf {
namespace {

using namespace llvm::ELF;
using File = llvm::object::ELFFile<llvm::object::ELF64LE>;
using SectionHeader = llvm::object::ELF64LE::Shdr;

constexpr std::uint64_t kKeptFlags = SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR;

llvm::Error unsupported(const llvm::Twine& what) {
  return llvm::createStringError("a kernel object cannot have " + what);
}

// Code generation makes a section for each size of constants, and one for each variable on request.
llvm::StringRef output_name(llvm::StringRef name) {
  for (const llvm::StringRef prefix : {".text", ".rodata", ".data.rel.ro", ".data", ".bss"}) {
    const auto rest = name.substr(prefix.size());
    if (name.starts_with(prefix) && (rest.empty() || rest.front() == '.'))
      return prefix;
  }
  return name;
}

bool is_kept(const SectionHeader& header, llvm::StringRef name) {
  if ((header.sh_flags & SHF_ALLOC) != 0)
    return true;
  return header.sh_type == SHT_PROGBITS && (header.sh_flags & SHF_EXCLUDE) == 0 &&
         name != ".note.GNU-stack";
}

llvm::Error check(const SectionHeader& header, llvm::StringRef name) {
  const bool known = header.sh_type == SHT_PROGBITS || header.sh_type == SHT_NOBITS ||
                     header.sh_type == SHT_NOTE || header.sh_type == kArchitecture.unwind_section;
  if (!known)
    return unsupported("the section " + name);
  if ((header.sh_flags & SHF_TLS) != 0)
    return unsupported("thread-local variables");
  if ((header.sh_flags & SHF_COMPRESSED) != 0)
    return unsupported("compressed sections");
  return llvm::Error::success();
}

OutputSection& find_or_add(OutputSections& outputs, const SectionHeader& header,
                           llvm::StringRef input_name) {
  const auto name = output_name(input_name);
  const auto flags = header.sh_flags & kKeptFlags;
  const auto type = header.sh_type == kArchitecture.unwind_section ? SHT_PROGBITS : header.sh_type;
  const auto same = llvm::find_if(outputs, [&](const OutputSection& output) {
    return output.name == name && (output.flags & kKeptFlags) == flags && output.type == type;
  });
  if (same != outputs.end()) { // strings of two sections are not merged
    same->flags = flags;
    same->entry_size = 0;
    return *same;
  }
  // Readers of debug information like to know where strings are.
  const bool loaded = (flags & SHF_ALLOC) != 0;
  return outputs.emplace_back(
      name, type, loaded ? flags : flags | (header.sh_flags & (SHF_MERGE | SHF_STRINGS)), 1,
      loaded ? 0 : std::uint64_t{header.sh_entsize});
}

llvm::Error copy(const File& file, const SectionHeader& header, OutputSection& output,
                 std::uint64_t& offset) {
  const auto alignment = std::max<std::uint64_t>(header.sh_addralign, 1);
  if (!llvm::isPowerOf2_64(alignment))
    return unsupported("an alignment that is no power of two");
  output.alignment = std::max(output.alignment, alignment);
  offset = llvm::alignTo(output.size(), alignment);
  if (!output.has_content()) {
    output.memory_size = offset + header.sh_size;
    return llvm::Error::success();
  }
  auto bytes = file.getSectionContents(header);
  if (!bytes)
    return bytes.takeError();
  // What is between functions is never executed.
  output.content.resize(offset, output.has(SHF_EXECINSTR) ? kArchitecture.padding : '\0');
  output.content.insert(output.content.end(), bytes->begin(), bytes->end());
  return llvm::Error::success();
}

} // namespace

llvm::Expected<InputObject> InputObject::read(llvm::StringRef bytes, OutputSections& outputs) {
  auto file = File::create(bytes);
  if (!file)
    return file.takeError();
  if (file->getHeader().e_type != ET_REL || file->getHeader().e_machine != kArchitecture.machine)
    return llvm::createStringError("the object is not one for this architecture");
  InputObject object;
  if (auto error = object.read_sections(*file, outputs))
    return error;
  if (auto error = object.read_symbols(*file))
    return error;
  return object;
}

llvm::Error InputObject::read_sections(const File& file, OutputSections& outputs) {
  auto headers = file.sections();
  if (!headers)
    return headers.takeError();
  sections_.resize(headers->size());
  for (std::size_t i = 0; i < headers->size(); ++i) {
    const auto& header = (*headers)[i];
    auto name = file.getSectionName(header);
    if (!name)
      return name.takeError();
    if (!is_kept(header, *name))
      continue;
    if (auto error = check(header, *name))
      return error;
    auto& section = sections_[i];
    section.output = &find_or_add(outputs, header, *name);
    if (auto error = copy(file, header, *section.output, section.offset))
      return error;
  }
  for (const auto& header : *headers) {
    if (header.sh_type == SHT_REL || header.sh_type == SHT_CREL)
      return unsupported("relocations of this form");
    if (header.sh_type != SHT_RELA || header.sh_info >= sections_.size())
      continue;
    auto relocations = file.relas(header);
    if (!relocations)
      return relocations.takeError();
    sections_[header.sh_info].relocations = *relocations;
  }
  return llvm::Error::success();
}

llvm::Error InputObject::read_symbols(const File& file) {
  for (const auto& header : llvm::cantFail(file.sections())) {
    if (header.sh_type != SHT_SYMTAB)
      continue;
    auto symbols = file.symbols(&header);
    if (!symbols)
      return symbols.takeError();
    auto names = file.getStringTableForSymtab(header);
    if (!names)
      return names.takeError();
    symbols_ = *symbols;
    names_ = *names;
  }
  for (const auto& symbol : symbols_) {
    if (symbol.st_name >= std::max<std::size_t>(names_.size(), 1))
      return llvm::createStringError("a symbol's name is outside of its table");
    if (symbol.getType() == STT_TLS || symbol.getType() == STT_GNU_IFUNC)
      return unsupported("the symbol " + name(symbol));
    const bool special = symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS;
    if (!special && symbol.st_shndx >= sections_.size())
      return unsupported("the symbol " + name(symbol) + " in this section");
  }
  return llvm::Error::success();
}

llvm::StringRef InputObject::name(const Symbol& symbol) const {
  return names_.empty() ? "" : llvm::StringRef(names_.data() + symbol.st_name);
}

const OutputSection* InputObject::section(const Symbol& symbol) const {
  const bool special = symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS;
  return special ? nullptr : sections_[symbol.st_shndx].output;
}

std::uint64_t InputObject::address(const Symbol& symbol) const {
  const auto* output = section(symbol);
  return symbol.st_value +
         (output != nullptr ? output->address + sections_[symbol.st_shndx].offset : 0);
}

} // namespace heddle::compiler::elf
