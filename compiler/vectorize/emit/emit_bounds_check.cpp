// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emit_bounds_check.h"

#include "compiler/ir/bounds_check.h"

namespace heddle::compiler {

bool BoundsCheckEmitter::has_uniform_bounds(const llvm::CallInst& check) const {
  return shapes_.is_uniform(*check.getArgOperand(kCheckedBegin)) &&
         shapes_.is_uniform(*check.getArgOperand(kCheckedCount));
}

// Of lanes from `first` on. Between two lanes that are in bounds are all those between them.
llvm::Value* BoundsCheckEmitter::are_right_by_stride(const llvm::CallInst& check,
                                                     llvm::Value* first, Stride stride,
                                                     unsigned row) {
  auto* begin = scalar(*check.getArgOperand(kCheckedBegin), row);
  auto* count = scalar(*check.getArgOperand(kCheckedCount), row);
  auto* bits = llvm::cast<llvm::ConstantInt>(check.getArgOperand(kCheckedBits));
  auto* word = builder_.getInt64Ty();
  auto* address = builder_.CreatePtrToInt(first, word);
  auto* right = emit_is_in_bounds(builder_, address, begin, count, bits);
  if (stride == 0)
    return right;
  if ((static_cast<std::uint64_t>(stride) & bits->getZExtValue()) != 0)
    return builder_.getFalse(); // neighboring lanes cannot both be aligned
  auto* last = builder_.CreateAdd(
      address, llvm::ConstantInt::getSigned(word, stride * (Stride{plan_.width} - 1)));
  return builder_.CreateAnd(right,
                            emit_is_in_bounds(builder_, last, begin, count, builder_.getInt64(0)));
}

// i1: whether the pointers of the row's lanes are right, if they are active.
llvm::Value* BoundsCheckEmitter::are_right(const llvm::CallInst& check, unsigned operand,
                                           unsigned row) {
  const auto& pointer = *check.getArgOperand(operand);
  if (const auto stride = shapes_.stride(pointer); stride && has_uniform_bounds(check))
    return are_right_by_stride(check, scalar(pointer, row), *stride, row);
  return are_active_right(check, operand, row);
}

// The same lane by lane.
llvm::Value* BoundsCheckEmitter::are_active_right(const llvm::CallInst& check, unsigned operand,
                                                  unsigned row) {
  const auto& pointer = *check.getArgOperand(operand);
  auto* addresses = builder_.CreatePtrToInt(lanes(pointer, row), widened(builder_.getInt64Ty()));
  auto* right = emit_is_in_bounds(
      builder_, addresses, lanes(*check.getArgOperand(kCheckedBegin), row),
      lanes(*check.getArgOperand(kCheckedCount), row), check.getArgOperand(kCheckedBits));
  if (mask(row) != nullptr)
    right = builder_.CreateOr(right, builder_.CreateNot(mask(row)));
  auto* all = builder_.CreateBitCast(right, builder_.getIntNTy(plan_.width));
  return builder_.CreateICmpEQ(all, llvm::Constant::getAllOnesValue(all->getType()));
}

// For lanes that probably have a stride: whether all are right, where emission goes on. Null: it is
// not known which stride, or this is the path on which they have none.
llvm::Value* BoundsCheckEmitter::are_right_if_strided(const llvm::CallInst& check, unsigned operand,
                                                      unsigned row) {
  const auto& pointer = *check.getArgOperand(operand);
  const auto stride = shapes_.likely_stride(pointer);
  if (shapes_.stride(pointer) || !stride || !has_uniform_bounds(check) || memory_.forces_gathers())
    return nullptr;
  auto& speculation = memory_.speculation();
  auto* strided = new_block("check.strided");
  if (auto* failed_run = speculation.failed_block()) { // which checks them again
    auto* first = speculation.branch_on_likely_stride(pointer, *stride, row, strided, failed_run);
    builder_.SetInsertPoint(strided);
    return are_right_by_stride(check, first, *stride, row);
  }
  auto* apart = new_block("check.apart");
  auto* compared = new_block("check.compared");
  auto* first = speculation.branch_on_likely_stride(pointer, *stride, row, strided, apart);
  builder_.SetInsertPoint(strided);
  create_likely_branch(builder_, are_right_by_stride(check, first, *stride, row), compared, apart);
  builder_.SetInsertPoint(apart);
  auto* right = are_right(check, operand, row);
  auto* end = builder_.GetInsertBlock();
  builder_.CreateBr(compared);
  builder_.SetInsertPoint(compared);
  auto* all = builder_.CreatePHI(builder_.getInt1Ty(), 2);
  all->addIncoming(builder_.getTrue(), strided);
  all->addIncoming(right, end);
  return all;
}

// Checks each active lane by itself.
void BoundsCheckEmitter::check_lanes(const llvm::CallInst& check, unsigned row) {
  const auto& pointer = *check.getArgOperand(kCheckedFirst);
  auto* word = builder_.getInt64Ty();
  const auto stride = shapes_.stride(pointer);
  auto* address = stride ? builder_.CreatePtrToInt(scalar(pointer, row), word)
                         : builder_.CreatePtrToInt(lanes(pointer, row), widened(word));
  llvm::SmallVector<llvm::Value*, 9> operands;
  for (auto i = kCheckedBegin; i < check.arg_size(); ++i) {
    const auto& operand = *check.getArgOperand(i);
    operands.push_back(shapes_.is_uniform(operand) ? scalar(operand, row) : lanes(operand, row));
  }
  create_lanes_check(builder_, plan_.width, masks_.active_bits(row), address, stride.value_or(0),
                     operands, plan_.rows == 1);
}

void BoundsCheckEmitter::emit(const llvm::CallInst& check) {
  if (const auto* count = llvm::dyn_cast<llvm::ConstantInt>(check.getArgOperand(kCheckedCount));
      count != nullptr && count->isZero()) {
    for (unsigned row = 0; row < plan_.rows; ++row)
      check_lanes(check, row);
    return;
  }
  auto* each = new_block("check.lanes");
  auto* checked = new_block("checked");
  llvm::Value* right = builder_.getTrue();
  for (unsigned row = 0; row < plan_.rows; ++row)
    for (const auto operand : {kCheckedFirst, kCheckedLast})
      if (operand == kCheckedFirst ||
          check.getArgOperand(kCheckedLast) != check.getArgOperand(kCheckedFirst)) {
        auto* of_pointer = are_right_if_strided(check, operand, row);
        right = builder_.CreateAnd(right, of_pointer != nullptr ? of_pointer
                                                                : are_right(check, operand, row));
      }
  create_likely_branch(builder_, right, checked, each);
  builder_.SetInsertPoint(each);
  // Of a stride, lanes that are not active were compared, too.
  if (mask(0) != nullptr && shapes_.stride(*check.getArgOperand(kCheckedFirst)) &&
      shapes_.stride(*check.getArgOperand(kCheckedLast)) && has_uniform_bounds(check)) {
    right = builder_.getTrue();
    for (unsigned row = 0; row < plan_.rows; ++row)
      for (const auto operand : {kCheckedFirst, kCheckedLast})
        right = builder_.CreateAnd(right, are_active_right(check, operand, row));
    auto* wrong = new_block("check.wrong");
    create_likely_branch(builder_, right, checked, wrong);
    builder_.SetInsertPoint(wrong);
  }
  for (unsigned row = 0; row < plan_.rows; ++row)
    check_lanes(check, row);
  builder_.CreateBr(checked);
  builder_.SetInsertPoint(checked);
}

} // namespace heddle::compiler
