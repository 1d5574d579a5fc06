// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace heddle {

// The text as a string of JSON, with quotes. Bytes that are not UTF-8, as names of files may have,
// become U+FFFD.
std::string json_string(const std::string& text);

} // namespace heddle
