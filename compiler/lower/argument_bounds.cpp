// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/argument_bounds.h"

#include "compiler/ir/abi_builder.h"
#include "compiler/ir/address_space.h"

namespace heddle::compiler {
namespace {

llvm::Value* emit_count(llvm::IRBuilderBase& builder, llvm::Value* of_memory, llvm::Value& bytes,
                        llvm::Argument& argument, llvm::Align alignment) {
  auto* word = builder.getInt64Ty();
  llvm::Value* count = builder.CreateBinaryIntrinsic(
      llvm::Intrinsic::usub_sat, builder.CreateAdd(of_memory, builder.getInt64(1)),
      builder.CreateZExtOrTrunc(&bytes, word));
  if (alignment == 1)
    return count;
  auto* bits = builder.CreateAnd(builder.CreatePtrToInt(&argument, word), alignment.value() - 1);
  return builder.CreateSelect(builder.CreateICmpEQ(bits, builder.getInt64(0)), count,
                              builder.getInt64(0));
}

} // namespace

// Behind all that was inserted there before.
llvm::IRBuilder<> ArgumentBounds::at_beginning() const {
  return llvm::IRBuilder<>(last_ != nullptr
                               ? last_->getNextNode()
                               : &*function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
}

llvm::Value* ArgumentBounds::worker() {
  if (worker_ == nullptr) {
    auto builder = at_beginning();
    worker_ = AbiBuilder(builder).worker_of(params_.group);
    last_ = llvm::cast<llvm::Instruction>(worker_);
  }
  return worker_;
}

const ArgumentBounds::Bounds& ArgumentBounds::bounds_of(llvm::Argument& argument) {
  auto& known = bounds_[&argument];
  if (known.bytes != nullptr)
    return known;
  auto builder = at_beginning();
  AbiBuilder access(builder);
  if (table_ == nullptr)
    table_ = access.load_invariant(access.launch_of(params_.group), offsetof(abi::Launch, bounds),
                                   access.pointer(), "bounds");
  const auto at = argument.getArgNo() * sizeof(abi::MemoryBounds);
  auto* word = access.word();
  known.begin = argument.getType()->getPointerAddressSpace() == kLocal
                    ? builder.CreatePtrToInt(&argument, word)
                    : access.load_invariant(table_, at + offsetof(abi::MemoryBounds, begin), word,
                                            argument.getName() + ".begin");
  auto* bytes = access.load_invariant(table_, at + offsetof(abi::MemoryBounds, bytes), word,
                                      argument.getName() + ".bytes");
  known.bytes = bytes;
  last_ = bytes;
  return known;
}

llvm::Value* ArgumentBounds::count_of(llvm::Argument& argument, llvm::Value& bytes,
                                      llvm::Align alignment, llvm::IRBuilderBase& builder) {
  auto* of_memory = bounds_of(argument).bytes;
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&bytes);
  if (number == nullptr)
    return emit_count(builder, of_memory, bytes, argument, alignment);
  auto& known = counts_[{argument.getArgNo(), number->getZExtValue(), alignment.value()}];
  if (known == nullptr) {
    auto beginning = at_beginning();
    known = emit_count(beginning, of_memory, bytes, argument, alignment);
    last_ = llvm::cast<llvm::Instruction>(known);
  }
  return known;
}

} // namespace heddle::compiler
