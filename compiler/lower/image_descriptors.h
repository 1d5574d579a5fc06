// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads from an image's descriptor (compiler/interface/image_abi.h).
#pragma once

#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <optional>

namespace heddle::compiler {

// "heddle-image" on a parameter of a kernel that is an image (find-kernels): the value is the
// image's heddle_image::format in decimal if all launches of the kernel pass such images, else
// empty.
inline constexpr llvm::StringLiteral kImageAttribute = "heddle-image";

// The format that is known of an image, or nothing: it is not a parameter with kImageAttribute, or
// the format is not known.
std::optional<std::uint32_t> known_image_format(const llvm::Value& image);

// Replaces the loads from the descriptor that the format decides by constants. With
// `marks_invariant` the other ones are marked as loads of memory that does not change.
void fold_descriptor_loads(llvm::Value& image, std::optional<std::uint32_t> format,
                           bool marks_invariant);

} // namespace heddle::compiler
