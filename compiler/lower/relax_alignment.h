// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses outside of private memory at any address.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include <cstdint>

namespace heddle::compiler {

enum class Alignments : std::uint8_t { of_pointers, of_accesses, all };

// Drops what the program promises of the alignment of global, constant, local and generic memory,
// because programs for GPUs break it: pointers to vectors and structures that are stepped by an
// element. `of_pointers` are parameters, results and loaded pointers, `of_accesses` loads, stores,
// copies and fills. Atomic operations, private memory and __builtin_assume_aligned stay; variables
// are as aligned as before, and LLVM finds out where it matters. Runs when the alignments of kernel
// arguments have been recorded (FindKernelsPass); those that Heddle gives arguments stay, too.
//
//   load <4 x float>, ptr addrspace(1) %p, align 16    load <4 x float>, ptr addrspace(1) %p, align
//   1
class RelaxAlignmentPass : public llvm::PassInfoMixin<RelaxAlignmentPass> {
 public:
  explicit RelaxAlignmentPass(Alignments which = Alignments::all) : which_(which) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Alignments which_;
};

} // namespace heddle::compiler
