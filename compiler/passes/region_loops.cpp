#include "compiler/passes/region_loops.h"

#include "compiler/passes/progress_notes.h"

namespace heddle::compiler {

llvm::Value* crosses_rows(llvm::IRBuilder<>& builder, const Kernel& kernel, llvm::Value* size_x,
                          llvm::Value* items) {
  auto* rest = builder.CreateAnd(size_x, builder.getInt64(kernel.metadata.vector_width - 1));
  auto* is_uneven = builder.CreateAnd(builder.CreateICmpNE(rest, builder.getInt64(0)),
                                      builder.CreateICmpNE(size_x, items));
  auto* is_narrow = builder.CreateICmpULE(size_x, builder.getInt64(kernel.widest_crossed_row));
  return builder.CreateAnd(is_uneven, is_narrow, "crosses_rows");
}

namespace {

// Whether ids in y, with constants that may stand beside them, change their sign in 32 bits
// somewhere in the group.
llvm::Value* rows_wrap(llvm::IRBuilder<>& builder, llvm::Value* group) {
  constexpr std::uint32_t kDistance = (1U << 20) + 8192; // vectorise/transposed.cpp, group sizes
  AbiAccess access(builder);
  auto* launch = access.launch_of(group);
  auto* first = builder.CreateAdd(
      builder.CreateMul(access.group_word(group, offsetof(abi::Group, group_id), 1),
                        access.launch_word(launch, offsetof(abi::Launch, local_size), 1)),
      access.launch_word(launch, offsetof(abi::Launch, global_offset), 1));
  auto* from_limit = builder.CreateXor(builder.CreateTrunc(first, builder.getInt32Ty()),
                                       builder.getInt32(1U << 31));
  return builder.CreateICmpULE(builder.CreateAdd(from_limit, builder.getInt32(kDistance)),
                               builder.getInt32(2 * kDistance));
}

} // namespace

llvm::Value* rows_in_blocks(llvm::IRBuilder<>& builder, const Kernel& kernel, llvm::Value* size_x,
                            llvm::Value* size_y, llvm::Value* ids_wrap, llvm::Value* group) {
  auto* rest = builder.CreateAnd(size_x, builder.getInt64(kernel.metadata.vector_width - 1));
  auto* rows = builder.CreateAnd(size_y, ~static_cast<std::uint64_t>(kernel.block_rows - 1));
  auto* is_even = builder.CreateICmpEQ(rest, builder.getInt64(0));
  auto* wraps = rows_wrap(builder, group);
  if (ids_wrap != nullptr)
    wraps = builder.CreateOr(wraps, ids_wrap);
  is_even = builder.CreateAnd(is_even, builder.CreateNot(wraps));
  return builder.CreateSelect(is_even, rows, builder.getInt64(0), "rows_in_blocks");
}

llvm::Value* whole_sub_groups(llvm::IRBuilder<>& builder, const Kernel& kernel, llvm::Value* size,
                              llvm::Value* ids_wrap) {
  const std::uint64_t width = kernel.metadata.vector_width;
  auto* whole = builder.CreateAnd(size, ~(width - 1));
  return ids_wrap == nullptr ? whole
                             : builder.CreateSelect(ids_wrap, builder.getInt64(0), whole, "whole");
}

RestOfRow::RestOfRow(llvm::IRBuilder<>& builder, const Kernel& kernel, llvm::Value* whole,
                     llvm::Value* size, llvm::Value* ids_wrap)
    : x(whole), builder_(builder), size_(size),
      step_(builder.getInt64(kernel.metadata.vector_width)) {
  if (ids_wrap != nullptr) {
    if (!kernel.tail_is_exact)
      step_ = builder.CreateSelect(ids_wrap, builder.getInt64(1), step_);
    auto* before = builder.GetInsertBlock();
    head_ = LoopBuilder(builder).block("part.x");
    builder.CreateBr(head_);
    builder.SetInsertPoint(head_);
    auto* phi = builder.CreatePHI(builder.getInt64Ty(), 2, "x");
    phi->addIncoming(whole, before);
    x = phi;
  }
  active = builder.CreateSub(size, x);
  if (head_ != nullptr)
    active = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, active, step_);
}

