// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emit_instruction.h"

namespace heddle::compiler {

InstructionEmitter::InstructionEmitter(EmitState& state)
    : EmitterBase(state), value_(state), addresses_(state), scalarized_(state, addresses_),
      atomic_(state, scalarized_), memory_(state, value_, scalarized_, addresses_),
      call_(state, value_, scalarized_, memory_) {}

void InstructionEmitter::emit(const llvm::Instruction& instruction) {
  context_.set_debug_location(instruction);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return memory_.emit_load(*load);
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return memory_.emit_store(*store);
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    return memory_.emit_alloca(*variable);
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    return call_.emit(*call);
  if (llvm::isa<llvm::FenceInst>(instruction)) {
    clone_scalar(instruction, 0);
    return;
  }
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
    return atomic_.emit(instruction);
  if (instruction.mayReadOrWriteMemory())
    return scalarized_.emit(instruction);
  value_.emit(instruction);
}

} // namespace heddle::compiler
