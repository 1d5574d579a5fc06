// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/work_group_uniformity.h"
#include "compiler/async_copy/conditional_copy.h"
#include "compiler/async_copy/local_buffer_forwarding.h"
#include "compiler/ir/address_space.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/lower/lower_local_variables.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace heddle::compiler {
namespace {

// The branch whose true edge is the only edge to the copy; null: there is none.
llvm::BranchInst* guard_of(llvm::CallInst& copy) {
  auto* block = copy.getParent();
  auto* predecessor = block->getSinglePredecessor();
  auto* branch = predecessor != nullptr
                     ? llvm::dyn_cast<llvm::BranchInst>(predecessor->getTerminator())
                     : nullptr;
  return branch != nullptr && branch->isConditional() && branch->getSuccessor(0) == block ? branch
                                                                                          : nullptr;
}

// Makes the leader query the only condition of the copy's guard: it is split off an `and` with
// other conditions, and block and guard get a successor of their own. False if the copy is not
// guarded by a leader query.
bool isolate_leader_query(llvm::CallInst& copy, llvm::DominatorTree& dominators,
                          llvm::LoopInfo& loops) {
  using namespace llvm::PatternMatch;
  auto* guard = guard_of(copy);
  auto* block = copy.getParent();
  if (guard == nullptr || block->getSingleSuccessor() != guard->getSuccessor(1) ||
      llvm::isa<llvm::PHINode>(block->front()))
    return false;
  auto* query_block = guard->getParent();
  auto* after = guard->getSuccessor(1);
  if (!is_leader_query(*guard->getCondition())) {
    llvm::Value *a = nullptr, *b = nullptr;
    if (!match(guard->getCondition(), m_LogicalAnd(m_Value(a), m_Value(b))))
      return false;
    if (is_leader_query(*a))
      std::swap(a, b);
    if (!is_leader_query(*b))
      return false;
    query_block = llvm::SplitEdge(guard->getParent(), block, &dominators, &loops);
    guard->setCondition(a);
    for (auto& phi : after->phis())
      phi.addIncoming(phi.getIncomingValueForBlock(guard->getParent()), query_block);
    llvm::IRBuilder<> builder(query_block->getTerminator());
    builder.CreateCondBr(b, block, after);
    query_block->getTerminator()->eraseFromParent();
  }
  if (!after->hasNPredecessors(2))
    llvm::SplitBlockPredecessors(after, {query_block, block}, ".guarded", &dominators, &loops);
  return true;
}

// Hoists the value, and its operands, from `block` to before the guard; false if it cannot be.
bool hoist(llvm::Value& value, llvm::BranchInst& guard, const llvm::BasicBlock& block) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr || instruction->getParent() != &block)
    return true;
  if (llvm::isa<llvm::PHINode>(instruction) || instruction->mayReadOrWriteMemory() ||
      !llvm::isSafeToSpeculativelyExecute(instruction))
    return false;
  for (auto& operand : instruction->operands())
    if (!hoist(*operand, guard, block))
      return false;
  instruction->moveBefore(guard.getIterator());
  return true;
}

// Each slot has a private variable for the address of its contents, which is promoted to SSA form.
class RegisterForwarding final : public LocalBufferForwarding {
 public:
  RegisterForwarding(llvm::Function& body, const LocalBufferUses& buffer)
      : body_(body), buffer_(buffer) {}

  // Hoists the operands of the copies to where all work-items compute them; false if this is not
  // possible, or the work-items may differ in them.
  static bool prepare(llvm::Function& body, const LocalBufferUses& buffer,
                      llvm::DominatorTree& dominators, llvm::LoopInfo& loops) {
    for (const auto& copy : buffer.copies) {
      if (!isolate_leader_query(*copy.call, dominators, loops))
        return false;
      auto* guard = guard_of(*copy.call);
      if (!hoist(*copy.call->getArgOperand(0), *guard, *copy.call->getParent()) ||
          !hoist(*copy.call->getArgOperand(1), *guard, *copy.call->getParent()))
        return false;
    }
    const WorkGroupUniformity uniformity(body, /*is_masked=*/false);
    const auto is_uniform = [&](const llvm::Value& value) {
      const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
      return instruction == nullptr || uniformity.is_uniform(*instruction);
    };
    return llvm::all_of(buffer.copies, [&](const LocalBufferUses::Copy& copy) {
      const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(copy.slot);
      return uniformity.is_convergent(*guard_of(*copy.call)->getParent()) &&
             is_uniform(*copy.call->getArgOperand(1)) &&
             (gep == nullptr || is_uniform(*gep->getOperand(1)));
    });
  }

