// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of the instructions that the reader takes of OpenCL.DebugInfo.100 and
// NonSemantic.Shader.DebugInfo, which are the same where both have one.
#pragma once

#include <cstdint>

namespace heddle::compiler::spirv::debug {

inline constexpr std::uint32_t kFunction = 20, kLexicalBlock = 21, kLexicalBlockDiscriminator = 22,
                               kScope = 23, kNoScope = 24, kInlinedAt = 25, kSource = 35;
// Of NonSemantic.Shader.DebugInfo only.
inline constexpr std::uint32_t kFunctionDefinition = 101, kLine = 103, kNoLine = 104;

} // namespace heddle::compiler::spirv::debug
