// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emit_speculative_access.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kMaxDepth = 24; // of the expression of an address

} // namespace

void SpeculativeAccessEmitter::end_run() {
  failed_ = nullptr;
  likely_.lane_0.clear();
  likely_.lane_0_sext.clear();
}

// Whether the active lanes' addresses are lane 0's plus lane * `stride`.
llvm::Value* SpeculativeAccessEmitter::emit_stride_check(llvm::Value* addresses, Stride stride,
                                                         unsigned row) {
  auto* expected =
      values_.strided_lanes(builder_.CreateExtractElement(addresses, std::uint64_t{0}), stride);
  // Addresses of inactive lanes may be poison.
  auto* differs = builder_.CreateFreeze(builder_.CreateICmpNE(addresses, expected));
  if (mask(row) != nullptr)
    differs = builder_.CreateAnd(differs, mask(row));
  auto* bits = builder_.CreateBitCast(differs, builder_.getIntNTy(plan_.width));
  return builder_.CreateICmpEQ(bits, llvm::Constant::getNullValue(bits->getType()), "consecutive");
}

// Adds the condition that lane 0's value, `first`, plus lane * `stride` does not wrap in any lane.
void SpeculativeAccessEmitter::add_no_wrap_condition(llvm::Value* first, Stride stride,
                                                     bool is_signed, Conditions& conditions) {
  if (stride == 0)
    return;
  auto* type = first->getType();
  const auto bits = type->getIntegerBitWidth();
  const auto last_offset =
      static_cast<std::uint64_t>((stride < 0 ? -stride : stride) * (plan_.width - 1));
  if (!llvm::isUIntN(bits, last_offset)) {
    conditions.push_back(builder_.getFalse());
    return;
  }
  const auto distance = llvm::APInt(bits, last_offset);
  const auto lowest = is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getZero(bits);
  const auto highest =
      is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getAllOnes(bits);
  const auto limit = stride < 0 ? lowest + distance : highest - distance;
  const auto up = is_signed ? llvm::ICmpInst::ICMP_SLE : llvm::ICmpInst::ICMP_ULE;
  const auto down = is_signed ? llvm::ICmpInst::ICMP_SGE : llvm::ICmpInst::ICMP_UGE;
  conditions.push_back(
      builder_.CreateICmp(stride < 0 ? down : up, first, llvm::ConstantInt::get(type, limit)));
}

// Whether the operation wraps neither in lane 0 nor in another active lane, since the access that
// is being emitted would be undefined otherwise: it has nsw (nuw) and lane 0 executes the access.
bool SpeculativeAccessEmitter::lane_0_never_wraps(const llvm::Value& value, bool is_signed,
                                                  unsigned row) const {
  const auto* operation = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&value);
  const auto* entry = masks_.block_masks(kernel_.getEntryBlock());
  const bool has_lane_0 = mask(row) == nullptr || (entry != nullptr && (*entry)[row] == mask(row));
  return has_lane_0 && operation != nullptr &&
         (is_signed ? operation->hasNoSignedWrap() : operation->hasNoUnsignedWrap());
}

// The sign extension of likely_lane_0(). The operands of a sum that does not wrap are extended
// separately, so that terms that several rows or columns share are computed once.
llvm::Value* SpeculativeAccessEmitter::likely_lane_0_sext(const llvm::Value& value,
                                                          llvm::Type* type, unsigned row,
                                                          Conditions& conditions, unsigned depth) {
  const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (sum != nullptr && sum->getOpcode() == llvm::Instruction::Add && !shapes_.is_uniform(value) &&
      lane_0_never_wraps(value, true, row)) {
    auto* a = likely_lane_0_sext(*sum->getOperand(0), type, row, conditions, depth + 1);
    auto* b = likely_lane_0_sext(*sum->getOperand(1), type, row, conditions, depth + 1);
    return a != nullptr && b != nullptr ? builder_.CreateAdd(a, b) : nullptr;
  }
  const std::pair key(&value, shapes_.differs_by_row(value) ? row : 0);
  if (auto* known = likely_.lane_0_sext.lookup(key); known != nullptr && known->getType() == type)
    return known;
  auto* narrow = likely_lane_0(value, row, conditions, depth + 1);
  const auto stride = shapes_.likely_stride(value);
  if (narrow == nullptr || (!shapes_.is_uniform(value) && !stride))
    return nullptr;
  if (!shapes_.is_uniform(value))
    add_no_wrap_condition(narrow, *stride, true, conditions);
  auto* made = builder_.CreateSExt(narrow, type);
  if (failed_ != nullptr)
    likely_.lane_0_sext[key] = made;
  return made;
}

