// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Upper bounds of values.
#pragma once

#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <optional>

namespace heddle::compiler {

// An unsigned upper bound of the integer at all of its uses. Uses the conditions on induction
// variables: in `for (i = get_local_id(0); i < 256; i += get_local_size(0))` i is at most 255.
std::uint64_t max_unsigned_value(const llvm::Value& value);

// The largest number of bytes by which `pointer`, which is derived from `base`, exceeds it; nothing
// if it may be below.
std::optional<std::uint64_t> max_offset_from(const llvm::Value& base, const llvm::Value& pointer);

} // namespace heddle::compiler
