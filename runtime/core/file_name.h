// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of files that processes write, as users give them.
#pragma once

#include <string>

namespace heddle {

// With the number of the process in place of %p.
std::string with_process_number(std::string name);

} // namespace heddle
