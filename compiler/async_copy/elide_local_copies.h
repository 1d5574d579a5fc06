// Tiles that are read where they were copied from.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/ir/kernel.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// A variable in local memory into which nothing but async copies of one global argument go is a
// second copy of data that the CPU's caches have once already. If the kernel writes nothing that
// the argument may be a part of, what reads the tile reads the source instead (tile_contents.h).
// Whether the arguments overlap is known at launch only (abi::Launch::arguments_overlap): if they
// do, the copies are made.
//
// What has to be proved for it: every access to the variable is a copy into it or a read that stays
// within the bytes of the last copy into that place; all copies have a number of bytes that is
// known. Nobody else may write the source meanwhile: another command or the host that does so races
// with the kernel unless they wait for each other by atomics, so kernels with these are left alone.
//
// For a kernel whose calls were inlined and whose loops have their simplest form, behind
// allocate_local_variables and before lower_local_variables and the vectoriser. Sets
// metadata.reads_in_place if something was changed.
class ElideLocalCopiesPass : public llvm::PassInfoMixin<ElideLocalCopiesPass> {
 public:
  explicit ElideLocalCopiesPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
