// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps memory that a loop reads and writes at one address in a register.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// For each address that does not change in a loop and to which the loop stores: loads it before the
// loop and stores it after it, if nothing else in the loop may access the memory. A store that not
// every execution of the loop reaches (an update behind an `if`) is followed by a flag: the first
// update loads the address, and the loop's end stores to it if there was one, so that no access is
// made that the program does not make.
//
// Before vectorization, where it saves a gather and a scatter in each iteration. LLVM's LICM
// promotes only what is stored unconditionally, and reassociates addresses.
//
//   for (k) c[i] += a[k] * b[i];                   s = c[i]; for (k) s += a[k] * b[i]; c[i] = s;
//
//   for (k)                             u = false;
//     if (p[k] > x)                     for (k) if (p[k] > x) {
//       f[4 * i] += p[k];                 if (!u) s = f[4 * i]; u = true; s += p[k]; }
//                                       if (u) f[4 * i] = s;
class PromoteLoopAccessesPass : public llvm::PassInfoMixin<PromoteLoopAccessesPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
