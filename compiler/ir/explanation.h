// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports on kernels as text.
#pragma once

#include "compiler/ir/kernel.h"

#include <string>
#include <vector>

namespace heddle::compiler {

// One line for each fact, with its place in the source: the kernel's width and why, interleaving,
// barriers, stack and spills; then its remarks in the order of the source.
//
//   spmv.cl:3: kernel 'spmv': 16 work-items wide: its data is mostly of 32 bits, ...
//   spmv.cl:9:22: gather: the address has no constant stride between work-items
std::string explain(const Kernel& kernel);

// Of the remarks the first of each kind, as a line each: "... between work-items (and 3 more)".
std::vector<std::string> first_remarks(const Kernel& kernel);

} // namespace heddle::compiler
