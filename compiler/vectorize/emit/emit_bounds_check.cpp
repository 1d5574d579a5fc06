// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emit_bounds_check.h"

#include "compiler/ir/bounds_check.h"

namespace heddle::compiler {

// Between two lanes that are in bounds are all those between them.
llvm::Value* BoundsCheckEmitter::are_right_by_stride(const llvm::CallInst& check,
                                                     const llvm::Value& pointer, Stride stride,
                                                     unsigned row) {
  auto* begin = scalar(*check.getArgOperand(kCheckedBegin), row);
  auto* count = scalar(*check.getArgOperand(kCheckedCount), row);
  auto* bits = llvm::cast<llvm::ConstantInt>(check.getArgOperand(kCheckedBits));
  auto* word = builder_.getInt64Ty();
  auto* first = builder_.CreatePtrToInt(scalar(pointer, row), word);
  auto* right = emit_is_in_bounds(builder_, first, begin, count, bits);
  if (stride == 0)
    return right;
  if ((static_cast<std::uint64_t>(stride) & bits->getZExtValue()) != 0)
    return builder_.getFalse(); // neighboring lanes cannot both be aligned
  auto* last = builder_.CreateAdd(
      first, llvm::ConstantInt::getSigned(word, stride * (Stride{plan_.width} - 1)));
  return builder_.CreateAnd(right,
                            emit_is_in_bounds(builder_, last, begin, count, builder_.getInt64(0)));
}

// i1: whether the pointers of the row's lanes are right, if they are active.
llvm::Value* BoundsCheckEmitter::are_right(const llvm::CallInst& check, unsigned operand,
                                           unsigned row) {
  const auto& pointer = *check.getArgOperand(operand);
  const auto& begin = *check.getArgOperand(kCheckedBegin);
  const auto& count = *check.getArgOperand(kCheckedCount);
  if (const auto stride = shapes_.stride(pointer);
      stride && shapes_.is_uniform(begin) && shapes_.is_uniform(count))
    return are_right_by_stride(check, pointer, *stride, row);
  auto* addresses = builder_.CreatePtrToInt(lanes(pointer, row), widened(builder_.getInt64Ty()));
  auto* right = emit_is_in_bounds(builder_, addresses, lanes(begin, row), lanes(count, row),
                                  check.getArgOperand(kCheckedBits));
  if (mask(row) != nullptr)
    right = builder_.CreateOr(right, builder_.CreateNot(mask(row)));
  auto* all = builder_.CreateBitCast(right, builder_.getIntNTy(plan_.width));
  return builder_.CreateICmpEQ(all, llvm::Constant::getAllOnesValue(all->getType()));
}

void BoundsCheckEmitter::emit(const llvm::CallInst& check) {
  llvm::Value* right = builder_.getTrue();
  for (unsigned row = 0; row < plan_.rows; ++row)
    for (const auto operand : {kCheckedFirst, kCheckedLast})
      if (operand == kCheckedFirst ||
          check.getArgOperand(kCheckedLast) != check.getArgOperand(kCheckedFirst))
        right = builder_.CreateAnd(right, are_right(check, operand, row));
  auto* each = new_block("check.lanes");
  auto* checked = new_block("checked");
  create_likely_branch(builder_, right, checked, each);
  builder_.SetInsertPoint(each);
  scalarized_.emit(check);
  builder_.CreateBr(checked);
  builder_.SetInsertPoint(checked);
}

} // namespace heddle::compiler
