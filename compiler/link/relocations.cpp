// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/link/relocations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace heddle::compiler::elf {
namespace {

using namespace llvm::ELF;

constexpr std::uint64_t kSlotSize = 8;
constexpr std::uint64_t kPltEntrySize = 16;
// jmp *slot(%rip); the rest is never executed.
constexpr std::uint8_t kPltEntry[kPltEntrySize] = {0xff, 0x25, 0,    0,    0,    0,    0xcc, 0xcc,
                                                   0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc};
constexpr std::uint64_t kPltOperand = 2; // offset of the distance to the slot
constexpr std::uint64_t kPltNext = 6;    // from where it is counted

llvm::Error cannot_link(std::uint32_t type, llvm::StringRef name) {
  return llvm::createStringError(
      "a kernel object cannot have the relocation " +
      llvm::object::getELFRelocationTypeName(EM_X86_64, type) +
      (name.empty() ? llvm::Twine() : llvm::Twine(" of symbol '") + name + "'"));
}

llvm::Error out_of_range() { return llvm::createStringError("the program is too large"); }

Elf64_Rela dynamic_relocation(std::uint64_t address, std::uint32_t symbol, std::uint32_t type,
                              std::int64_t addend) {
  Elf64_Rela relocation{};
  relocation.r_offset = address;
  relocation.setSymbolAndType(symbol, type);
  relocation.r_addend = addend;
  return relocation;
}

std::uint64_t width(std::uint32_t type) {
  return type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
}

} // namespace

llvm::Error Relocations::scan(const DynamicSymbols& symbols) {
  for (const auto& section : object_.sections())
    if (section.output != nullptr)
      for (const auto& relocation : section.relocations)
        if (auto error = scan(section, relocation))
          return error;
  dynamic_count_ += static_cast<std::uint64_t>(llvm::count_if(
      got_symbols_, [](const Symbol* symbol) { return symbol->st_shndx != SHN_ABS; }));
  if (dynamic_count_ != 0) {
    dynamic_ = &outputs_.emplace_back(".rela.dyn", SHT_RELA, SHF_ALLOC, 8, sizeof(Elf64_Rela));
    dynamic_->link = &symbols.symbols;
    dynamic_->content.resize(dynamic_count_ * sizeof(Elf64_Rela));
  }
  if (!got_symbols_.empty()) {
    got_ =
        &outputs_.emplace_back(".got", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, kSlotSize, kSlotSize);
    got_->content.resize(got_symbols_.size() * kSlotSize);
  }
  if (!plt_symbols_.empty()) {
    plt_ = &outputs_.emplace_back(".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, kPltEntrySize,
                                  kPltEntrySize);
    plt_->content.resize(plt_symbols_.size() * kPltEntrySize);
  }
  return llvm::Error::success();
}

llvm::Error Relocations::scan(const InputObject::Section& section, const Relocation& relocation) {
  const auto type = relocation.getType(false);
  if (type == R_X86_64_NONE)
    return llvm::Error::success();
  if (relocation.getSymbol(false) >= object_.symbols().size())
    return cannot_link(type, "");
  const auto& target = symbol(relocation);
  const auto name = object_.name(target);
  const auto& output = *section.output;
  const auto size = output.content.size() - section.offset; // of this section and those after it
  if (!output.has_content() || relocation.r_offset > size ||
      size - relocation.r_offset < width(type))
    return cannot_link(type, name);
  const bool is_undefined = target.st_shndx == SHN_UNDEF;
  const bool is_loaded = output.has(SHF_ALLOC);
  switch (type) {
  case R_X86_64_64:
    if (is_loaded && (target.st_shndx != SHN_ABS)) {
      if (!output.has(SHF_WRITE))
        return cannot_link(type, name);
      ++dynamic_count_;
    }
    return llvm::Error::success();
  case R_X86_64_32:
  case R_X86_64_32S:
    return is_loaded && (target.st_shndx != SHN_ABS) ? cannot_link(type, name)
                                                     : llvm::Error::success();
  case R_X86_64_PLT32:
    if (is_undefined && plt_entries_.try_emplace(&target, plt_symbols_.size()).second) {
      plt_symbols_.push_back(&target);
      add_got_slot(target);
    }
    return llvm::Error::success();
  case R_X86_64_PC32:
  case R_X86_64_PC64:
    return is_loaded && is_undefined ? cannot_link(type, name) : llvm::Error::success();
  case R_X86_64_GOTPCREL:
  case R_X86_64_GOTPCRELX:
  case R_X86_64_REX_GOTPCRELX:
  case R_X86_64_CODE_4_GOTPCRELX:
    add_got_slot(target);
    return llvm::Error::success();
  default:
    return cannot_link(type, name);
  }
}

