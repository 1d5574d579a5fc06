// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/file_name.h"

#include <unistd.h>

namespace heddle {

std::string with_process_number(std::string name) {
  for (std::size_t at; (at = name.find("%p")) != std::string::npos;)
    name.replace(at, 2, std::to_string(getpid()));
  return name;
}

} // namespace heddle
