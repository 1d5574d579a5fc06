// Atomic updates of one place by all lanes: combined first, then one update.
#include "compiler/vectorize/emit/emitter.h"

namespace heddle::compiler {
namespace {

// What the lanes' values are put together with; nothing if that may not be done in any order.
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

// Leaves a place as it is.
llvm::APInt neutral(llvm::AtomicRMWInst::BinOp operation, unsigned bits) {
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

// False if it is for emit_lane_by_lane.
bool Emitter::emit_atomic_reduction(const llvm::AtomicRMWInst& update) {
  const auto operation = update.getOperation();
  const auto reduction = reduction_of(operation);
  const bool counts = operation == llvm::AtomicRMWInst::Add;
  if (!reduction || update.isVolatile() || !shapes_.is_uniform(*update.getPointerOperand()) ||
      (!update.use_empty() && !counts) || plan_.rows > 1)
    return false;
  auto* type = update.getType();
  auto* own = lanes(*update.getValOperand(), 0);
  if (mask(0) != nullptr)
    own = builder_.CreateSelect(
        mask(0), own,
        splat(llvm::ConstantInt::get(type, neutral(operation, type->getIntegerBitWidth()))));
  // Nothing is written when nobody is active, since the place need not be there.
  llvm::BasicBlock* after = nullptr;
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  if (mask(0) != nullptr) {
    auto* some = new_block("update");
    after = new_block("updated");
    builder_.CreateCondBr(any(masks_), some, after);
    builder_.SetInsertPoint(some);
  }
  auto* sum = builder_.CreateIntrinsic(*reduction, {own->getType()}, {own});
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
  // As if the lanes had come one after the other: each finds what those before it have added.
  auto* running = own;
  for (unsigned step = 1; step < plan_.width; step *= 2) {
    llvm::SmallVector<int, 64> moved;
    for (unsigned i = 0; i < plan_.width; ++i)
      moved.push_back(static_cast<int>(i < step ? plan_.width + i : i - step));
    auto* none = llvm::Constant::getNullValue(own->getType());
    running = builder_.CreateAdd(running, builder_.CreateShuffleVector(running, none, moved));
  }
  VectorValue wide = define(update, VectorValue::Kind::lanes);
  wide.at(0) = builder_.CreateAdd(builder_.CreateSub(running, own), splat(old));
  values_[&update] = std::move(wide);
  return true;
}

} // namespace heddle::compiler
