// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text in JSON files.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// A string of JSON with its quotes. Bytes that are no UTF-8, which names of files and of SPIR-V may
// have, become U+FFFD. Throws std::bad_alloc.
std::string json_text(std::string_view text);

} // namespace heddle
