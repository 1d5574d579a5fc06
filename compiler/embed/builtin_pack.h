// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The builtin library in the compiler: small modules with an index, so that a build parses only
// those that it needs. The file consists of this header, the parts, the symbols sorted by name, the
// characters of the names, and the bitcode of the parts.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace heddle::compiler {

struct PackHeader {
  std::uint32_t part_count;
  std::uint32_t symbol_count;
  std::uint64_t names_bytes;
};

// Offsets are from the start of the file.
struct PackPart {
  std::uint64_t offset;
  std::uint64_t size;
};

struct PackSymbol {
  std::uint32_t name_offset; // in the names
  std::uint32_t name_size;
  std::uint32_t part;
  std::uint32_t reserved;
};

// The part of a symbol that the library uses but does not define: a function of libm.
inline constexpr std::uint32_t kExternalPart = ~std::uint32_t{0};

// Reads a pack in place.
class BuiltinPack {
 public:
  explicit BuiltinPack(llvm::StringRef file);

  // The part with the symbol; nothing for symbols that are not in the library.
  std::optional<std::uint32_t> find(llvm::StringRef name) const;
  bool defines(llvm::StringRef name) const {
    const auto part = find(name);
    return part && *part != kExternalPart;
  }
  // The bitcode of a part.
  llvm::StringRef part(std::uint32_t index) const;

 private:
  llvm::StringRef file_;
  const PackHeader* header_;
  const PackPart* parts_;
  const PackSymbol* symbols_;
  const char* names_;
};

} // namespace heddle::compiler
