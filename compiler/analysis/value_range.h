// How large a value can be.
#pragma once

#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <optional>

namespace heddle::compiler {

// No unsigned value of the integer is larger, wherever it is used. Knows what conditions say about
// the index of a loop: `i = get_local_id(0); i < 256; i += get_local_size(0)` is at most 255.
std::uint64_t max_unsigned_value(const llvm::Value& value);

// How many bytes at most `pointer`, which was made from `base` by adding to it, lies behind it;
// nothing if it may lie before it.
std::optional<std::uint64_t> max_offset_from(const llvm::Value& base, const llvm::Value& pointer);

} // namespace heddle::compiler
