// Several checked loads in a row: one way on which all checks have held, another on which they all
// are gathers. A check that one load has passed is then known to the next.
#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/emit/emitter.h"
#include "compiler/vectorize/transform/uniformize_guards.h"
#include "llvm/ADT/SetVector.h"

namespace heddle::compiler {

bool Emitter::is_checked(const llvm::LoadInst& load) const {
  const auto& address = *load.getPointerOperand();
  const auto stride = shapes_.stride(address);
  if (!load.isSimple() || shapes_.is_uniform(address) ||
      (stride && (*stride == 0 || line_access(load.getType(), *stride, false) != LineAccess::none)))
    return false;
  const auto likely = shapes_.likely_stride(address);
  return likely && line_access(load.getType(), *likely, false) != LineAccess::none;
}

void Emitter::emit_at_its_line(const llvm::Instruction& instruction) {
  set_debug_location(instruction);
  emit_instruction(instruction);
}

void Emitter::emit_instructions(const llvm::BasicBlock& block) {
  llvm::SmallVector<const llvm::Instruction*, 32> run;
  unsigned checked = 0;
  const auto end_run = [&] {
    if (checked > 1)
      emit_run(run);
    else
      for (const auto* instruction : run)
        emit_at_its_line(*instruction);
    run.clear();
    checked = 0;
  };
  is_untouched_ = is_reached_untouched(block);
  for (const auto& instruction : block) {
    if (llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator())
      continue;
    if (!is_repeatable(instruction)) {
      end_run();
      is_untouched_ = false;
      emit_at_its_line(instruction);
      continue;
    }
    run.push_back(&instruction);
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    checked += load != nullptr && is_checked(*load) ? 1 : 0;
  }
  end_run();
  if (is_untouched_)
    untouched_.insert(&block);
}

// Whether nothing has been done yet, by any lane, that cannot be done again: so at the start, and
// in blocks that all lanes come to from one that has left it so.
bool Emitter::is_reached_untouched(const llvm::BasicBlock& block) const {
  const auto* before = block.getSinglePredecessor();
  return &block == &kernel_.getEntryBlock() ||
         (before != nullptr && untouched_.contains(before) &&
          llvm::all_of(masks_, [](const llvm::Value* mask) { return mask == nullptr; }));
}

void Emitter::emit_run(llvm::ArrayRef<const llvm::Instruction*> run) {
  // First scalar indices. Vectors are made on either way anew: most are the gathers' addresses.
  llvm::SmallSetVector<const llvm::Instruction*, 32> dependent;
  for (const auto* instruction : run) {
    // Numbers to compute with are loaded where they are needed.
    const bool loads_number =
        llvm::isa<llvm::LoadInst>(instruction) && instruction->getType()->isFPOrFPVectorTy();
    const bool depends = llvm::any_of(instruction->operands(), [&](const llvm::Use& use) {
      const auto* operand = llvm::dyn_cast<llvm::Instruction>(use.get());
      return operand != nullptr && dependent.contains(operand);
    });
    const bool is_scalar = shapes_.is_uniform(*instruction) || shapes_.stride(*instruction);
    if (depends || loads_number || !is_scalar)
      dependent.insert(instruction);
    else
      emit_at_its_line(*instruction);
  }
  auto* failed = new_block("apart");
  checks_failed_ = failed;
  for (const auto* instruction : dependent)
    emit_at_its_line(*instruction);
  checks_failed_ = nullptr;
  likely_.first.clear();
  likely_.extended.clear();
  if (is_untouched_ && fallback_ != nullptr) {
    auto* here = builder_.GetInsertBlock();
    builder_.SetInsertPoint(failed);
    start_again_masked();
    builder_.CreateRetVoid();
    builder_.SetInsertPoint(here);
    return;
  }
  llvm::SmallVector<std::pair<const llvm::Instruction*, VectorValue>, 16> results;
  for (const auto* instruction : dependent)
    // Later checks look at what their addresses are made of, too.
    if (!instruction->getType()->isFPOrFPVectorTy() ||
        llvm::any_of(instruction->users(), [&](const llvm::User* user) {
          return !dependent.contains(llvm::cast<llvm::Instruction>(user));
        }))
      results.emplace_back(instruction, values_[instruction]);
  auto* joined = new_block("joined");
  auto* together = builder_.GetInsertBlock();
  builder_.CreateBr(joined);

  builder_.SetInsertPoint(failed);
  gathers_ = true;
  auto* remarks = std::exchange(remarks_, nullptr);
  for (const auto* instruction : dependent)
    emit_at_its_line(*instruction);
  remarks_ = remarks;
  gathers_ = false;
  auto* apart = builder_.GetInsertBlock();
  builder_.CreateBr(joined);
  builder_.SetInsertPoint(joined);
  for (auto& [instruction, wide] : results)
    merge(*instruction, std::move(wide), together, apart);
}

// Nothing has happened yet that cannot be done again: the form for any number of lanes does all of
// it, so that the rare case is not in here once more.
void Emitter::start_again_masked() {
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

// The value as it comes from either block; values_ has what comes from `other_from`.
void Emitter::merge(const llvm::Instruction& value, VectorValue wide, llvm::BasicBlock* from,
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
