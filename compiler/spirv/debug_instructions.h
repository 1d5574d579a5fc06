// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of the instructions that the reader takes of OpenCL.DebugInfo.100 and
// NonSemantic.Shader.DebugInfo, which are the same where both have one.
#pragma once

#include <cstdint>

namespace heddle::compiler::spirv::debug {

inline constexpr std::uint32_t kNone = 0, kCompilationUnit = 1;

inline constexpr std::uint32_t kTypeBasic = 2, kTypePointer = 3, kTypeQualifier = 4, kTypeArray = 5,
                               kTypeVector = 6, kTypedef = 7, kTypeFunction = 8, kTypeEnum = 9,
                               kTypeComposite = 10, kTypeMember = 11, kTypeInheritance = 12,
                               kTypePtrToMember = 13, kTypeTemplate = 14;

inline constexpr std::uint32_t kFunction = 20, kLexicalBlock = 21, kLexicalBlockDiscriminator = 22,
                               kScope = 23, kNoScope = 24, kInlinedAt = 25, kSource = 35;

inline constexpr std::uint32_t kGlobalVariable = 18, kLocalVariable = 26, kInlinedVariable = 27,
                               kDeclare = 28, kValue = 29, kOperation = 30, kExpression = 31;

// Of NonSemantic.Shader.DebugInfo only.
inline constexpr std::uint32_t kFunctionDefinition = 101, kLine = 103, kNoLine = 104;

// Flags. The lowest two bits are one number: protected, private or public.
inline constexpr std::uint32_t kAccessMask = 3, kFlagIsLocal = 4, kFlagIsDefinition = 8,
                               kFlagForwardDeclaration = 0x10, kFlagArtificial = 0x20,
                               kFlagObjectPointer = 0x100, kFlagStaticMember = 0x200,
                               kFlagLValueReference = 0x800, kFlagRValueReference = 0x1000,
                               kFlagIsEnumClass = 0x4000;

// How deep types, scopes and inlined calls are nested at most.
inline constexpr unsigned kMaxNesting = 256;

} // namespace heddle::compiler::spirv::debug
