// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits of the length of vector code.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/vectorize/analysis/plan.h"

#include <optional>

namespace heddle::compiler {

// What is wrong with a variant that is not worth its build; null: it is. Widths that the program
// requires or can see are always worth it: they are the same in all units, whose code differs.
std::optional<LaneLimit> find_excess(const Kernel& kernel, const VectorPlan& plan,
                                     const llvm::Function& variant);

// The same of the form of a function (emit/vector_forms.h), `body` being its scalar code.
// `is_first` (Specialization): a launch may wait for it.
std::optional<LaneLimit> find_excess_of_form(const llvm::Function& form, const llvm::Function& body,
                                             unsigned lanes, bool is_first);

// Whether all forms of a program, of so many instructions, would take too long to compile.
bool are_too_many_forms(std::uint64_t instructions, bool is_first);

} // namespace heddle::compiler
