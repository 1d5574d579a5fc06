// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/aarch64/vector_length.h"

#include <bit>
#include <cstdlib>
#include <sys/prctl.h>

namespace heddle::compiler::aarch64 {
namespace {

#ifdef __aarch64__
unsigned length() {
  const int answer = prctl(PR_SVE_GET_VL);
  return answer < 0 ? 0U : static_cast<unsigned>(answer & PR_SVE_VL_LEN_MASK) * 8;
}
#else
// A cross compiler is told.
unsigned length() {
  const char* const bits = std::getenv("HEDDLE_SVE_BITS");
  return bits == nullptr ? 0U : static_cast<unsigned>(std::strtoul(bits, nullptr, 10));
}
#endif

} // namespace

unsigned scalable_bits() {
  static const unsigned bits = std::has_single_bit(length()) ? length() : 0U;
  return bits;
}

} // namespace heddle::compiler::aarch64
