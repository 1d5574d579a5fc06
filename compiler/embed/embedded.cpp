#include "compiler/embed/embedded.h"

// Defined by embedded.S.
extern "C" {
extern const char heddle_embedded_builtins[], heddle_embedded_builtins_end[];
extern const char heddle_embedded_base_header[], heddle_embedded_base_header_end[];
extern const char heddle_embedded_libm[], heddle_embedded_libm_end[];
extern const char heddle_embedded_libc[], heddle_embedded_libc_end[];
}

namespace heddle::compiler::embedded {

llvm::StringRef builtins_pack() {
  return {heddle_embedded_builtins,
          static_cast<std::size_t>(heddle_embedded_builtins_end - heddle_embedded_builtins)};
}

llvm::StringRef opencl_c_base_header() {
  return {heddle_embedded_base_header,
          static_cast<std::size_t>(heddle_embedded_base_header_end - heddle_embedded_base_header)};
}

llvm::StringRef libm_stub() {
  return {heddle_embedded_libm,
          static_cast<std::size_t>(heddle_embedded_libm_end - heddle_embedded_libm)};
}

llvm::StringRef libc_stub() {
  return {heddle_embedded_libc,
          static_cast<std::size_t>(heddle_embedded_libc_end - heddle_embedded_libc)};
}

} // namespace heddle::compiler::embedded
