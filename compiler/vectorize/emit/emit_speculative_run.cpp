// Runs of speculative loads: one path on which all checks hold, and one on which all loads are
// gathers. A condition that one load has checked need not be checked by the next.
#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/emit/emitter.h"
#include "compiler/vectorize/transform/uniformize_guards.h"
#include "llvm/ADT/SetVector.h"

namespace heddle::compiler {

// Whether the load has a constant stride only if a run-time check succeeds.
bool Emitter::is_speculative(const llvm::LoadInst& load) const {
  const auto& address = *load.getPointerOperand();
  const auto stride = shapes_.stride(address);
  if (!load.isSimple() || shapes_.is_uniform(address) ||
      (stride &&
       (*stride == 0 || strided_access(load.getType(), *stride, false) != StridedAccess::none)))
    return false;
  const auto likely = shapes_.likely_stride(address);
  return likely && strided_access(load.getType(), *likely, false) != StridedAccess::none;
}

void Emitter::emit_with_location(const llvm::Instruction& instruction) {
  set_debug_location(instruction);
  emit_instruction(instruction);
}

void Emitter::emit_instructions(const llvm::BasicBlock& block) {
  llvm::SmallVector<const llvm::Instruction*, 32> run;
  unsigned speculative = 0;
  const auto end_run = [&] {
    if (speculative > 1)
      emit_speculative_run(run);
    else
      for (const auto* instruction : run)
        emit_with_location(*instruction);
    run.clear();
    speculative = 0;
  };
  is_restartable_ = is_restartable_at_entry(block);
  for (const auto& instruction : block) {
    if (llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator())
      continue;
    if (!is_repeatable(instruction)) {
      end_run();
      is_restartable_ = false;
      emit_with_location(instruction);
      continue;
    }
    run.push_back(&instruction);
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    speculative += load != nullptr && is_speculative(*load) ? 1 : 0;
  }
  end_run();
  if (is_restartable_)
    restartable_.insert(&block);
}

// Whether the sub-group may still be restarted at the start of the block: nothing with a side
// effect has been executed by any lane. True of the entry block, and of a block that all lanes
// enter from a block at whose end it is.
bool Emitter::is_restartable_at_entry(const llvm::BasicBlock& block) const {
  const auto* predecessor = block.getSinglePredecessor();
  return &block == &kernel_.getEntryBlock() ||
         (predecessor != nullptr && restartable_.contains(predecessor) &&
          llvm::all_of(masks_, [](const llvm::Value* mask) { return mask == nullptr; }));
}

void Emitter::emit_speculative_run(llvm::ArrayRef<const llvm::Instruction*> run) {
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
      emit_with_location(*instruction);
  }
  auto* failed = new_block("apart");
  speculation_failed_ = failed;
  for (const auto* instruction : dependent)
    emit_with_location(*instruction);
  speculation_failed_ = nullptr;
  likely_.lane_0.clear();
  likely_.lane_0_sext.clear();
  if (is_restartable_ && fallback_ != nullptr) {
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
      results.emplace_back(instruction, values_[instruction]);
  auto* joined = new_block("joined");
  auto* succeeded = builder_.GetInsertBlock();
  builder_.CreateBr(joined);

  builder_.SetInsertPoint(failed);
  forces_gathers_ = true;
  auto* remarks = std::exchange(remarks_, nullptr);
  for (const auto* instruction : dependent)
    emit_with_location(*instruction);
  remarks_ = remarks;
  forces_gathers_ = false;
  auto* gathered = builder_.GetInsertBlock();
  builder_.CreateBr(joined);
  builder_.SetInsertPoint(joined);
  for (auto& [instruction, wide] : results)
    merge_values(*instruction, std::move(wide), succeeded, gathered);
}

// Restarts the sub-group in the masked variant. Nothing with a side effect may have been executed.
// The rare case thus needs no code of its own here.
void Emitter::call_fallback() {
  const auto state = work_item_params(kernel_);
  for (unsigned row = 0; row < plan_.rows; ++row) {
    llvm::SmallVector<llvm::Value*, 16> arguments;
    for (auto& argument : kernel_.args()) {
      if (&argument == state.group)
        arguments.push_back(builder_.getInt64(plan_.width));
      arguments.push_back(values_.find(&argument)->second.at(row));
    }
    builder_.CreateCall(fallback_, arguments);
  }
}

// Phis of the value that reaches the block from `from` (`wide`) and the one from `other_from`,
// which is that in values_.
void Emitter::merge_values(const llvm::Instruction& value, VectorValue wide, llvm::BasicBlock* from,
                           llvm::BasicBlock* other_from) {
  const auto& other = values_[&value];
  for (auto [part, other_part] : llvm::zip_equal(wide.parts, other.parts)) {
    if (part == other_part)
      continue;
    auto* phi = builder_.CreatePHI(part->getType(), 2);
    phi->addIncoming(part, from);
    phi->addIncoming(other_part, other_from);
    part = phi;
  }
  values_[&value] = std::move(wide);
}

} // namespace heddle::compiler
