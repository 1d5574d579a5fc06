// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of Heddle's passes: passes.def.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Passes/PassBuilder.h"

#include <optional>

namespace heddle::compiler {

// Why a pass is there: passes.def.
enum class PassPurpose { semantics, speed, build_time, llvm_workaround };

// Of the pass of this name in passes.def; nothing if there is none.
std::optional<PassPurpose> purpose_of(llvm::StringRef name);

// The name in passes.def of the pass whose class LLVM calls `class_name`; empty if it is not one of
// Heddle's.
llvm::StringRef pass_name(llvm::StringRef class_name);

// Lets `builder` parse the names of passes.def, beside LLVM's, in the text of a pipeline. The
// passes refer to `compilation`.
void register_passes(llvm::PassBuilder& builder, Compilation& compilation);

} // namespace heddle::compiler
