// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the JSON grammar of SPIR-V says of an instruction (generate_grammar.py).
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace heddle::compiler::spirv {

struct InstructionGrammar {
  std::uint16_t opcode;
  std::uint16_t fewest_words; // with the one that has the opcode
  bool has_type;              // word 1 is the result type
  bool has_result;            // word 1, or 2 behind a result type, is the result
  std::uint32_t literals;     // bit i: operand i behind the result is a literal, not an id
  const char* name;
};

// Null for an opcode that is not known.
const InstructionGrammar* find_instruction(std::uint32_t opcode);
// By the name without "Op".
const InstructionGrammar* find_instruction(llvm::StringRef name);
// "OpIAdd", or "opcode 9999".
std::string instruction_name(std::uint32_t opcode);
// "Shader", or "capability 9999".
std::string capability_name(std::uint32_t number);

struct LibraryFunction {
  std::uint16_t number;
  std::uint16_t operands; // at least
  const char* name;
};

// An instruction of the set OpenCL.std; null for a number that is not known.
const LibraryFunction* find_library_function(std::uint32_t number);
const LibraryFunction* find_library_function(llvm::StringRef name);

} // namespace heddle::compiler::spirv
