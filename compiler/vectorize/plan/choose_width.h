// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the number of work-items of a sub-group.
#pragma once

#include "compiler/target/target_info.h"
#include "compiler/vectorize/analysis/vectorization_plan.h"
#include "llvm/IR/Function.h"

#include <string>

namespace heddle::compiler {

inline constexpr const char* kVectorizedByHand =
    "its own vectors fill the registers: it is vectorized by hand";

// The reason for which a kernel stays scalar or, if a width is requested, does not have it.
std::string too_long_to_compile(std::uint64_t count, const char* of_what, unsigned requested = 0);

// `requested` is the width that the user requests, or 0; intel_reqd_sub_group_size takes
// precedence.
WidthChoice choose_width(const llvm::Function& kernel, const TargetInfo& target,
                         unsigned requested);

} // namespace heddle::compiler
