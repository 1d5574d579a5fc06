// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the SPIR-V reader takes: the table that it checks modules against.
#pragma once

#include <cstdint>

namespace heddle::spirv {

// Capabilities, in the order of their numbers.
inline constexpr std::uint32_t kCapabilities[] = {
#define HEDDLE_SPIRV_CAPABILITY(number, name) number,
#include "compiler/interface/spirv_support.def"
#undef HEDDLE_SPIRV_CAPABILITY
};

inline constexpr const char* kExtensions[] = {
#define HEDDLE_SPIRV_EXTENSION(name) name,
#include "compiler/interface/spirv_support.def"
#undef HEDDLE_SPIRV_EXTENSION
};

inline constexpr const char* kInstructionSets[] = {
#define HEDDLE_SPIRV_INSTRUCTION_SET(name) name,
#include "compiler/interface/spirv_support.def"
#undef HEDDLE_SPIRV_INSTRUCTION_SET
};

} // namespace heddle::spirv
