// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formats the record of one printf call (OpenCL C 6.15.13).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle {

// Appends to `text`; false if the format has a conversion that is not OpenCL's or more conversions
// than arguments (the text before it is kept).
bool format_print(const std::byte* record, std::uint64_t size, std::string& text);

} // namespace heddle
