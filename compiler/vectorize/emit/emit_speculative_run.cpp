// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emit_speculative_run.h"

#include "compiler/ir/bounds_check.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/vectorize/emit/emit_calls.h"
#include "compiler/vectorize/transform/find_guards.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {
namespace {

// Whether it only asks for what UniformizeGuardsPass decides by.
bool is_guard_query(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const auto function = call != nullptr ? subgroup_intrinsic(*call) : std::nullopt;
  return function && (function->kind == SubgroupIntrinsic::Kind::first ||
                      function->kind == SubgroupIntrinsic::Kind::all_rows);
}

} // namespace

void SpeculativeRunEmitter::emit(const llvm::BasicBlock& block) {
  llvm::SmallVector<const llvm::Instruction*, 32> run;
  unsigned speculative = 0;
  const auto& memory = instructions_.memory();
  const auto end_run = [&] {
    if (speculative > 1)
      emit_run(run);
    else
      for (const auto* instruction : run)
        instructions_.emit(*instruction);
    run.clear();
    speculative = 0;
  };
  is_restartable_ = is_restartable_at_entry(block);
  for (const auto& instruction : block) {
    if (llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator())
      continue;
    // What says something about memory does nothing to it, and may as well stand in front of the
    // run.
    const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (intrinsic != nullptr && (CallEmitter::is_dropped(intrinsic->getIntrinsicID()) ||
                                 llvm::isa<llvm::NoAliasScopeDeclInst>(intrinsic))) {
      instructions_.emit(instruction);
      continue;
    }
    if (!is_repeatable(instruction) && !is_bounds_check(instruction)) {
      end_run();
      is_restartable_ &= is_guard_query(instruction);
      instructions_.emit(instruction);
      continue;
    }
    run.push_back(&instruction);
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    speculative += load != nullptr && memory.is_speculative(*load) ? 1 : 0;
  }
  end_run();
  if (is_restartable_)
    restartable_.insert(&block);
}

// Whether the sub-group may still be restarted at the start of the block: nothing with a side
// effect has been executed by any lane. True of the entry block, and of a block that all lanes
// enter from a block at whose end it is.
bool SpeculativeRunEmitter::is_restartable_at_entry(const llvm::BasicBlock& block) const {
  const auto* predecessor = block.getSinglePredecessor();
  return &block == &kernel_.getEntryBlock() ||
         (predecessor != nullptr && restartable_.contains(predecessor) && masks_.are_all_active());
}

void SpeculativeRunEmitter::emit_run(llvm::ArrayRef<const llvm::Instruction*> run) {
  // Uniform and affine values first. Vectors are emitted on each path: most are addresses of
  // gathers.
  llvm::SmallSetVector<const llvm::Instruction*, 32> dependent;
  for (const auto* instruction : run) {
    // Floating-point values are loaded next to their users.
    const bool loads_real =
        llvm::isa<llvm::LoadInst>(instruction) && instruction->getType()->isFPOrFPVectorTy();
    const bool depends = llvm::any_of(instruction->operands(), [&](const llvm::Use& use) {
      const auto* operand = llvm::dyn_cast<llvm::Instruction>(use.get());
      return operand != nullptr && dependent.contains(operand);
    });
    const bool is_scalar = shapes_.is_uniform(*instruction) || shapes_.stride(*instruction);
    if (depends || loads_real || !is_scalar)
      dependent.insert(instruction);
    else
      instructions_.emit(*instruction);
  }
  auto* failed = new_block("not.strided");
  auto& memory = instructions_.memory();
  memory.speculation().begin_run(*failed);
  for (const auto* instruction : dependent)
    instructions_.emit(*instruction);
  memory.speculation().end_run();
  if (is_restartable_ && context_.inputs().fallback != nullptr) {
    auto* here = builder_.GetInsertBlock();
    builder_.SetInsertPoint(failed);
    call_fallback();
    builder_.CreateRetVoid();
    builder_.SetInsertPoint(here);
    return;
  }
  llvm::SmallVector<std::pair<const llvm::Instruction*, VectorValue>, 16> results;
  for (const auto* instruction : dependent)
    // Later checks look at the operands of their addresses, too: integers are merged even if
    // unused.
    if (!instruction->getType()->isFPOrFPVectorTy() ||
        llvm::any_of(instruction->users(), [&](const llvm::User* user) {
          return !dependent.contains(llvm::cast<llvm::Instruction>(user));
        }))
      results.emplace_back(instruction, values_[*instruction]);
  auto* done = new_block("run.done");
  auto* succeeded = builder_.GetInsertBlock();
  builder_.CreateBr(done);

  builder_.SetInsertPoint(failed);
  memory.force_gathers(true);
  context_.mute_remarks(true);
  for (const auto* instruction : dependent)
    instructions_.emit(*instruction);
  context_.mute_remarks(false);
  memory.force_gathers(false);
  auto* gathered = builder_.GetInsertBlock();
  builder_.CreateBr(done);
  builder_.SetInsertPoint(done);
  for (auto& [instruction, wide] : results)
    merge_values(*instruction, std::move(wide), succeeded, gathered);
}

// Phis of the value that reaches the block from `from` (`wide`) and the one from `other_from`,
// which is that in values_.
void SpeculativeRunEmitter::merge_values(const llvm::Instruction& value, VectorValue wide,
                                         llvm::BasicBlock* from, llvm::BasicBlock* other_from) {
  const auto& other = values_[value];
  for (auto [part, other_part] : llvm::zip_equal(wide.parts, other.parts)) {
    if (part == other_part)
      continue;
    auto* phi = builder_.CreatePHI(part->getType(), 2);
    phi->addIncoming(part, from);
    phi->addIncoming(other_part, other_from);
    part = phi;
  }
  values_[value] = std::move(wide);
}

} // namespace heddle::compiler