// Lane 0's value, after adding to `conditions` those under which the other lanes' values follow by
// the likely stride. Null: these cannot be computed from lane 0 alone.
llvm::Value* SpeculativeAccessEmitter::likely_lane_0(const llvm::Value& value, unsigned row,
                                                     Conditions& conditions, unsigned depth) {
  if (shapes_.is_uniform(value) || shapes_.stride(value))
    return scalar(value, row);
  if (failed_ == nullptr)
    return compute_likely_lane_0(value, row, conditions, depth);
  // In a run of accesses a condition that one has checked holds for the next ones.
  const std::pair key(&value, shapes_.differs_by_row(value) ? row : 0);
  if (auto* known = likely_.lane_0.lookup(key))
    return known;
  auto* first = compute_likely_lane_0(value, row, conditions, depth);
  if (first != nullptr)
    likely_.lane_0[key] = first;
  return first;
}

// A minimum or maximum with a uniform bound, which changes no lane if it changes neither the first
// nor the last one.
llvm::Value* SpeculativeAccessEmitter::likely_lane_0_clamp(const llvm::Instruction& instruction,
                                                           Stride stride, unsigned row,
                                                           Conditions& conditions, unsigned depth) {
  const auto* call = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction);
  if (call == nullptr)
    return nullptr;
  const unsigned varying = shapes_.is_uniform(*call->getArgOperand(1)) ? 0 : 1;
  const auto& bound = *call->getArgOperand(1 - varying);
  if (!shapes_.is_uniform(bound))
    return nullptr;
  auto* first = likely_lane_0(*call->getArgOperand(varying), row, conditions, depth + 1);
  if (first == nullptr)
    return nullptr;
  add_no_wrap_condition(first, stride, call->isSigned(), conditions);
  auto* last = builder_.CreateAdd(
      first, llvm::ConstantInt::getSigned(first->getType(), stride * (plan_.width - 1), true));
  // The predicate with which min or max returns the varying operand.
  const auto predicate = llvm::CmpInst::getNonStrictPredicate(call->getPredicate());
  auto* outermost = llvm::ICmpInst::isLE(predicate) == (stride > 0) ? last : first;
  conditions.push_back(builder_.CreateICmp(predicate, outermost, scalar(bound, row)));
  return first;
}

// The instruction, of the operands' values in lane 0.
llvm::Value* SpeculativeAccessEmitter::clone_for_lane_0(const llvm::Instruction& instruction,
                                                        unsigned row, Conditions& conditions,
                                                        unsigned depth) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const auto count = call != nullptr ? call->arg_size() : instruction.getNumOperands();
  llvm::SmallVector<llvm::Value*, 4> operands;
  for (unsigned i = 0; i < count; ++i) {
    operands.push_back(likely_lane_0(*instruction.getOperand(i), row, conditions, depth + 1));
    if (operands.back() == nullptr)
      return nullptr;
  }
  auto* made = instruction.clone();
  // Lane 0 may be inactive.
  made->dropPoisonGeneratingFlags();
  for (unsigned i = 0; i < operands.size(); ++i)
    made->setOperand(i, operands[i]);
  return builder_.Insert(made);
}

// The row or column of lane 0, which is that of all lanes, or the first of theirs, unless their row
// ends before the last one.
llvm::Value* SpeculativeAccessEmitter::likely_lane_0_in_row(const llvm::Instruction& instruction,
                                                            const RowSplit& split, unsigned row,
                                                            Conditions& conditions,
                                                            unsigned depth) {
  auto* first = likely_lane_0(*split.number, row, conditions, depth + 1);
  if (first == nullptr)
    return nullptr;
  const auto last = plan_.width - 1;
  const auto type_bits = first->getType()->getIntegerBitWidth();
  if (split.columns == nullptr) {
    const auto columns = std::uint64_t{1} << split.bits;
    if (split.bits >= type_bits || columns <= last)
      return nullptr;
    auto* column = builder_.CreateAnd(first, columns - 1);
    conditions.push_back(
        builder_.CreateICmpULT(column, llvm::ConstantInt::get(first->getType(), columns - last)));
    if (!split.is_row)
      return column;
    auto* made = instruction.clone();
    made->dropPoisonGeneratingFlags();
    made->setOperand(0, first);
    return builder_.Insert(made);
  }
  auto* columns = scalar(*split.columns, row);
  if (split.is_signed) {
    auto* zero = llvm::ConstantInt::get(first->getType(), 0);
    conditions.push_back(builder_.CreateICmpSGE(first, zero));
    conditions.push_back(builder_.CreateICmpSGT(columns, zero));
  }
  add_no_wrap_condition(first, 1, split.is_signed, conditions);
  // Where no work-item divides, it may be zero.
  auto* divisor = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, columns,
                                                 llvm::ConstantInt::get(first->getType(), 1));
  auto* quotient = builder_.CreateUDiv(first, divisor);
  auto* column = builder_.CreateSub(first, builder_.CreateMul(quotient, divisor));
  conditions.push_back(builder_.CreateICmpUGT(builder_.CreateSub(divisor, column),
                                              llvm::ConstantInt::get(first->getType(), last)));
  return split.is_row ? quotient : column;
}

