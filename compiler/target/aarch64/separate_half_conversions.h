// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A workaround for code generation of LLVM 22.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Instruction selection makes one conversion of a fixed-point number (SCVTF, UCVTF, FCVTZS and
// FCVTZU with #fbits) of a conversion and a product with a power of two, or a quotient. It rounds
// once and does not overflow between the two. That is right for float and double, whose range is
// that of all integers and more. Of half it is not: 70000 is infinity, and so is a thousandth of
// it; and small results are subnormal. A fence, which is no instruction, keeps the two apart.
//
//   %h = uitofp i32 %x to half
//   %r = fmul half %h, 0xH1400
//
//   becomes
//
//   %h = uitofp i32 %x to half
//   %1 = call half @llvm.arithmetic.fence.f16(half %h)
//   %r = fmul half %1, 0xH1400
class SeparateHalfConversionsPass : public llvm::PassInfoMixin<SeparateHalfConversionsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
