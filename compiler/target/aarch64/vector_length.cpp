// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/aarch64/vector_length.h"

#include <bit>
#include <sys/prctl.h>

namespace heddle::compiler::aarch64 {

unsigned scalable_bits() {
  static const unsigned bits = [] {
    const int answer = prctl(PR_SVE_GET_VL);
    const unsigned length =
        answer < 0 ? 0U : static_cast<unsigned>(answer & PR_SVE_VL_LEN_MASK) * 8;
    return std::has_single_bit(length) ? length : 0U;
  }();
  return bits;
}

} // namespace heddle::compiler::aarch64
