// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instructions of a block, and runs of speculative loads among them: one path on which all
// checks hold, and one on which all loads are gathers. A condition that one load has checked need
// not be checked by the next.
#pragma once

#include "compiler/vectorize/emit/emit_instruction.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace heddle::compiler {

class SpeculativeRunEmitter : EmitterBase {
 public:
  SpeculativeRunEmitter(EmitState& state, InstructionEmitter& instructions)
      : EmitterBase(state), instructions_(instructions) {}

  // All instructions of the block except for phis and the terminator.
  void emit(const llvm::BasicBlock& block);

 private:
  bool is_restartable_at_entry(const llvm::BasicBlock& block) const;
  void emit_run(llvm::ArrayRef<const llvm::Instruction*> run);
  void merge_values(const llvm::Instruction& value, VectorValue wide, llvm::BasicBlock* from,
                    llvm::BasicBlock* other_from);

  InstructionEmitter& instructions_;
  // No side effect has been executed yet by any lane; the blocks at whose end this is so.
  bool is_restartable_ = true;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> restartable_;
};

} // namespace heddle::compiler
