// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/loop_builder.h"

namespace heddle::compiler {

LoopBuilder::Loop LoopBuilder::begin_head(llvm::BasicBlock* head, llvm::BasicBlock* after,
                                          llvm::Value* first, llvm::Value* end,
                                          std::uint64_t step) {
  auto* before = builder_.GetInsertBlock();
  builder_.SetInsertPoint(head);
  auto* value = builder_.CreatePHI(builder_.getInt64Ty(), 2, head->getName());
  value->addIncoming(first, before);
  return {value, head, after, end, step};
}

LoopBuilder::Loop LoopBuilder::begin(llvm::Value* end, const char* name, std::uint64_t step) {
  auto* head = block(name);
  builder_.CreateBr(head);
  return begin_head(head, nullptr, builder_.getInt64(0), end, step);
}

LoopBuilder::Loop LoopBuilder::begin_from(llvm::Value* first, llvm::Value* end, const char* name,
                                          std::uint64_t step) {
  auto* head = block(name);
  auto* after = block("after");
  builder_.CreateCondBr(builder_.CreateICmpEQ(first, end), after, head);
  return begin_head(head, after, first, end, step);
}

void LoopBuilder::end(const Loop& loop) {
  auto* next = builder_.CreateNUWAdd(loop.value, builder_.getInt64(loop.step));
  loop.value->addIncoming(next, builder_.GetInsertBlock());
  auto* after = loop.after != nullptr ? loop.after : block("after");
  keep_rolled(builder_.CreateCondBr(builder_.CreateICmpEQ(next, loop.end), after, loop.head));
  builder_.SetInsertPoint(after);
}

void LoopBuilder::keep_rolled(llvm::BranchInst* latch) {
  auto& context = builder_.getContext();
  auto* disable =
      llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.disable"));
  auto* loop = llvm::MDNode::getDistinct(context, {nullptr, disable});
  loop->replaceOperandWith(0, loop);
  latch->setMetadata(llvm::LLVMContext::MD_loop, loop);
}

llvm::BasicBlock* LoopBuilder::block(const char* name) {
  return llvm::BasicBlock::Create(builder_.getContext(), name,
                                  builder_.GetInsertBlock()->getParent());
}

} // namespace heddle::compiler
