// Why the reader does not take a module.
#pragma once

#include <string>

namespace heddle::compiler::spirv {

// Thrown by the reader and caught by read_spirv(); never leaves this folder.
struct Refusal {
  std::string message;
};

} // namespace heddle::compiler::spirv
