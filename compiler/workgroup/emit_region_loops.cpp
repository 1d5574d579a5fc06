// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/workgroup/emit_region_loops.h"

#include "compiler/workgroup/region_runner.h"
#include "llvm/ADT/STLExtras.h"

namespace heddle::compiler {
namespace {

class RegionLoopEmitter {
 public:
  RegionLoopEmitter(llvm::IRBuilder<>& builder, const Kernel& kernel, const GroupValues& values)
      : builder_(builder), loops_(builder), kernel_(kernel), regions_(kernel.regions),
        values_(values), runner_(builder, kernel, values) {}

  void emit() {
    auto* done = loops_.block("group.done");
    const auto emit_if = [&](llvm::Value* condition, llvm::function_ref<void()> emit) {
      auto* then = loops_.block("regions");
      auto* otherwise = loops_.block("others");
      builder_.CreateCondBr(condition, then, otherwise);
      builder_.SetInsertPoint(then);
      emit();
      builder_.CreateBr(done);
      builder_.SetInsertPoint(otherwise);
    };
    if (kernel_.variants.has(VariantKind::crossing)) {
      auto* const* size = values_.size;
      auto* items = builder_.CreateMul(builder_.CreateMul(size[0], size[1]), size[2]);
      emit_if(emit_crosses_rows(builder_, kernel_, size[0], items),
              [&] { emit_regions(GroupShape::crossing); });
    }
    if (kernel_.variants.has(VariantKind::leader))
      emit_if(emit_may_run_leader(), [&] { emit_leader(); });
    else if (specializes_single_rows())
      emit_if(runner_.emit_is_single_row(), [&] { emit_regions(GroupShape::single_row); });
    emit_regions(GroupShape::rows);
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
  }

 private:
  // The blocks between which control flows from region to region.
  struct RegionBlocks {
    llvm::SmallVector<llvm::BasicBlock*, 8> entries; // by region
    llvm::BasicBlock* done = nullptr;
    // Branches to the region `next`; null if each region has a unique successor.
    llvm::BasicBlock* dispatch = nullptr;
    llvm::PHINode* next = nullptr;
    // For sub-groups with different successors; null: in this kernel there are none.
    llvm::BasicBlock* divergent = nullptr;
  };

  llvm::CallInst* call_with_zero_ids(llvm::Function* function) {
    auto* zero = builder_.getInt64(0);
    auto arguments = values_.arguments;
    arguments.append({values_.group, zero, zero, zero});
    return builder_.CreateCall(function, arguments);
  }

  llvm::Value* emit_may_run_leader() {
    auto* is_single_row = runner_.emit_is_single_row();
    auto* condition = regions_.leader_condition;
    return condition == nullptr ? is_single_row
                                : builder_.CreateAnd(is_single_row, call_with_zero_ids(condition));
  }

  void emit_leader() {
    runner_.emit_current_item(builder_.getInt64(0));
    call_with_zero_ids(kernel_.variant(VariantKind::leader));
  }

  // Where little is done between barriers, loops over rows and the selection of variants take a
  // large part of the time, and registers.
  bool specializes_single_rows() const {
    constexpr unsigned kMaxInstructions = 512;
    return kernel_.variants.has(VariantKind::tail) && !kernel_.variants.has(VariantKind::block) &&
           regions_.is_convergent && llvm::is_contained(regions_.unique_successors, std::nullopt) &&
           kernel_.variants.find_full()->getInstructionCount() <= kMaxInstructions;
  }

  void emit_regions(GroupShape shape) {
    auto* done = loops_.block("regions.done");
    if (regions_.has_separate_loops)
      emit_separate_loops(shape, done);
    else
      emit_divergent_loop(shape, builder_.getTrue(), done);
    builder_.SetInsertPoint(done);
  }

