// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/link/dynamic_symbols.h"

#include "compiler/link/known_libraries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace heddle::compiler::elf {
namespace {

using namespace llvm::ELF;
using llvm::object::hashGnu;
using llvm::object::hashSysV;

constexpr std::uint32_t kBloomShift = 26;
constexpr std::uint32_t kBloomBitsASymbol = 12;
constexpr std::uint32_t kSymbolsABucket = 4;

struct VersionNeed { // Elf64_Verneed
  std::uint16_t version, count;
  std::uint32_t file, first, next;
};
struct VersionName { // Elf64_Vernaux
  std::uint32_t hash;
  std::uint16_t flags, index;
  std::uint32_t name, next;
};

bool is_exported(const Symbol& symbol) {
  return symbol.getBinding() != STB_LOCAL &&
         (symbol.getVisibility() == STV_DEFAULT || symbol.getVisibility() == STV_PROTECTED);
}

} // namespace

DynamicSymbols::DynamicSymbols(const InputObject& object, OutputSections& outputs)
    : symbols(outputs.emplace_back(".dynsym", SHT_DYNSYM, SHF_ALLOC, 8, sizeof(Elf64_Sym))),
      names(outputs.emplace_back(".dynstr", SHT_STRTAB, SHF_ALLOC, 1)),
      hash(outputs.emplace_back(".gnu.hash", SHT_GNU_HASH, SHF_ALLOC, 8)), object_(object),
      outputs_(outputs) {
  symbols.link = &names;
  symbols.info = 1; // the null symbol is the only local one
  hash.link = &symbols;
}

llvm::Error DynamicSymbols::collect() {
  for (const auto& symbol : object_.symbols().drop_front(object_.symbols().empty() ? 0 : 1)) {
    if (symbol.st_shndx == SHN_UNDEF) {
      if (auto error = add_import(symbol))
        return error;
    } else if (is_exported(symbol)) {
      exports_.push_back(&symbol);
    }
  }
  sort_exports();
  std::uint32_t index = 1;
  const auto add = [&](const Symbol& symbol) {
    indices_[&symbol] = index++;
    name_table_.add(llvm::CachedHashStringRef(object_.name(symbol)));
  };
  for (const auto& import : imports_)
    add(*import.symbol);
  for (const auto* symbol : exports_)
    add(*symbol);
  for (const auto& library : libraries_) {
    library_names_.push_back(name_table_.add(llvm::CachedHashStringRef(library.name)));
    for (const auto& version : library.versions)
      name_table_.add(llvm::CachedHashStringRef(version.first));
  }
  symbols.content.resize(index * sizeof(Elf64_Sym));
  write_versions();
  name_table_.finalizeInOrder();
  names.content.resize(name_table_.getSize());
  name_table_.write(reinterpret_cast<std::uint8_t*>(names.content.data()));
  write_hash();
  return llvm::Error::success();
}

llvm::Error DynamicSymbols::add_import(const Symbol& symbol) {
  const auto name = object_.name(symbol);
  if (const auto function = find_library_function(name)) {
    imports_.push_back({&symbol, version_index(function->library, function->version)});
    return llvm::Error::success();
  }
  if (symbol.getBinding() != STB_WEAK)
    return llvm::createStringError("undefined symbol '" + name + "'");
  imports_.push_back({&symbol, VER_NDX_GLOBAL});
  return llvm::Error::success();
}

std::uint16_t DynamicSymbols::version_index(llvm::StringRef library, llvm::StringRef version) {
  auto place = llvm::find_if(libraries_, [&](const auto& other) { return other.name == library; });
  if (place == libraries_.end())
    place = libraries_.insert(place, Library{library, {}});
  for (const auto& known : place->versions)
    if (known.first == version)
      return known.second;
  place->versions.emplace_back(version, next_version_);
  return next_version_++;
}

