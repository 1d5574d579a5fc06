// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CL_KERNEL_ATTRIBUTES.
#pragma once

#include "llvm/IR/Function.h"

#include <string>

namespace heddle::compiler {

// The attributes of a kernel as clGetKernelInfo returns them (OpenCL API 5.9.4): as in the source,
// without white space, separated by single spaces.
std::string kernel_attributes(const llvm::Function& kernel);

} // namespace heddle::compiler