void RestOfRow::end(llvm::BasicBlock* after) const {
  if (head_ == nullptr) {
    builder_.CreateBr(after);
    return;
  }
  auto* next = builder_.CreateNUWAdd(x, step_);
  llvm::cast<llvm::PHINode>(x)->addIncoming(next, builder_.GetInsertBlock());
  LoopBuilder(builder_).keep_rolled(
      builder_.CreateCondBr(builder_.CreateICmpULT(next, size_), head_, after));
}

RegionLoops::RegionLoops(llvm::IRBuilder<>& builder, const Kernel& kernel,
                         const GroupValues& values)
    : builder_(builder), access_(builder), loops_(builder), kernel_(kernel), values_(values) {}

llvm::AllocaInst* RegionLoops::variable(const char* name) {
  auto& entry = builder_.GetInsertBlock()->getParent()->getEntryBlock();
  return llvm::IRBuilder<>(&entry, entry.begin())
      .CreateAlloca(builder_.getInt32Ty(), nullptr, name);
}

void RegionLoops::emit() {
  all_ = variable("all");
  any_ = variable("any");
  frames_ = access_.load_invariant(values_.worker, offsetof(abi::Worker, frames), access_.pointer(),
                                   "frames");
  if (!kernel_.id_bases.empty())
    ids_wrap_ = emit_ids_wrap(builder_, kernel_.id_bases, values_.group);
  if (kernel_.crossing == nullptr)
    return emit_rounds(Form::rows);
  auto* const* size = values_.size;
  auto* items = builder_.CreateMul(builder_.CreateMul(size[0], size[1]), size[2]);
  auto* crossing = loops_.block("crossing");
  auto* rows = loops_.block("rows");
  auto* done = loops_.block("group.done");
  builder_.CreateCondBr(crosses_rows(builder_, kernel_, size[0], items), crossing, rows);
  builder_.SetInsertPoint(crossing);
  emit_rounds(Form::crossing);
  builder_.CreateBr(done);
  builder_.SetInsertPoint(rows);
  emit_rounds(Form::rows);
  builder_.CreateBr(done);
  builder_.SetInsertPoint(done);
}

void RegionLoops::emit_rounds(Form form) {
  auto* done = loops_.block("rounds.done");
  if (!kernel_.steps_apart) {
    emit_mixed(form, builder_.getTrue(), done);
  } else {
    Regions regions;
    for (unsigned number = 0; number < kernel_.steps; ++number)
      regions.steps.push_back(loops_.block("region"));
    regions.done = done;
    builder_.CreateBr(regions.steps[0]);
    if (!llvm::all_of(kernel_.next_steps, [](const auto& next) { return next.has_value(); })) {
      regions.mixed = loops_.block("mixed");
      regions.dispatch = loops_.block("dispatch");
      auto* nowhere = loops_.block("nowhere");
      builder_.SetInsertPoint(nowhere);
      builder_.CreateUnreachable();
      builder_.SetInsertPoint(regions.dispatch);
      regions.step = builder_.CreatePHI(builder_.getInt32Ty(), kernel_.steps, "step");
      auto* choice = builder_.CreateSwitch(regions.step, nowhere, kernel_.steps);
      for (unsigned number = 0; number < kernel_.steps; ++number)
        choice->addCase(builder_.getInt32(number), regions.steps[number]);
    }
    for (unsigned number = 0; number < kernel_.steps; ++number)
      emit_step(form, regions, number);
    if (regions.mixed != nullptr) {
      builder_.SetInsertPoint(regions.mixed);
      emit_mixed(form, builder_.getFalse(), done);
    }
  }
  builder_.SetInsertPoint(done);
}

void RegionLoops::begin_round() {
  builder_.CreateStore(builder_.getInt32(~0U), all_);
  builder_.CreateStore(builder_.getInt32(0), any_);
}

