// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/frontend.h"
#include "compiler/support/build.h"

namespace heddle::compiler {

std::unique_ptr<llvm::Module> compile_source(Build& build) {
  build.error("this library has no front end for OpenCL C: use libheddle-compiler.so");
  return nullptr;
}

} // namespace heddle::compiler
