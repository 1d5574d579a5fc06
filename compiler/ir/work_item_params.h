// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hidden parameters that identify a work-item.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"

namespace heddle::compiler {

// Marks functions that run one barrier region (workgroup/form_barrier_regions.h). They take more
// parameters after the hidden ones.
inline constexpr const char* kRegionAttribute = "heddle-barrier-region";
inline constexpr unsigned kRegionParams = 4;

// Marks functions that have the hidden parameters (lower/add_work_item_params.h).
inline constexpr llvm::StringLiteral kWorkItemParamsAttribute = "heddle-work-item-state";
inline constexpr unsigned kWorkItemParams = 4;

// The hidden parameters: the group (abi::Group) and the local id.
struct WorkItemParams {
  llvm::Argument* group = nullptr;
  llvm::Argument* local_id[3] = {};
};

bool has_work_item_params(const llvm::Function& function);
// Of a function that has them; a fatal error otherwise.
WorkItemParams work_item_params(llvm::Function& function);

} // namespace heddle::compiler