void RegionLoops::emit_step(Form form, const Regions& regions, unsigned number) {
  builder_.SetInsertPoint(regions.steps[number]);
  step_ = builder_.getInt32(number);
  if (const auto next = kernel_.next_steps[number]) {
    keeps_result_ = false;
    for_all_sub_groups(form);
    builder_.CreateBr(*next != 0 ? regions.steps[*next] : regions.done);
    return;
  }
  keeps_result_ = true;
  begin_round();
  for_all_sub_groups(form);
  auto* all = builder_.CreateLoad(builder_.getInt32Ty(), all_);
  auto* any = builder_.CreateLoad(builder_.getInt32Ty(), any_);
  auto* together = loops_.block("together");
  builder_.CreateCondBr(builder_.CreateICmpEQ(all, any), together, regions.mixed);
  builder_.SetInsertPoint(together);
  regions.step->addIncoming(all, together);
  loops_.keep_rolled(builder_.CreateCondBr(builder_.CreateICmpEQ(all, builder_.getInt32(0)),
                                           regions.done, regions.dispatch));
}

void RegionLoops::emit_mixed(Form form, llvm::Value* is_first, llvm::BasicBlock* done) {
  auto* before = builder_.GetInsertBlock();
  auto* head = loops_.block("round");
  builder_.CreateBr(head);
  builder_.SetInsertPoint(head);
  auto* first = builder_.CreatePHI(builder_.getInt1Ty(), 2, "is_first");
  first->addIncoming(is_first, before);
  is_first_ = first;
  step_ = nullptr;
  keeps_result_ = true;
  begin_round();
  for_all_sub_groups(form);
  first->addIncoming(builder_.getFalse(), builder_.GetInsertBlock());
  auto* any = builder_.CreateLoad(builder_.getInt32Ty(), any_);
  loops_.keep_rolled(
      builder_.CreateCondBr(builder_.CreateICmpEQ(any, builder_.getInt32(0)), done, head));
}

// Sub-groups are numbered row by row.
void RegionLoops::for_all_sub_groups(Form form) {
  auto* const* size = values_.size;
  auto* zero = builder_.getInt64(0);
  auto* lanes = builder_.getInt64(width());
  const auto sub_groups_in = [&](llvm::Value* items) {
    return builder_.CreateUDiv(builder_.CreateAdd(items, builder_.getInt64(width() - 1)), lanes);
  };
  if (form == Form::crossing) {
    auto* items = builder_.CreateMul(builder_.CreateMul(size[0], size[1]), size[2]);
    const auto number = loops_.begin(sub_groups_in(items), "sub_group");
    auto* first = builder_.CreateMul(number.value, lanes);
    auto* active = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin,
                                                  builder_.CreateSub(items, first), lanes);
    turn(kernel_.crossing, {active, values_.group, first, zero, zero}, number.value, first);
    loops_.end(number);
    return;
  }
  auto* per_row = sub_groups_in(size[0]);
  auto* whole = whole_sub_groups(builder_, kernel_, size[0], ids_wrap_);
  auto* left = builder_.CreateSub(size[0], whole);
  const auto z = loops_.begin(size[2], "z");
  auto* blocks_end = kernel_.block != nullptr ? rows_in_blocks(builder_, kernel_, size[0], size[1],
                                                               ids_wrap_, values_.group)
                                              : zero;
  if (kernel_.block != nullptr)
    for_all_blocks(z.value, blocks_end, per_row);
  const auto y = kernel_.block != nullptr ? loops_.begin_from(blocks_end, size[1], "y")
                                          : loops_.begin(size[1], "y");
  auto* line = builder_.CreateAdd(builder_.CreateMul(z.value, size[1]), y.value);
  auto* first_item = builder_.CreateMul(line, size[0]);
  auto* first_number = builder_.CreateMul(line, per_row);
  auto* some = loops_.block("whole");
  auto* rest = loops_.block("rest");
  builder_.CreateCondBr(builder_.CreateICmpEQ(whole, zero), rest, some);
  builder_.SetInsertPoint(some);
  const auto x = loops_.begin(whole, "x", width());
  turn(kernel_.wide, {values_.group, x.value, y.value, z.value},
       builder_.CreateAdd(first_number, builder_.CreateUDiv(x.value, lanes)),
       builder_.CreateAdd(first_item, x.value));
  loops_.end(x);
  builder_.CreateBr(rest);
  builder_.SetInsertPoint(rest);
  if (kernel_.tail != nullptr) { // a sub-group of one has none
    auto* part = loops_.block("part");
    auto* next = loops_.block("next");
    builder_.CreateCondBr(builder_.CreateICmpEQ(left, zero), next, part);
    builder_.SetInsertPoint(part);
    const RestOfRow masked(builder_, kernel_, whole, size[0], ids_wrap_);
    turn(kernel_.tail, {masked.active, values_.group, masked.x, y.value, z.value},
         builder_.CreateAdd(first_number, builder_.CreateUDiv(masked.x, lanes)),
         builder_.CreateAdd(first_item, masked.x));
    masked.end(next);
    builder_.SetInsertPoint(next);
  }
  loops_.end(y);
  loops_.end(z);
}

