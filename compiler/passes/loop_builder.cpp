#include "compiler/passes/loop_builder.h"

namespace heddle::compiler {

LoopBuilder::Loop LoopBuilder::begin(llvm::Value* end, const char* name, std::uint64_t step) {
  auto* before = builder_.GetInsertBlock();
  auto* head = block(name);
  builder_.CreateBr(head);
  builder_.SetInsertPoint(head);
  auto* value = builder_.CreatePHI(builder_.getInt64Ty(), 2, name);
  value->addIncoming(builder_.getInt64(0), before);
  return {value, head, end, step};
}

void LoopBuilder::end(const Loop& loop) {
  auto* next = builder_.CreateNUWAdd(loop.value, builder_.getInt64(loop.step));
  loop.value->addIncoming(next, builder_.GetInsertBlock());
  auto* after = block("after");
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
