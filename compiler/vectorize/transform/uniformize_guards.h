// Kernels that begin with a bounds check, or with one for the border of what they work on:
//
//   before                 after
//   if (i < n)             if (all lanes' i < n)
//     BODY                   BODY
//   else                   else
//     NOTHING OR RARE        all of it in the masked form, from the start
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/vectorize/analysis/analyses.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// A branch that the kernel comes to before it has done anything that cannot be done again, and one
// side of which does nothing more, or is for few work-items.
struct Guard {
  llvm::BasicBlock* block = nullptr; // ends with the branch
  unsigned inside = 0;               // the successor that goes on
};

// Those that lanes, or rows that run side by side, may disagree about, and of which lane 0 tells
// whether all lanes pass: comparisons of ids, and what is put together of these by "and". In the
// order in which they are come to. Not those of loops that work-items share (shared_loop.h).
llvm::SmallVector<Guard, 4> find_guards(llvm::Function& kernel, const Analyses& now);

// Makes them branches that lanes and rows agree on. Only for forms that have a masked one to start
// again in, and in which lane i is local id x + i. A check that all lanes fail ends the kernel.
class UniformizeGuardsPass : public llvm::PassInfoMixin<UniformizeGuardsPass> {
 public:
  explicit UniformizeGuardsPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Function& body, llvm::FunctionAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

// Whether few work-items are such that the condition is true, or false: equality is met by few,
// such as those at the edge of an image.
bool is_rare(const llvm::Value& condition, bool is_met);

// What may be done twice, and earlier than what stands before it.
bool is_repeatable(const llvm::Instruction& instruction);

} // namespace heddle::compiler
