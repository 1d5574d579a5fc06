// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pack_builtins BITCODE OUTPUT: splits the builtin library into the parts of embed/builtin_pack.h.
// Runs when Heddle is built.
#include "compiler/embed/builtin_pack.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <map>
#include <string>
#include <vector>

namespace {

using namespace heddle::compiler;

// A tradeoff: parsing a part has a fixed cost (some 50 us), and large parts have more that is not
// needed.
constexpr std::uint32_t kParts = 256;

// All overloads of a function are in one part.
std::uint32_t part_of(llvm::StringRef name) {
  llvm::StringRef key = name;
  std::size_t length = 0;
  if (key.consume_front("_Z") && !key.consumeInteger(10, length) && length <= key.size())
    return static_cast<std::uint32_t>(llvm::xxh3_64bits(key.take_front(length)) % kParts);
  return static_cast<std::uint32_t>(llvm::xxh3_64bits(name) % kParts);
}

// Parts refer to each other by name, so no symbol may be local to a module.
void publish_locals(llvm::Module& module) {
  for (auto& value : module.global_values())
    if (value.hasLocalLinkage()) {
      value.setName("heddle.builtin." + value.getName());
      value.setLinkage(llvm::GlobalValue::ExternalLinkage);
      value.setVisibility(llvm::GlobalValue::HiddenVisibility);
    }
}

std::string write_part(const llvm::Module& library, std::uint32_t number) {
  llvm::ValueToValueMapTy values;
  const auto part = llvm::CloneModule(library, values, [&](const llvm::GlobalValue* value) {
    return part_of(value->getName()) == number;
  });
  for (auto& function : llvm::make_early_inc_range(*part))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  for (auto& variable : llvm::make_early_inc_range(part->globals()))
    if (variable.isDeclaration() && variable.use_empty())
      variable.eraseFromParent();
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::WriteBitcodeToFile(*part, stream);
  return bytes;
}

template <class T>
void append(std::string& file, const T& value) {
  file.append(reinterpret_cast<const char*>(&value), sizeof value);
}

} // namespace

int main(int count, char** words) {
  if (count != 3) {
    llvm::errs() << "usage: pack_builtins BITCODE OUTPUT\n";
    return 2;
  }
  auto input = llvm::MemoryBuffer::getFile(words[1]);
  if (!input) {
    llvm::errs() << "cannot read " << words[1] << "\n";
    return 1;
  }
  llvm::LLVMContext context;
  auto library = llvm::parseBitcodeFile((*input)->getMemBufferRef(), context);
  if (!library) {
    llvm::errs() << llvm::toString(library.takeError()) << "\n";
    return 1;
  }
  publish_locals(**library);

  std::map<std::string, std::uint32_t> symbols;
  for (const auto& value : (*library)->global_values()) {
    if (value.getName().starts_with("llvm."))
      continue;
    if (!value.isDeclaration())
      symbols[value.getName().str()] = part_of(value.getName());
    else if (!value.getName().starts_with("_Z"))
      symbols[value.getName().str()] = kExternalPart;
  }
  std::string names;
  std::string table;
  for (const auto& [name, part] : symbols) {
    append(table, PackSymbol{static_cast<std::uint32_t>(names.size()),
                             static_cast<std::uint32_t>(name.size()), part, 0});
    names += name;
  }
  names.resize((names.size() + 7) / 8 * 8);

  std::string parts;
  std::string code;
  const auto code_begin =
      sizeof(PackHeader) + kParts * sizeof(PackPart) + table.size() + names.size();
  for (std::uint32_t number = 0; number < kParts; ++number) {
    const auto bytes = write_part(**library, number);
    append(parts, PackPart{code_begin + code.size(), bytes.size()});
    code += bytes;
    code.resize((code.size() + 7) / 8 * 8);
  }
  std::string file;
  append(file, PackHeader{kParts, static_cast<std::uint32_t>(symbols.size()), names.size()});
  file += parts + table + names + code;

  std::error_code error;
  llvm::raw_fd_ostream output(words[2], error);
  if (error) {
    llvm::errs() << "cannot write " << words[2] << "\n";
    return 1;
  }
  output << file;
  output.close();
  return output.has_error() ? 1 : 0;
}