llvm::Value* SpeculativeAccessEmitter::compute_likely_lane_0(const llvm::Value& value, unsigned row,
                                                             Conditions& conditions,
                                                             unsigned depth) {
  using Op = llvm::Instruction;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  const auto stride = shapes_.likely_stride(value);
  if (instruction == nullptr || !stride || depth > kMaxDepth ||
      (instruction->getType()->isIntegerTy() && instruction->getType()->getIntegerBitWidth() < 16))
    return nullptr;
  const auto of_operand = [&](unsigned i) {
    return likely_lane_0(*instruction->getOperand(i), row, conditions, depth + 1);
  };
  const auto extend = [&](llvm::Value* narrow, Stride step, bool is_signed) {
    if (!lane_0_never_wraps(*instruction->getOperand(0), is_signed, row))
      add_no_wrap_condition(narrow, step, is_signed, conditions);
    return is_signed ? builder_.CreateSExt(narrow, value.getType())
                     : builder_.CreateZExt(narrow, value.getType());
  };
  if (const auto split = row_split(*instruction);
      split && shapes_.likely_stride(*split->number) == 1 &&
      (split->columns == nullptr || shapes_.is_uniform(*split->columns)))
    return likely_lane_0_in_row(*instruction, *split, row, conditions, depth);
  const auto is_likely_uniform = [&](const llvm::Use& operand) {
    return shapes_.is_uniform(*operand) || shapes_.likely_stride(*operand) == 0;
  };
  // Not what may be undefined in lane 0, which may be inactive.
  const bool is_defined =
      llvm::isa<llvm::BinaryOperator>(instruction) && !instruction->isIntDivRem() &&
      (!instruction->isShift() || llvm::isa<llvm::ConstantInt>(instruction->getOperand(1)));
  const bool is_of_likely_uniform =
      (is_defined && llvm::all_of(instruction->operands(), is_likely_uniform)) ||
      (llvm::isa<llvm::MinMaxIntrinsic>(instruction) &&
       llvm::all_of(llvm::cast<llvm::MinMaxIntrinsic>(instruction)->args(), is_likely_uniform));
  if (is_of_likely_uniform)
    return clone_for_lane_0(*instruction, row, conditions, depth);
  switch (instruction->getOpcode()) {
  case Op::Or:
    if (!llvm::cast<llvm::PossiblyDisjointInst>(instruction)->isDisjoint())
      return nullptr;
    [[fallthrough]];
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Shl:
  case Op::Trunc:
  case Op::GetElementPtr:
    return clone_for_lane_0(*instruction, row, conditions, depth);
  case Op::SExt:
    return likely_lane_0_sext(*instruction->getOperand(0), value.getType(), row, conditions, depth);
  case Op::ZExt: {
    auto* narrow = of_operand(0);
    return narrow == nullptr ? nullptr : extend(narrow, *stride, false);
  }
  case Op::And:
  case Op::AShr:
  case Op::LShr: {
    const auto narrowed = narrowed_value(*instruction);
    if (!narrowed || narrowed->bits < 16 || narrowed->shift > 16)
      return nullptr;
    auto* wide = likely_lane_0(*narrowed->value, row, conditions, depth + 1);
    if (wide == nullptr)
      return nullptr;
    auto* sum = builder_.CreateAdd(
        wide, llvm::ConstantInt::getSigned(wide->getType(), narrowed->added, true));
    auto* narrow = builder_.CreateTrunc(sum, builder_.getIntNTy(narrowed->bits));
    const auto step = *stride / (Stride{1} << narrowed->shift);
    return builder_.CreateShl(extend(narrow, step, instruction->getOpcode() == Op::AShr),
                              narrowed->shift);
  }
  case Op::Call:
    return likely_lane_0_clamp(*instruction, *stride, row, conditions, depth);
  default:
    return nullptr;
  }
}

llvm::Value* SpeculativeAccessEmitter::branch_on_likely_stride(const llvm::Value& address,
                                                               Stride stride, unsigned row,
                                                               llvm::BasicBlock* strided,
                                                               llvm::BasicBlock* otherwise) {
  llvm::SmallVector<llvm::Value*, 4> conditions;
  auto known = likely_;
  if (auto* first = likely_lane_0(address, row, conditions, 0)) {
    llvm::Value* all = builder_.getTrue();
    for (auto* condition : conditions)
      all = builder_.CreateAnd(all, condition);
    if (conditions.empty())
      builder_.CreateBr(strided);
    else
      builder_.CreateCondBr(all, strided, otherwise);
    return first;
  }
  likely_ = std::move(known); // drops values that depend on conditions that are not checked
  auto* addresses = lanes(address, row);
  auto* first = builder_.CreateExtractElement(addresses, std::uint64_t{0});
  builder_.CreateCondBr(emit_stride_check(addresses, stride, row), strided, otherwise);
  return first;
}

} // namespace heddle::compiler
