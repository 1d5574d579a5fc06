// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The estimate of one function for `estimate-work`.
#pragma once

#include "compiler/interface/metadata.h"
#include "compiler/interface/work_estimate.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

#include <optional>
#include <vector>

namespace heddle::compiler {

using Formula = std::vector<WorkEstimate::Step>;

struct CalledWork {
  WorkEstimate::Amounts amounts;
  bool guesses; // trip counts
};
// Of a called function, or nothing.
using WorkOfCall = llvm::function_ref<std::optional<CalledWork>(llvm::Function&)>;

// Moves work-item queries to the start of the function, where loops find them invariant.
void hoist_queries(llvm::Function& function);
// Appends the formula of what one call executes. False if there is none. `kernel`: of the function,
// or null.
bool add_work_of(llvm::Function& function, llvm::FunctionAnalysisManager& analyses,
                 const KernelMetadata* kernel, WorkOfCall work_of_call, Formula& out);

} // namespace heddle::compiler
