// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of masks of lanes.
#pragma once

#include "llvm/IR/Value.h"

#include <optional>

namespace heddle::compiler {

// Whether a lane of a mask is active, if that is constant. Null stands for all lanes.
std::optional<bool> is_active(const llvm::Value* mask, unsigned lane);

// The mask of which `condition` says that a lane is active (`is_any`) or that none is; else null.
llvm::Value* mask_of(llvm::Value* condition, bool is_any);

// Whether no lane of `mask` is active if none of `other` is.
bool is_within(llvm::Value* mask, llvm::Value* other);

} // namespace heddle::compiler
