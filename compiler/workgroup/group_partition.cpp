// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/workgroup/group_partition.h"

#include "compiler/ir/loop_builder.h"

namespace heddle::compiler {
namespace {

// Whether a 32-bit id in y, with a constant added to it, may change its sign within the group.
llvm::Value* emit_row_ids_wrap(llvm::IRBuilder<>& builder, llvm::Value* group) {
  constexpr std::uint32_t kMaxRows = 8192; // of a group
  constexpr std::uint32_t kDistance = kMaxTransposedConstant + kMaxRows;
  AbiBuilder abi(builder);
  auto* launch = abi.launch_of(group);
  auto* first = builder.CreateAdd(
      builder.CreateMul(abi.group_word(group, offsetof(abi::Group, group_id), 1),
                        abi.launch_word(launch, offsetof(abi::Launch, local_size), 1)),
      abi.launch_word(launch, offsetof(abi::Launch, global_offset), 1));
  auto* from_sign_change = builder.CreateXor(builder.CreateTrunc(first, builder.getInt32Ty()),
                                             builder.getInt32(1U << 31));
  return builder.CreateICmpULE(builder.CreateAdd(from_sign_change, builder.getInt32(kDistance)),
                               builder.getInt32(2 * kDistance));
}

} // namespace

llvm::Value* emit_sub_group_count(llvm::IRBuilder<>& builder, const Kernel& kernel,
                                  llvm::Value* items) {
  const auto width = kernel.metadata.vector_width;
  return builder.CreateUDiv(builder.CreateAdd(items, builder.getInt64(width - 1)),
                            builder.getInt64(width));
}

llvm::Value* emit_crosses_rows(llvm::IRBuilder<>& builder, const Kernel& kernel,
                               llvm::Value* size_x, llvm::Value* items) {
  auto* rest = builder.CreateAnd(size_x, builder.getInt64(kernel.metadata.vector_width - 1));
  auto* is_uneven = builder.CreateAnd(builder.CreateICmpNE(rest, builder.getInt64(0)),
                                      builder.CreateICmpNE(size_x, items));
  auto* is_narrow =
      builder.CreateICmpULE(size_x, builder.getInt64(kernel.launch.widest_crossed_row));
  return builder.CreateAnd(is_uneven, is_narrow, "crosses_rows");
}

llvm::Value* emit_block_row_count(llvm::IRBuilder<>& builder, const Kernel& kernel,
                                  llvm::Value* size_x, llvm::Value* size_y, llvm::Value* ids_wrap,
                                  llvm::Value* group) {
  auto* rest = builder.CreateAnd(size_x, builder.getInt64(kernel.metadata.vector_width - 1));
  auto* rows =
      builder.CreateAnd(size_y, ~static_cast<std::uint64_t>(kernel.metadata.row_interleave - 1));
  auto* is_even = builder.CreateICmpEQ(rest, builder.getInt64(0));
  llvm::Value* wraps =
      kernel.specialization.has_small_ids ? builder.getFalse() : emit_row_ids_wrap(builder, group);
  if (ids_wrap != nullptr)
    wraps = builder.CreateOr(wraps, ids_wrap);
  is_even = builder.CreateAnd(is_even, builder.CreateNot(wraps));
  return builder.CreateSelect(is_even, rows, builder.getInt64(0), "rows_in_blocks");
}

llvm::Value* emit_whole_item_count(llvm::IRBuilder<>& builder, const Kernel& kernel,
                                   llvm::Value* size, llvm::Value* ids_wrap) {
  const std::uint64_t width = kernel.metadata.vector_width;
  auto* whole = builder.CreateAnd(size, ~(width - 1));
  return ids_wrap == nullptr ? whole
                             : builder.CreateSelect(ids_wrap, builder.getInt64(0), whole, "whole");
}

TailLoop::TailLoop(llvm::IRBuilder<>& builder, const Kernel& kernel, llvm::Value* first,
                   llvm::Value* size, llvm::Value* ids_wrap)
    : x(first), builder_(builder), size_(size),
      step_(builder.getInt64(kernel.metadata.vector_width)) {
  if (ids_wrap != nullptr) {
    if (!kernel.launch.tail_is_exact)
      step_ = builder.CreateSelect(ids_wrap, builder.getInt64(1), step_);
    auto* preheader = builder.GetInsertBlock();
    header_ = LoopBuilder(builder).block("tail.x");
    builder.CreateBr(header_);
    builder.SetInsertPoint(header_);
    auto* phi = builder.CreatePHI(builder.getInt64Ty(), 2, "x");
    phi->addIncoming(first, preheader);
    x = phi;
  }
  active = builder.CreateSub(size, x);
  if (header_ != nullptr)
    active = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, active, step_);
}

void TailLoop::end(llvm::BasicBlock* exit) const {
  if (header_ == nullptr) {
    builder_.CreateBr(exit);
    return;
  }
  auto* next = builder_.CreateNUWAdd(x, step_);
  llvm::cast<llvm::PHINode>(x)->addIncoming(next, builder_.GetInsertBlock());
  LoopBuilder(builder_).keep_rolled(
      builder_.CreateCondBr(builder_.CreateICmpULT(next, size_), header_, exit));
}

} // namespace heddle::compiler
