// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What clGetKernelArgInfo and clSetKernelArg need to know of a kernel's arguments.
#pragma once

#include "compiler/interface/metadata.h"
#include "compiler/support/build.h"
#include "llvm/IR/Function.h"

namespace heddle::compiler {

// Metadata of a kernel that Clang and the SPIR-V reader attach, a node per argument.
inline constexpr const char* kArgumentLists[] = {"kernel_arg_name", "kernel_arg_type",
                                                 "kernel_arg_base_type", "kernel_arg_type_qual",
                                                 "kernel_arg_access_qual"};

// Sets `out.arguments` and `out.packed_bytes` from the first `count` parameters of `function` and
// its metadata. False, with an error in the build log, if the device cannot pass one of them.
bool describe_arguments(llvm::Function& function, unsigned count, Build& build,
                        KernelDeclaration& out);

} // namespace heddle::compiler