// A block's frames are one piece, where those of its first row begin.
void RegionLoops::for_all_blocks(llvm::Value* z, llvm::Value* rows, llvm::Value* per_row) {
  auto* const* size = values_.size;
  const auto y = loops_.begin_from(builder_.getInt64(0), rows, "block.y", kernel_.block_rows);
  auto* line = builder_.CreateAdd(builder_.CreateMul(z, size[1]), y.value);
  const auto x = loops_.begin(size[0], "block.x", width());
  auto* number = builder_.CreateUDiv(x.value, builder_.getInt64(width()));
  turn(kernel_.block, {values_.group, x.value, y.value, z},
       builder_.CreateAdd(builder_.CreateMul(line, per_row),
                          builder_.CreateMul(number, builder_.getInt64(kernel_.block_rows))),
       builder_.CreateAdd(builder_.CreateMul(line, size[0]), x.value));
  loops_.end(x);
  loops_.end(y);
}

// One step of one sub-group, if it has not come to its end; `own` is what its form takes besides
// arguments and step.
void RegionLoops::turn(llvm::Function* function, llvm::SmallVector<llvm::Value*, 12> own,
                       llvm::Value* number, llvm::Value* first_item) {
  auto* frame = builder_.CreateInBoundsGEP(
      builder_.getInt8Ty(), frames_,
      builder_.CreateMul(number, builder_.getInt64(kernel_.metadata.frame_bytes)));
  auto* step = step_;
  llvm::BasicBlock* next = nullptr;
  if (step == nullptr) {
    auto* kept = builder_.CreateAlignedLoad(builder_.getInt32Ty(), frame, llvm::Align(64));
    step = builder_.CreateSelect(is_first_, builder_.getInt32(0), kept);
    auto* run = loops_.block("run");
    next = loops_.block("next");
    builder_.CreateCondBr(
        builder_.CreateOr(is_first_, builder_.CreateICmpNE(step, builder_.getInt32(0))), run, next);
    builder_.SetInsertPoint(run);
  }
  note(builder_, first_item, access_.field(values_.worker, offsetof(abi::Worker, current_item)));
  auto arguments = values_.arguments;
  arguments.append(own.begin(), own.end());
  arguments.append({step, frame});
  auto* result = builder_.CreateCall(function, arguments);
  if (!keeps_result_)
    return;
  builder_.CreateAlignedStore(result, frame, llvm::Align(64));
  const auto put_together = [&](llvm::AllocaInst* place, llvm::Instruction::BinaryOps operation) {
    builder_.CreateStore(
        builder_.CreateBinOp(operation, builder_.CreateLoad(builder_.getInt32Ty(), place), result),
        place);
  };
  put_together(all_, llvm::Instruction::And);
  put_together(any_, llvm::Instruction::Or);
  if (next != nullptr) {
    builder_.CreateBr(next);
    builder_.SetInsertPoint(next);
  }
}

} // namespace heddle::compiler
