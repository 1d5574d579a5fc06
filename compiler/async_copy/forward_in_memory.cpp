// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/async_copy/conditional_copy.h"
#include "compiler/async_copy/local_buffer_forwarding.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kLeaderQuery = "__heddle_sub_group_is_leader";

llvm::Value* emit_distance(llvm::IRBuilder<>& builder, llvm::Value* to, llvm::Value* from) {
  auto* i64 = builder.getInt64Ty();
  auto* end = builder.CreatePtrToInt(to, i64);
  return builder.CreateSub(end, builder.CreatePtrToInt(from, i64));
}

// The state of a slot is the offset of its contents from the argument. The address is then computed
// from either the argument or the buffer, so that alias analysis knows its base.
class MemoryForwarding final : public LocalBufferForwarding {
 public:
  MemoryForwarding(const LocalBufferUses& buffer, llvm::Instruction& state)
      : buffer_(buffer), state_(state) {}

  void initialize() override {
    auto* next = state_.getNextNode();
    llvm::IRBuilder<> builder(next);
    auto query = next->getModule()->getOrInsertFunction(
        kLeaderQuery, llvm::FunctionType::get(builder.getInt1Ty(), false));
    auto* is_leader = builder.CreateCall(query);
    builder.SetInsertPoint(
        llvm::SplitBlockAndInsertIfThen(is_leader, next->getIterator(), /*Unreachable=*/false));
    for (std::uint64_t i = 0; i < buffer_.slot_count; ++i) {
      auto* slot = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), buffer_.variable,
                                                      i * buffer_.slot_bytes);
      auto* address = cast_to_generic(builder, slot);
      emit_copy_unless_elided(builder, {address, address, builder.getInt64(0), builder.getTrue(),
                                        state_of(builder, builder.getInt64(i)),
                                        emit_distance(builder, slot, buffer_.source)});
    }
  }

  void replace_copy(const LocalBufferUses::Copy& copy, llvm::Value* may_elide) override {
    auto& call = *copy.call;
    auto* to = call.getArgOperand(0);
    auto* from = call.getArgOperand(1);
    llvm::IRBuilder<> builder(&call);
    auto* is_elided = emit_is_elided(builder, may_elide, from, to, *buffer_.source);
    auto* contents = builder.CreateSelect(is_elided, from, to);
    emit_copy_unless_elided(builder, {to, from, call.getArgOperand(2), is_elided,
                                      state_of(builder, buffer_.slot_index(builder, *copy.slot)),
                                      emit_distance(builder, contents, buffer_.source)});
    call.eraseFromParent();
  }

  llvm::Value* emit_contents(llvm::IRBuilder<>& builder, llvm::Value& slot) override {
    auto* offset = builder.CreateAlignedLoad(builder.getInt64Ty(),
                                             state_of(builder, buffer_.slot_index(builder, slot)),
                                             llvm::Align(kForwardingStateBytes), "offset");
    auto* is_slot = builder.CreateICmpEQ(offset, emit_distance(builder, &slot, buffer_.source));
    auto* in_source = builder.CreateGEP(builder.getInt8Ty(), buffer_.source, offset);
    return builder.CreateSelect(is_slot, cast_to_generic(builder, &slot),
                                cast_to_generic(builder, in_source), "contents");
  }

 private:
  llvm::Value* state_of(llvm::IRBuilder<>& builder, llvm::Value* index) const {
    return builder.CreateGEP(builder.getInt64Ty(), &state_, index);
  }

  const LocalBufferUses& buffer_;
  llvm::Instruction& state_;
};

} // namespace

std::unique_ptr<LocalBufferForwarding> forward_in_memory(const LocalBufferUses& buffer,
                                                         llvm::Instruction& state) {
  return std::make_unique<MemoryForwarding>(buffer, state);
}

} // namespace heddle::compiler
