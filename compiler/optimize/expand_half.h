// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of halves on CPUs without instructions for it.
#pragma once

#include "compiler/target/target_info.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Replaces every operation on halves, scalar or vector, by one on floats whose result is rounded to
// half: the same results, to the bit, as the instructions of AVX-512 FP16 (except NaN payloads).
// Float has more than twice the precision of half and two bits, so that + - * / and sqrt may be
// rounded twice; fma is rounded to odd in float first. Conversions that the CPU lacks become
// operations on integers.
//
// Comes after all passes that simplify floating-point operations: LLVM's would contract the
// conversions again. Leaves alone what only moves halves. Does nothing with AVX-512 FP16.
//
//   %r = fadd <16 x half> %a, %b
//
//   becomes
//
//   %1 = fpext <16 x half> %a to <16 x float>
//   %2 = fpext <16 x half> %b to <16 x float>
//   %3 = fadd <16 x float> %1, %2
//   %r = fptrunc <16 x float> %3 to <16 x half>
class ExpandHalfPass : public llvm::PassInfoMixin<ExpandHalfPass> {
 public:
  explicit ExpandHalfPass(const TargetInfo& target) : target_(target) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  const TargetInfo& target_;
};

} // namespace heddle::compiler
