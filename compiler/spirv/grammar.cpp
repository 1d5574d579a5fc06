// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/grammar.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace heddle::compiler::spirv {
namespace {

constexpr InstructionGrammar kInstructions[] = {
#define HEDDLE_INSTRUCTION(opcode, words, type, result, literals, name)                            \
  {opcode, words, type != 0, result != 0, literals, name},
#include "spirv_grammar.inc"
#undef HEDDLE_INSTRUCTION
};

struct CapabilityName {
  std::uint32_t number;
  const char* name;
};

constexpr CapabilityName kCapabilityNames[] = {
#define HEDDLE_CAPABILITY_NAME(number, name) {number, name},
#include "spirv_grammar.inc"
#undef HEDDLE_CAPABILITY_NAME
};

constexpr LibraryFunction kLibrary[] = {
#define HEDDLE_OPENCL_STD(number, operands, name) {number, operands, name},
#include "spirv_grammar.inc"
#undef HEDDLE_OPENCL_STD
};

template <class Table, class Number>
const auto* find(const Table& table, std::uint32_t wanted, Number number) {
  const auto* found = std::lower_bound(
      std::begin(table), std::end(table), wanted,
      [&](const auto& entry, std::uint32_t value) { return number(entry) < value; });
  return found != std::end(table) && number(*found) == wanted ? found : nullptr;
}

} // namespace

const InstructionGrammar* find_instruction(std::uint32_t opcode) {
  return find(kInstructions, opcode, [](const auto& entry) { return entry.opcode; });
}

const InstructionGrammar* find_instruction(llvm::StringRef name) {
  const auto* found =
      llvm::find_if(kInstructions, [&](const auto& entry) { return name == entry.name + 2; });
  return found != std::end(kInstructions) ? found : nullptr;
}

std::string instruction_name(std::uint32_t opcode) {
  const auto* found = find_instruction(opcode);
  return found != nullptr ? found->name : "opcode " + std::to_string(opcode);
}

std::string capability_name(std::uint32_t number) {
  const auto* found =
      find(kCapabilityNames, number, [](const auto& entry) { return entry.number; });
  return found != nullptr ? found->name : "capability " + std::to_string(number);
}

const LibraryFunction* find_library_function(std::uint32_t number) {
  return find(kLibrary, number, [](const auto& entry) { return entry.number; });
}

const LibraryFunction* find_library_function(llvm::StringRef name) {
  const auto* found =
      llvm::find_if(kLibrary, [&](const auto& entry) { return name == entry.name; });
  return found != std::end(kLibrary) ? found : nullptr;
}

} // namespace heddle::compiler::spirv
