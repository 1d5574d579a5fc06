// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/embed/embedded.h"

// Defined by embedded.S: the bytes, with a zero after them, and their number.
extern "C" {
extern const char heddle_embedded_builtins[];
extern const std::size_t heddle_embedded_builtins_size;
extern const char heddle_embedded_base_header[];
extern const std::size_t heddle_embedded_base_header_size;
extern const char heddle_embedded_extra_header[];
extern const std::size_t heddle_embedded_extra_header_size;
}

namespace heddle::compiler::embedded {

llvm::StringRef builtins_pack() {
  return {heddle_embedded_builtins, heddle_embedded_builtins_size};
}

llvm::StringRef opencl_c_base_header() {
  return {heddle_embedded_base_header, heddle_embedded_base_header_size};
}

llvm::StringRef extra_builtins_header() {
  return {heddle_embedded_extra_header, heddle_embedded_extra_header_size};
}

} // namespace heddle::compiler::embedded
