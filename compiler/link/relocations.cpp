// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/link/relocations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace heddle::compiler::elf {
namespace {

using namespace llvm::ELF;

constexpr std::uint64_t kSlotSize = 8;
constexpr std::uint64_t kPage = 4096;

llvm::Error cannot_link(std::uint32_t type, llvm::StringRef name) {
  return llvm::createStringError(
      "a kernel object cannot have the relocation " +
      llvm::object::getELFRelocationTypeName(kArchitecture.machine, type) +
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
  const auto form = relocation_form(type);
  if (form && form->of == RelocationForm::Of::nothing)
    return llvm::Error::success();
  if (relocation.getSymbol(false) >= object_.symbols().size())
    return cannot_link(type, "");
  const auto& target = symbol(relocation);
  const auto name = object_.name(target);
  const auto& output = *section.output;
  const auto size = output.content.size() - section.offset; // of this section and those after it
  if (!form || !output.has_content() || relocation.r_offset > size ||
      size - relocation.r_offset < form->bytes)
    return cannot_link(type, name);
  const bool is_undefined = target.st_shndx == SHN_UNDEF;
  const bool is_loaded = output.has(SHF_ALLOC);
  if (form->of == RelocationForm::Of::slot) {
    add_got_slot(target);
  } else if (form->of == RelocationForm::Of::call) {
    if (is_undefined && plt_entries_.try_emplace(&target, plt_symbols_.size()).second) {
      plt_symbols_.push_back(&target);
      add_got_slot(target);
    }
  } else if (form->from != RelocationForm::From::zero) {
    if (is_loaded && is_undefined)
      return cannot_link(type, name);
  } else if (is_loaded && target.st_shndx != SHN_ABS) {
    if (type != kArchitecture.absolute || !output.has(SHF_WRITE))
      return cannot_link(type, name);
    ++dynamic_count_;
  }
  return llvm::Error::success();
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
  const auto type = relocation.getType(false);
  const auto form = *relocation_form(type);
  if (form.of == RelocationForm::Of::nothing)
    return llvm::Error::success();
  const Place place{*section.output, section.offset + relocation.r_offset};
  const auto& target = symbol(relocation);
  if (type == kArchitecture.absolute)
    return put_absolute(place, target, relocation.r_addend, symbols);
  const auto value =
      value_of(form, target, relocation.r_addend, place.section.address + place.offset);
  if (!put_relocated(type, place.section.content.data() + place.offset, value))
    return out_of_range();
  return llvm::Error::success();
}

std::int64_t Relocations::value_of(const RelocationForm& form, const Symbol& target,
                                   std::int64_t addend, std::uint64_t place) const {
  const bool is_in_plt = form.of == RelocationForm::Of::call && target.st_shndx == SHN_UNDEF;
  const auto address = (form.of == RelocationForm::Of::slot ? got_address(target)
                        : is_in_plt                         ? plt_address(target)
                                                            : object_.address(target)) +
                       static_cast<std::uint64_t>(addend);
  switch (form.from) {
  case RelocationForm::From::zero:
    return static_cast<std::int64_t>(address);
  case RelocationForm::From::place:
    return static_cast<std::int64_t>(address - place);
  case RelocationForm::From::page:
    return static_cast<std::int64_t>(address / kPage * kPage - place / kPage * kPage);
  case RelocationForm::From::in_page:
    return static_cast<std::int64_t>(address % kPage);
  }
  llvm_unreachable("all forms are above");
}

llvm::Error Relocations::put_absolute(const Place& place, const Symbol& symbol, std::int64_t addend,
                                      const DynamicSymbols& symbols) {
  const auto value = static_cast<std::int64_t>(object_.address(symbol)) + addend;
  const auto address = place.section.address + place.offset;
  if (!place.section.has(SHF_ALLOC) || symbol.st_shndx == SHN_ABS)
    put(place.section.content, place.offset, value);
  else if (symbol.st_shndx == SHN_UNDEF)
    symbolic_.push_back(
        dynamic_relocation(address, symbols.index(symbol), kArchitecture.absolute, addend));
  else
    relative_.push_back(dynamic_relocation(address, 0, kArchitecture.relative, value));
  return llvm::Error::success();
}

void Relocations::write_got(const DynamicSymbols& symbols) {
  for (const auto* symbol : got_symbols_) {
    const auto address = got_address(*symbol);
    if (symbol->st_shndx == SHN_UNDEF)
      symbolic_.push_back(
          dynamic_relocation(address, symbols.index(*symbol), kArchitecture.slot, 0));
    else if (symbol->st_shndx != SHN_ABS)
      relative_.push_back(dynamic_relocation(address, 0, kArchitecture.relative,
                                             static_cast<std::int64_t>(object_.address(*symbol))));
    else
      put(got_->content, address - got_->address, object_.address(*symbol));
  }
}

void Relocations::write_plt() {
  for (const auto* symbol : plt_symbols_) {
    const auto address = plt_address(*symbol);
    write_plt_entry(plt_->content.data() + (address - plt_->address), address,
                    got_address(*symbol));
  }
}

std::uint64_t Relocations::got_address(const Symbol& symbol) const {
  return got_->address + got_slots_.lookup(&symbol) * kSlotSize;
}

std::uint64_t Relocations::plt_address(const Symbol& symbol) const {
  return plt_->address + plt_entries_.lookup(&symbol) * kPltEntrySize;
}

} // namespace heddle::compiler::elf
