// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emitter_base.h"

namespace heddle::compiler {

EmitState::EmitState(const EmitInputs& inputs)
    : context(inputs), values(context), masks(context, values) {}

EmitterBase::EmitterBase(EmitState& state)
    : context_(state.context), values_(state.values), masks_(state.masks),
      builder_(context_.builder()), kernel_(context_.inputs().kernel),
      plan_(context_.inputs().plan), shapes_(context_.inputs().shapes),
      linearization_(context_.inputs().linearization), loops_(context_.inputs().loops),
      layout_(context_.layout()) {}

llvm::Value* EmitterBase::offset_address(llvm::Value* address, std::int64_t bytes) {
  return bytes == 0 ? address
                    : builder_.CreateGEP(builder_.getInt8Ty(), address, builder_.getInt64(bytes));
}

llvm::Instruction* EmitterBase::clone_scalar(const llvm::Instruction& instruction, unsigned row) {
  auto* made = instruction.clone();
  for (auto& operand : made->operands())
    operand.set(scalar(*operand.get(), row));
  builder_.Insert(made, instruction.getName());
  return made;
}

llvm::Instruction* EmitterBase::clone_access(const llvm::Instruction& access, unsigned row) {
  auto* made = clone_scalar(access, row);
  const bool is_store = llvm::isa<llvm::StoreInst>(made);
  const auto pointer = is_store ? llvm::StoreInst::getPointerOperandIndex()
                                : llvm::LoadInst::getPointerOperandIndex();
  builder_.SetInsertPoint(made);
  made->setOperand(pointer, guarded_address(made->getOperand(pointer), is_store, row));
  builder_.SetInsertPoint(made->getParent());
  return made;
}

// A block executes if any row has an active lane.
llvm::Value* EmitterBase::guarded_address(llvm::Value* address, bool is_store, unsigned row) {
  if (plan_.rows == 1 || mask(row) == nullptr)
    return address;
  return builder_.CreateSelect(masks_.any_active({mask(row)}), address,
                               context_.inactive_address(address->getType(), is_store));
}

void EmitterBase::call_fallback() {
  const auto state = work_item_params(kernel_);
  for (unsigned row = 0; row < plan_.rows; ++row) {
    llvm::SmallVector<llvm::Value*, 16> arguments;
    for (auto& argument : kernel_.args()) {
      if (&argument == state.group)
        arguments.push_back(builder_.getInt64(plan_.width));
      arguments.push_back(scalar(argument, row));
    }
    builder_.CreateCall(context_.inputs().fallback, arguments);
  }
}

} // namespace heddle::compiler
