// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The architecture that this compiler makes code for, and what LLVM and assembly call its parts.
// Defined in the target's folder.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Triple.h"

#include <string>

namespace llvm {
class TargetOptions;
}

namespace heddle::compiler {

struct TargetCpu {
  std::string name;
  std::string features; // as LLVM writes them, "+sve,-sve2"; empty: those of the name
};

namespace architecture {

// LLVM's target: once, before it is looked up.
void initialize();
const llvm::Triple& triple();
void set_options(llvm::TargetOptions& options);
// The CPU or level that HEDDLE_CPU calls `name`, other than "native".
TargetCpu named_cpu(llvm::StringRef name);
// The name of one that has most of what the target's passes know, for tests of passes.
llvm::StringRef tested_cpu();
// A pass of code generation, by name, that computes analyses for nothing.
bool is_useless_pass(llvm::StringRef name);
// Whether code is faster if its instructions are ordered once more when registers are known.
bool schedules_after_allocation();

// Of inline assembly: whether code for an architecture of this name is for this one, and whether an
// operand's constraint exists.
llvm::StringRef name();
bool is_constraint(llvm::StringRef code);

} // namespace architecture
} // namespace heddle::compiler