void Relocations::add_got_slot(const Symbol& symbol) {
  if (got_slots_.try_emplace(&symbol, got_symbols_.size()).second)
    got_symbols_.push_back(&symbol);
}

llvm::Error Relocations::apply(const DynamicSymbols& symbols) {
  for (const auto& section : object_.sections())
    if (section.output != nullptr)
      for (const auto& relocation : section.relocations)
        if (auto error = apply(section, relocation, symbols))
          return error;
  write_got(symbols);
  write_plt();
  if (dynamic_ == nullptr)
    return llvm::Error::success();
  std::uint64_t offset = 0;
  for (const auto* relocations : {&relative_, &symbolic_})
    for (const auto& relocation : *relocations) {
      put(dynamic_->content, offset, relocation);
      offset += sizeof relocation;
    }
  return llvm::Error::success();
}

llvm::Error Relocations::apply(const InputObject::Section& section, const Relocation& relocation,
                               const DynamicSymbols& symbols) {
  const Place place{*section.output, section.offset + relocation.r_offset};
  const auto& target = symbol(relocation);
  const std::int64_t addend = relocation.r_addend;
  const auto distance = [&](std::uint64_t address) {
    return static_cast<std::int64_t>(address - place.section.address - place.offset) + addend;
  };
  switch (relocation.getType(false)) {
  case R_X86_64_64:
    return put_absolute(place, target, addend, symbols);
  case R_X86_64_32:
    return put_32(place, static_cast<std::int64_t>(object_.address(target)) + addend, false);
  case R_X86_64_32S:
    return put_32(place, static_cast<std::int64_t>(object_.address(target)) + addend, true);
  case R_X86_64_PC32:
    return put_32(place, distance(object_.address(target)), true);
  case R_X86_64_PLT32:
    return put_32(
        place,
        distance(target.st_shndx == SHN_UNDEF ? plt_address(target) : object_.address(target)),
        true);
  case R_X86_64_PC64:
    put(place.section.content, place.offset, distance(object_.address(target)));
    return llvm::Error::success();
  case R_X86_64_NONE:
    return llvm::Error::success();
  default: // scan() took only those of the GOT
    return put_32(place, distance(got_address(target)), true);
  }
}

llvm::Error Relocations::put_absolute(const Place& place, const Symbol& symbol, std::int64_t addend,
                                      const DynamicSymbols& symbols) {
  const auto value = static_cast<std::int64_t>(object_.address(symbol)) + addend;
  const auto address = place.section.address + place.offset;
  if (!place.section.has(SHF_ALLOC) || symbol.st_shndx == SHN_ABS)
    put(place.section.content, place.offset, value);
  else if (symbol.st_shndx == SHN_UNDEF)
    symbolic_.push_back(dynamic_relocation(address, symbols.index(symbol), R_X86_64_64, addend));
  else
    relative_.push_back(dynamic_relocation(address, 0, R_X86_64_RELATIVE, value));
  return llvm::Error::success();
}

llvm::Error Relocations::put_32(const Place& place, std::int64_t value, bool is_signed) {
  if (is_signed ? !llvm::isInt<32>(value) : !llvm::isUInt<32>(value))
    return out_of_range();
  put(place.section.content, place.offset, static_cast<std::uint32_t>(value));
  return llvm::Error::success();
}

void Relocations::write_got(const DynamicSymbols& symbols) {
  for (const auto* symbol : got_symbols_) {
    const auto address = got_address(*symbol);
    if (symbol->st_shndx == SHN_UNDEF)
      symbolic_.push_back(
          dynamic_relocation(address, symbols.index(*symbol), R_X86_64_GLOB_DAT, 0));
    else if (symbol->st_shndx != SHN_ABS)
      relative_.push_back(dynamic_relocation(address, 0, R_X86_64_RELATIVE,
                                             static_cast<std::int64_t>(object_.address(*symbol))));
    else
      put(got_->content, address - got_->address, object_.address(*symbol));
  }
}

void Relocations::write_plt() {
  for (const auto* symbol : plt_symbols_) {
    const auto address = plt_address(*symbol);
    const auto offset = address - plt_->address;
    put(plt_->content, offset, kPltEntry);
    put(plt_->content, offset + kPltOperand,
        static_cast<std::int32_t>(got_address(*symbol) - address - kPltNext));
  }
}

std::uint64_t Relocations::got_address(const Symbol& symbol) const {
  return got_->address + got_slots_.lookup(&symbol) * kSlotSize;
}

std::uint64_t Relocations::plt_address(const Symbol& symbol) const {
  return plt_->address + plt_entries_.lookup(&symbol) * kPltEntrySize;
}

} // namespace heddle::compiler::elf