// Symbols of one bucket follow each other.
void DynamicSymbols::sort_exports() {
  bucket_count_ = static_cast<std::uint32_t>(exports_.size()) / kSymbolsABucket + 1;
  const auto bucket = [&](const Symbol* symbol) {
    return std::pair(hashGnu(object_.name(*symbol)) % bucket_count_, symbol);
  };
  llvm::sort(exports_, [&](const Symbol* a, const Symbol* b) { return bucket(a) < bucket(b); });
}

void DynamicSymbols::write_hash() {
  const auto count = static_cast<std::uint32_t>(exports_.size());
  const auto first = static_cast<std::uint32_t>(imports_.size()) + 1;
  const auto bloom_words = static_cast<std::uint32_t>(
      llvm::PowerOf2Ceil(llvm::divideCeil(std::max(count, 1U) * kBloomBitsASymbol, 64U)));
  std::vector<std::uint64_t> bloom(bloom_words);
  std::vector<std::uint32_t> buckets(bucket_count_);
  std::vector<std::uint32_t> chains(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto value = hashGnu(object_.name(*exports_[i]));
    bloom[value / 64 % bloom_words] |=
        std::uint64_t{1} << value % 64 | std::uint64_t{1} << (value >> kBloomShift) % 64;
    auto& bucket = buckets[value % bucket_count_];
    const bool is_first = bucket == 0;
    if (is_first)
      bucket = first + i;
    else
      chains[i - 1] &= ~1U; // the lowest bit ends a chain
    chains[i] = value | 1U;
  }
  for (const auto word : {bucket_count_, first, bloom_words, kBloomShift})
    append(hash.content, word);
  for (const auto word : bloom)
    append(hash.content, word);
  for (const auto word : buckets)
    append(hash.content, word);
  for (const auto word : chains)
    append(hash.content, word);
}

void DynamicSymbols::write_versions() {
  if (libraries_.empty())
    return;
  versions = &outputs_.emplace_back(".gnu.version", SHT_GNU_versym, SHF_ALLOC, 2, 2);
  versions->link = &symbols;
  needed = &outputs_.emplace_back(".gnu.version_r", SHT_GNU_verneed, SHF_ALLOC, 4);
  needed->link = &names;
  needed->info = static_cast<std::uint32_t>(libraries_.size());
  append(versions->content, std::uint16_t{VER_NDX_LOCAL});
  for (const auto& import : imports_)
    append(versions->content, import.version);
  for (std::size_t i = 0; i < exports_.size(); ++i)
    append(versions->content, std::uint16_t{VER_NDX_GLOBAL});
  const auto name = [&](llvm::StringRef text) {
    return static_cast<std::uint32_t>(name_table_.add(llvm::CachedHashStringRef(text)));
  };
  for (const auto& library : libraries_) {
    const auto count = library.versions.size();
    const auto size = sizeof(VersionNeed) + count * sizeof(VersionName);
    append(needed->content,
           VersionNeed{1, static_cast<std::uint16_t>(count), name(library.name),
                       sizeof(VersionNeed),
                       &library == &libraries_.back() ? 0 : static_cast<std::uint32_t>(size)});
    for (const auto& version : library.versions) {
      const bool is_last = &version == &library.versions.back();
      append(needed->content,
             VersionName{hashSysV(version.first), 0, version.second, name(version.first),
                         is_last ? 0 : static_cast<std::uint32_t>(sizeof(VersionName))});
    }
  }
}

void DynamicSymbols::write() {
  for (const auto& [symbol, index] : indices_) {
    Elf64_Sym entry{};
    entry.st_name = static_cast<Elf64_Word>(
        name_table_.getOffset(llvm::CachedHashStringRef(object_.name(*symbol))));
    entry.st_info = symbol->st_info;
    entry.st_other = symbol->st_other;
    if (symbol->st_shndx != SHN_UNDEF) {
      const auto* section = object_.section(*symbol);
      entry.st_shndx = section != nullptr ? static_cast<Elf64_Half>(section->index)
                                          : static_cast<Elf64_Half>(SHN_ABS);
      entry.st_value = object_.address(*symbol);
      entry.st_size = symbol->st_size;
    }
    put(symbols.content, index * sizeof entry, entry);
  }
}

} // namespace heddle::compiler::elf