  void initialize() override {
    auto* start = buffer_.variable->getNextNode();
    while (is_local_variable(*start))
      start = start->getNextNode();
    llvm::IRBuilder<> builder(start);
    for (std::uint64_t i = 0; i < buffer_.slot_count; ++i)
      builder.CreateStore(cast_to_generic(builder, slot(builder, i)), variable(i));
  }

  void replace_copy(const LocalBufferUses::Copy& copy, llvm::Value* may_elide) override {
    auto& call = *copy.call;
    auto* to = call.getArgOperand(0);
    auto* from = call.getArgOperand(1);
    llvm::IRBuilder<> builder(guard_of(call));
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    auto* is_elided = emit_is_elided(builder, may_elide, from, to, *buffer_.source);
    auto* contents = builder.CreateSelect(is_elided, from, to);
    auto* index = buffer_.slot_index(builder, *copy.slot);
    for (std::uint64_t i = 0; i < buffer_.slot_count; ++i) {
      auto* old = builder.CreateLoad(contents->getType(), variable(i));
      builder.CreateStore(
          builder.CreateSelect(builder.CreateICmpEQ(index, builder.getInt64(i)), contents, old),
          variable(i));
    }
    builder.SetInsertPoint(&call);
    emit_copy_unless_elided(builder, {to, from, call.getArgOperand(2), is_elided,
                                      llvm::ConstantPointerNull::get(builder.getPtrTy(kLocal)),
                                      builder.getInt64(0)});
    call.eraseFromParent();
  }

  llvm::Value* emit_contents(llvm::IRBuilder<>& builder, llvm::Value& slot) override {
    auto* index = buffer_.slot_index(builder, slot);
    llvm::Value* selected = nullptr;
    for (std::uint64_t i = 0; i < buffer_.slot_count; ++i) {
      auto* contents = builder.CreateLoad(builder.getPtrTy(kGeneric), variable(i), "contents");
      selected = selected == nullptr
                     ? contents
                     : builder.CreateSelect(builder.CreateICmpEQ(index, builder.getInt64(i)),
                                            contents, selected);
    }
    return selected;
  }

  void finalize() override {
    llvm::DominatorTree dominators(body_);
    llvm::PromoteMemToReg(variables_, dominators);
  }

 private:
  llvm::Value* slot(llvm::IRBuilder<>& builder, std::uint64_t index) const {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), buffer_.variable,
                                              index * buffer_.slot_bytes);
  }

  llvm::AllocaInst* variable(std::uint64_t index) {
    if (variables_.empty()) {
      llvm::IRBuilder<> builder(&body_.getEntryBlock(), body_.getEntryBlock().begin());
      for (std::uint64_t i = 0; i < buffer_.slot_count; ++i)
        variables_.push_back(builder.CreateAlloca(builder.getPtrTy(kGeneric)));
    }
    return variables_[index];
  }

  llvm::Function& body_;
  const LocalBufferUses& buffer_;
  llvm::SmallVector<llvm::AllocaInst*, 2> variables_;
};

} // namespace

std::unique_ptr<LocalBufferForwarding> forward_in_registers(llvm::Function& body,
                                                            const LocalBufferUses& buffer,
                                                            llvm::DominatorTree& dominators,
                                                            llvm::LoopInfo& loops) {
  if (!RegisterForwarding::prepare(body, buffer, dominators, loops))
    return nullptr;
  return std::make_unique<RegisterForwarding>(body, buffer);
}

} // namespace heddle::compiler
