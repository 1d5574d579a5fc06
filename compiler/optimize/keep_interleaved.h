// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recurrences of the components of OpenCL vectors.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Vectorized code has a vector of all lanes for each component of an OpenCL vector. Where a loop
// loads the components of neighboring lanes interleaved, as they are in memory, and adds the same
// to each of them, this keeps sums interleaved, too, in place of taking each load apart. They are
// taken apart behind the loop.
//
//   float4 sum; for (...) sum += a[k * n + x] * b[k];
//
//   before: v = load <4n>; s0 += v[0::4] * b; ... s3 += v[3::4] * b      after: s += v * b
//
// For recurrences of elementwise operations whose other operands are the same for all lanes and
// components. Results are the same.
class KeepInterleavedPass : public llvm::PassInfoMixin<KeepInterleavedPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
