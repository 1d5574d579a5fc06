// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dimension that the lanes of a unit run along.
#pragma once

#include <cstdint>

namespace heddle {

// Values of heddle_request::swap_dimensions.
enum class LaneDimension : std::uint32_t {
  first,
  second,
  by_strides, // the one in which the kernel's accesses are consecutive
};

} // namespace heddle
