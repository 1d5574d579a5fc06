// How many work-items a sub-group has.
#pragma once

#include "compiler/ir/target_info.h"
#include "compiler/vectorize/analysis/vectorization_plan.h"
#include "llvm/IR/Function.h"

namespace heddle::compiler {

// `wanted` is what the user asks for, or 0; the kernel's own intel_reqd_sub_group_size comes first.
WidthChoice choose_width(const llvm::Function& kernel, const TargetInfo& target, unsigned wanted);

} // namespace heddle::compiler
