// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of numbers as Linux writes them in /sys: "0-3,8,10-11".
#pragma once

#include <string_view>
#include <vector>

namespace heddle {

// In the order they stand there; empty if the text is anything else. A newline may end it.
std::vector<int> parse_cpu_list(std::string_view text);

} // namespace heddle
