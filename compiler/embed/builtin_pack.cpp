// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/embed/builtin_pack.h"

#include <algorithm>

namespace heddle::compiler {

BuiltinPack::BuiltinPack(llvm::StringRef file)
    : file_(file), header_(reinterpret_cast<const PackHeader*>(file.data())),
      parts_(reinterpret_cast<const PackPart*>(header_ + 1)),
      symbols_(reinterpret_cast<const PackSymbol*>(parts_ + header_->part_count)),
      names_(reinterpret_cast<const char*>(symbols_ + header_->symbol_count)) {}

std::optional<std::uint32_t> BuiltinPack::find(llvm::StringRef name) const {
  const auto name_of = [this](const PackSymbol& symbol) {
    return llvm::StringRef(names_ + symbol.name_offset, symbol.name_size);
  };
  const auto* end = symbols_ + header_->symbol_count;
  const auto* found =
      std::lower_bound(symbols_, end, name, [&](const PackSymbol& symbol, llvm::StringRef wanted) {
        return name_of(symbol) < wanted;
      });
  if (found == end || name_of(*found) != name)
    return std::nullopt;
  return found->part;
}

llvm::StringRef BuiltinPack::part(std::uint32_t index) const {
  return file_.substr(parts_[index].offset, parts_[index].size);
}

} // namespace heddle::compiler
