// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emit_atomics.h"

namespace heddle::compiler {
namespace {

// The reduction of the lanes' values; nullopt if the operation is not associative and commutative.
std::optional<llvm::Intrinsic::ID> reduction_of(llvm::AtomicRMWInst::BinOp operation) {
  switch (operation) {
  case llvm::AtomicRMWInst::Add:
  case llvm::AtomicRMWInst::Sub:
    return llvm::Intrinsic::vector_reduce_add;
  case llvm::AtomicRMWInst::And:
    return llvm::Intrinsic::vector_reduce_and;
  case llvm::AtomicRMWInst::Or:
    return llvm::Intrinsic::vector_reduce_or;
  case llvm::AtomicRMWInst::Xor:
    return llvm::Intrinsic::vector_reduce_xor;
  case llvm::AtomicRMWInst::Max:
    return llvm::Intrinsic::vector_reduce_smax;
  case llvm::AtomicRMWInst::Min:
    return llvm::Intrinsic::vector_reduce_smin;
  case llvm::AtomicRMWInst::UMax:
    return llvm::Intrinsic::vector_reduce_umax;
  case llvm::AtomicRMWInst::UMin:
    return llvm::Intrinsic::vector_reduce_umin;
  default:
    return std::nullopt;
  }
}

// The operand that leaves memory unchanged.
llvm::APInt identity_of(llvm::AtomicRMWInst::BinOp operation, unsigned bits) {
  switch (operation) {
  case llvm::AtomicRMWInst::And:
  case llvm::AtomicRMWInst::UMin:
    return llvm::APInt::getAllOnes(bits);
  case llvm::AtomicRMWInst::Max:
    return llvm::APInt::getSignedMinValue(bits);
  case llvm::AtomicRMWInst::Min:
    return llvm::APInt::getSignedMaxValue(bits);
  default:
    return llvm::APInt::getZero(bits);
  }
}

} // namespace

void AtomicEmitter::emit(const llvm::Instruction& instruction) {
  const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  if (update != nullptr && emit_reduction(*update))
    return;
  remark(instruction, "scalarized", "atomic operations are executed one work-item at a time");
  scalarized_.emit(instruction);
}

// False if the update has to be scalarized; nothing has been emitted then.
bool AtomicEmitter::emit_reduction(const llvm::AtomicRMWInst& update) {
  const auto operation = update.getOperation();
  const auto reduction = reduction_of(operation);
  const bool has_prefix_sum = operation == llvm::AtomicRMWInst::Add;
  if (!reduction || update.isVolatile() || !shapes_.is_uniform(*update.getPointerOperand()) ||
      (!update.use_empty() && !has_prefix_sum) || plan_.rows > 1)
    return false;
  auto* type = update.getType();
  auto* operand = lanes(*update.getValOperand(), 0);
  if (mask(0) != nullptr)
    operand = builder_.CreateSelect(
        mask(0), operand,
        splat(llvm::ConstantInt::get(type, identity_of(operation, type->getIntegerBitWidth()))));
  // No access if no lane is active: the address need not be valid then.
  llvm::BasicBlock* after = nullptr;
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  if (mask(0) != nullptr) {
    auto* some = new_block("update");
    after = new_block("update.done");
    builder_.CreateCondBr(masks_.any_active(masks_.current()), some, after);
    builder_.SetInsertPoint(some);
  }
  auto* sum = builder_.CreateIntrinsic(*reduction, {operand->getType()}, {operand});
  auto* made = llvm::cast<llvm::AtomicRMWInst>(update.clone());
  made->setOperand(0, scalar(*update.getPointerOperand(), 0));
  made->setOperand(1, sum);
  builder_.Insert(made);
  llvm::Value* old = made;
  if (after != nullptr) {
    auto* some = builder_.GetInsertBlock();
    builder_.CreateBr(after);
    builder_.SetInsertPoint(after);
    auto* phi = builder_.CreatePHI(type, 2);
    phi->addIncoming(made, some);
    phi->addIncoming(llvm::PoisonValue::get(type), before);
    old = phi;
  }
  if (update.use_empty())
    return true;
  VectorValue wide = define(update, VectorValue::Kind::lanes);
  auto* prefix = exclusive_sum(operand);
  wide.at(0) = builder_.CreateAdd(prefix, splat(old));
  values_[update] = std::move(wide);
  return true;
}

// Added to the old value in memory it gives the results as if the lanes had executed in order.
llvm::Value* AtomicEmitter::exclusive_sum(llvm::Value* operand) {
  auto* running = operand;
  for (unsigned step = 1; step < plan_.width; step *= 2) {
    llvm::SmallVector<int, 64> moved;
    for (unsigned i = 0; i < plan_.width; ++i)
      moved.push_back(static_cast<int>(i < step ? plan_.width + i : i - step));
    auto* none = llvm::Constant::getNullValue(operand->getType());
    running = builder_.CreateAdd(running, builder_.CreateShuffleVector(running, none, moved));
  }
  return builder_.CreateSub(running, operand);
}

} // namespace heddle::compiler
