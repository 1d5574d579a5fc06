// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A section of the shared object that a link makes.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/BinaryFormat/ELF.h"

#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace heddle::compiler::elf {

struct OutputSection {
  OutputSection(llvm::StringRef name, std::uint32_t type, std::uint64_t flags,
                std::uint64_t alignment, std::uint64_t entry_size = 0)
      : name(name), type(type), flags(flags), alignment(alignment), entry_size(entry_size) {}

  bool has(std::uint64_t flag) const { return (flags & flag) != 0; }
  bool has_content() const { return type != llvm::ELF::SHT_NOBITS; }
  std::uint64_t size() const { return has_content() ? content.size() : memory_size; }

  // The index in .shstrtab's order and the place in file and memory are known after layout.
  std::string name;
  std::uint32_t type;
  std::uint64_t flags;
  std::uint64_t alignment;
  std::uint64_t entry_size;
  std::vector<char> content;
  std::uint64_t memory_size = 0; // of SHT_NOBITS
  const OutputSection* link = nullptr;
  std::uint32_t info = 0;
  std::uint32_t index = 0;
  std::uint64_t address = 0; // 0 if it is not loaded
  std::uint64_t offset = 0;
};

// References to the sections stay valid.
using OutputSections = std::deque<OutputSection>;

template <typename T>
void put(std::vector<char>& content, std::uint64_t offset, const T& value) {
  std::memcpy(content.data() + offset, &value, sizeof value);
}

template <typename T>
void append(std::vector<char>& content, const T& value) {
  content.resize(content.size() + sizeof value);
  put(content, content.size() - sizeof value, value);
}

} // namespace heddle::compiler::elf