  void emit_separate_loops(GroupShape shape, llvm::BasicBlock* done) {
    RegionBlocks blocks;
    for (unsigned region = 0; region < regions_.count; ++region)
      blocks.entries.push_back(loops_.block("region"));
    blocks.done = done;
    builder_.CreateBr(blocks.entries[0]);
    if (llvm::is_contained(regions_.unique_successors, std::nullopt)) {
      if (!regions_.is_convergent)
        blocks.divergent = loops_.block("divergent");
      blocks.dispatch = loops_.block("dispatch");
      auto* unreachable = loops_.block("unreachable");
      builder_.SetInsertPoint(unreachable);
      builder_.CreateUnreachable();
      builder_.SetInsertPoint(blocks.dispatch);
      blocks.next = builder_.CreatePHI(builder_.getInt32Ty(), regions_.count, "next_region");
      auto* choice = builder_.CreateSwitch(blocks.next, unreachable, regions_.count);
      for (unsigned region = 0; region < regions_.count; ++region)
        choice->addCase(builder_.getInt32(region), blocks.entries[region]);
    }
    for (unsigned region = 0; region < regions_.count; ++region)
      emit_region(shape, blocks, region);
    if (blocks.divergent != nullptr) {
      builder_.SetInsertPoint(blocks.divergent);
      emit_divergent_loop(shape, builder_.getFalse(), done);
    }
  }

  void emit_region(GroupShape shape, const RegionBlocks& blocks, unsigned region) {
    builder_.SetInsertPoint(blocks.entries[region]);
    RegionRun run{builder_.getInt32(region)};
    run.is_uniform = regions_.is_uniform[region];
    if (const auto successor = regions_.unique_successors[region]) {
      run.successors = SuccessorUse::none;
      runner_.run(shape, run);
      builder_.CreateBr(*successor != 0 ? blocks.entries[*successor] : blocks.done);
      return;
    }
    if (regions_.is_convergent) {
      run.successors = SuccessorUse::last;
      runner_.run(shape, run);
      auto* next = runner_.load_last_successor();
      blocks.next->addIncoming(next, builder_.GetInsertBlock());
      loops_.keep_rolled(builder_.CreateCondBr(builder_.CreateICmpEQ(next, builder_.getInt32(0)),
                                               blocks.done, blocks.dispatch));
      return;
    }
    runner_.reset_successors();
    runner_.run(shape, run);
    auto* all_and = runner_.load_successors_and();
    auto* all_or = runner_.load_successors_or();
    auto* convergent = loops_.block("convergent");
    builder_.CreateCondBr(builder_.CreateICmpEQ(all_and, all_or), convergent, blocks.divergent);
    builder_.SetInsertPoint(convergent);
    blocks.next->addIncoming(all_and, convergent);
    loops_.keep_rolled(builder_.CreateCondBr(builder_.CreateICmpEQ(all_and, builder_.getInt32(0)),
                                             blocks.done, blocks.dispatch));
  }

  // A loop in which each sub-group runs the region that its frame names. `is_first`: the loop
  // begins at the kernel's start, so that frames name none yet.
  void emit_divergent_loop(GroupShape shape, llvm::Value* is_first, llvm::BasicBlock* done) {
    auto* preheader = builder_.GetInsertBlock();
    auto* header = loops_.block("any_region");
    builder_.CreateBr(header);
    builder_.SetInsertPoint(header);
    auto* first = builder_.CreatePHI(builder_.getInt1Ty(), 2, "is_first");
    first->addIncoming(is_first, preheader);
    runner_.reset_successors();
    runner_.run(shape, {nullptr, first});
    first->addIncoming(builder_.getFalse(), builder_.GetInsertBlock());
    auto* all_or = runner_.load_successors_or();
    loops_.keep_rolled(
        builder_.CreateCondBr(builder_.CreateICmpEQ(all_or, builder_.getInt32(0)), done, header));
  }

  llvm::IRBuilder<>& builder_;
  LoopBuilder loops_;
  const Kernel& kernel_;
  const BarrierRegions& regions_;
  const GroupValues& values_;
  RegionRunner runner_;
};

} // namespace

void emit_region_loops(llvm::IRBuilder<>& builder, const Kernel& kernel,
                       const GroupValues& values) {
  RegionLoopEmitter(builder, kernel, values).emit();
}

} // namespace heddle::compiler
