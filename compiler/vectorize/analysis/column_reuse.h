// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::compiler {

// Whether loops of a kernel read memory that only depends on the group id in x, and memory that
// only depends on that in y, as products of matrices do: all groups of a column read the same, and
// all of a row. Launches then run blocks of few columns (abi::Launch::columns), so that what these
// read stays in the cache from row to row. Not of kernels with atomics or
// volatile accesses, whose groups may wait for others.
//
//   for (k = 0; k < n; ++k) sum += a[k * m + get_global_id(0)] * b[get_global_id(1) * n + k];
bool reuses_columns(llvm::Function& kernel);

} // namespace heddle::compiler
