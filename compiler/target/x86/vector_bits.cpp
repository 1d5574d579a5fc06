// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/vector_bits.h"

namespace heddle::compiler {

void declare_vector_bits(llvm::Function& function, unsigned bits) {
  function.addFnAttr("prefer-vector-width", std::to_string(bits));
  function.addFnAttr("min-legal-vector-width", std::to_string(bits));
}

} // namespace heddle::compiler
