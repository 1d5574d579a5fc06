#include "compiler/workgroup/emit_region_loops.h"

#include "compiler/ir/fault_markers.h"
#include "compiler/workgroup/region_frame.h"

namespace heddle::compiler {

constexpr VariantKind kSplitVariants[] = {VariantKind::whole, VariantKind::scalar,
                                          VariantKind::tail, VariantKind::block,
                                          VariantKind::crossing};

llvm::Value* crosses_rows(llvm::IRBuilder<>& builder, const Kernel& kernel, llvm::Value* size_x,
                          llvm::Value* items) {
  auto* rest = builder.CreateAnd(size_x, builder.getInt64(kernel.metadata.vector_width - 1));
  auto* is_uneven = builder.CreateAnd(builder.CreateICmpNE(rest, builder.getInt64(0)),
                                      builder.CreateICmpNE(size_x, items));
  auto* is_narrow =
      builder.CreateICmpULE(size_x, builder.getInt64(kernel.launch.widest_crossed_row));
  return builder.CreateAnd(is_uneven, is_narrow, "crosses_rows");
}

namespace {

// Whether ids in y, with constants that may stand beside them, change their sign in 32 bits
// somewhere in the group.
llvm::Value* rows_wrap(llvm::IRBuilder<>& builder, llvm::Value* group) {
  constexpr std::uint32_t kDistance =
      (1U << 20) + 8192; // vectorize/analysis/transposed_access.cpp, group sizes
  AbiBuilder access(builder);
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
  auto* rows = builder.CreateAnd(size_y, ~static_cast<std::uint64_t>(kernel.launch.block_rows - 1));
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
    if (!kernel.launch.tail_is_exact)
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

RegionLoopEmitter::RegionLoopEmitter(llvm::IRBuilder<>& builder, const Kernel& kernel,
                                     const GroupValues& values)
    : builder_(builder), access_(builder), loops_(builder), kernel_(kernel), values_(values) {}

llvm::AllocaInst* RegionLoopEmitter::variable(const char* name, llvm::Type* type) {
  auto& entry = builder_.GetInsertBlock()->getParent()->getEntryBlock();
  return llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(type, nullptr, name);
}

void RegionLoopEmitter::emit() {
  last_ = variable("last", builder_.getInt32Ty());
  all_ = variable("all", builder_.getInt32Ty());
  any_ = variable("any", builder_.getInt32Ty());
  if (kernel_.regions.is_convergent)
    for (const auto kind : kSplitVariants) {
      auto* form = kernel_.variant(kind);
      if (form == nullptr)
        continue;
      auto* type = llvm::ArrayType::get(builder_.getInt8Ty(), kernel_.regions.uniform_bytes);
      const Common made{variable("common", type), variable("common_next", type)};
      made.before->setAlignment(kFrameAlign);
      made.after->setAlignment(kFrameAlign);
      common_[form] = made;
    }
  for (const auto kind : kSplitVariants)
    if (const auto common = common_.lookup(kernel_.variant(kind)); common.before != nullptr)
      for (auto* place : {common.before, common.after}) // nothing is left of the group before
        builder_.CreateLifetimeStart(place);
  frames_ = access_.load_invariant(values_.worker, offsetof(abi::Worker, frames), access_.pointer(),
                                   "frames");
  if (!kernel_.launch.id_bases.empty())
    ids_wrap_ = emit_id_wrap_check(builder_, kernel_.launch.id_bases, values_.group);
  if (has_common_steps())
    note_item(builder_.getInt64(0));
  auto* const* size = values_.size;
  auto* done = loops_.block("group.done");
  const auto emit_if = [&](llvm::Value* condition, llvm::function_ref<void()> emit) {
    auto* rounds = loops_.block("rounds");
    auto* others = loops_.block("others");
    builder_.CreateCondBr(condition, rounds, others);
    builder_.SetInsertPoint(rounds);
    emit();
    builder_.CreateBr(done);
    builder_.SetInsertPoint(others);
  };
  if (kernel_.variants.has(VariantKind::crossing)) {
    auto* items = builder_.CreateMul(builder_.CreateMul(size[0], size[1]), size[2]);
    emit_if(crosses_rows(builder_, kernel_, size[0], items), [&] { emit_rounds(Form::crossing); });
  }
  if (kernel_.variants.has(VariantKind::leader))
    emit_if(runs_alone(), [&] { run_alone(); });
  else if (has_lines_apart())
    emit_if(is_line(), [&] { emit_rounds(Form::line); });
  emit_rounds(Form::rows);
  builder_.CreateBr(done);
  builder_.SetInsertPoint(done);
}

// Whether the group is one row of whole sub-groups.
llvm::Value* RegionLoopEmitter::is_line() {
  auto* const* size = values_.size;
  auto* whole = whole_sub_groups(builder_, kernel_, size[0], ids_wrap_);
  return builder_.CreateAnd(
      builder_.CreateICmpEQ(builder_.CreateMul(size[1], size[2]), builder_.getInt64(1)),
      builder_.CreateICmpEQ(size[0], whole), "is_line");
}

llvm::CallInst* RegionLoopEmitter::call_alone(llvm::Function* function) {
  auto* zero = builder_.getInt64(0);
  auto arguments = values_.arguments;
  arguments.append({values_.group, zero, zero, zero});
  return builder_.CreateCall(function, arguments);
}

llvm::Value* RegionLoopEmitter::runs_alone() {
  auto* is_line = this->is_line();
  auto* condition = kernel_.regions.leader_condition;
  return condition == nullptr ? is_line : builder_.CreateAnd(is_line, call_alone(condition));
}

void RegionLoopEmitter::run_alone() {
  note_item(builder_.getInt64(0));
  call_alone(kernel_.variant(VariantKind::leader));
}

// Where little is done between barriers, loops over rows and asking which forms there are take long
// beside it, and registers.
bool RegionLoopEmitter::has_lines_apart() const {
  constexpr unsigned kSmall = 512; // instructions
  return kernel_.variants.has(VariantKind::tail) && !has_blocks() &&
         kernel_.regions.is_convergent &&
         llvm::is_contained(kernel_.regions.unique_successors, std::nullopt) &&
         kernel_.variants.find_full()->getInstructionCount() <= kSmall;
}

void RegionLoopEmitter::emit_rounds(Form form) {
  auto* done = loops_.block("rounds.done");
  if (!kernel_.regions.has_separate_loops) {
    emit_mixed(form, builder_.getTrue(), done);
  } else {
    Regions regions;
    for (unsigned number = 0; number < kernel_.regions.count; ++number)
      regions.steps.push_back(loops_.block("region"));
    regions.done = done;
    builder_.CreateBr(regions.steps[0]);
    if (!llvm::all_of(kernel_.regions.unique_successors,
                      [](const auto& next) { return next.has_value(); })) {
      if (!kernel_.regions.is_convergent)
        regions.mixed = loops_.block("mixed");
      regions.dispatch = loops_.block("dispatch");
      auto* nowhere = loops_.block("nowhere");
      builder_.SetInsertPoint(nowhere);
      builder_.CreateUnreachable();
      builder_.SetInsertPoint(regions.dispatch);
      regions.step = builder_.CreatePHI(builder_.getInt32Ty(), kernel_.regions.count, "step");
      auto* choice = builder_.CreateSwitch(regions.step, nowhere, kernel_.regions.count);
      for (unsigned number = 0; number < kernel_.regions.count; ++number)
        choice->addCase(builder_.getInt32(number), regions.steps[number]);
    }
    for (unsigned number = 0; number < kernel_.regions.count; ++number)
      emit_step(form, regions, number);
    if (regions.mixed != nullptr) {
      builder_.SetInsertPoint(regions.mixed);
      emit_mixed(form, builder_.getFalse(), done);
    }
  }
  builder_.SetInsertPoint(done);
}

void RegionLoopEmitter::begin_round() {
  builder_.CreateStore(builder_.getInt32(~0U), all_);
  builder_.CreateStore(builder_.getInt32(0), any_);
}

void RegionLoopEmitter::emit_step(Form form, const Regions& regions, unsigned number) {
  builder_.SetInsertPoint(regions.steps[number]);
  step_ = builder_.getInt32(number);
  const bool is_common = kernel_.regions.is_uniform[number];
  if (const auto next = kernel_.regions.unique_successors[number]) {
    keeps_ = Keeps::nothing;
    run_step(form, is_common);
    builder_.CreateBr(*next != 0 ? regions.steps[*next] : regions.done);
    return;
  }
  if (kernel_.regions.is_convergent) {
    keeps_ = Keeps::last;
    run_step(form, is_common);
    auto* next = builder_.CreateLoad(builder_.getInt32Ty(), last_);
    regions.step->addIncoming(next, builder_.GetInsertBlock());
    loops_.keep_rolled(builder_.CreateCondBr(builder_.CreateICmpEQ(next, builder_.getInt32(0)),
                                             regions.done, regions.dispatch));
    return;
  }
  keeps_ = Keeps::all;
  begin_round();
  run_step(form, is_common);
  auto* all = builder_.CreateLoad(builder_.getInt32Ty(), all_);
  auto* any = builder_.CreateLoad(builder_.getInt32Ty(), any_);
  auto* together = loops_.block("together");
  builder_.CreateCondBr(builder_.CreateICmpEQ(all, any), together, regions.mixed);
  builder_.SetInsertPoint(together);
  regions.step->addIncoming(all, together);
  loops_.keep_rolled(builder_.CreateCondBr(builder_.CreateICmpEQ(all, builder_.getInt32(0)),
                                           regions.done, regions.dispatch));
}

void RegionLoopEmitter::emit_mixed(Form form, llvm::Value* is_first, llvm::BasicBlock* done) {
  auto* before = builder_.GetInsertBlock();
  auto* head = loops_.block("round");
  builder_.CreateBr(head);
  builder_.SetInsertPoint(head);
  auto* first = builder_.CreatePHI(builder_.getInt1Ty(), 2, "is_first");
  first->addIncoming(is_first, before);
  is_first_ = first;
  step_ = nullptr;
  keeps_ = Keeps::all;
  begin_round();
  run_step(form, false);
  first->addIncoming(builder_.getFalse(), builder_.GetInsertBlock());
  auto* any = builder_.CreateLoad(builder_.getInt32Ty(), any_);
  loops_.keep_rolled(
      builder_.CreateCondBr(builder_.CreateICmpEQ(any, builder_.getInt32(0)), done, head));
}

void RegionLoopEmitter::note_item(llvm::Value* item) {
  note(builder_, item, access_.field(values_.worker, offsetof(abi::Worker, current_item)));
}

// A step of all sub-groups; what it leaves for all of them is what the next one finds. Common steps
// find the note of the first work-item, which is then not written again and again.
void RegionLoopEmitter::run_step(Form form, bool is_common) {
  notes_items_ = !is_common;
  if (is_common) {
    for_one_sub_group(form);
  } else {
    for_all_sub_groups(form);
    if (has_common_steps())
      note_item(builder_.getInt64(0));
  }
  for (const auto kind : kSplitVariants)
    if (const auto common = common_.lookup(kernel_.variant(kind));
        common.before != nullptr && (kind == VariantKind::crossing) == (form == Form::crossing))
      builder_.CreateMemCpy(common.before, kFrameAlign, common.after, kFrameAlign,
                            kernel_.regions.uniform_bytes);
}

llvm::Value* RegionLoopEmitter::sub_groups_in(llvm::Value* items) {
  return builder_.CreateUDiv(builder_.CreateAdd(items, builder_.getInt64(width() - 1)),
                             builder_.getInt64(width()));
}

// What runs leaves the builder in one block.
void RegionLoopEmitter::if_there_are(llvm::Value* count, const char* name,
                                     llvm::function_ref<void()> run) {
  auto* some = loops_.block(name);
  auto* next = loops_.block("next");
  builder_.CreateCondBr(builder_.CreateICmpEQ(count, builder_.getInt64(0)), next, some);
  builder_.SetInsertPoint(some);
  run();
  builder_.CreateBr(next);
  builder_.SetInsertPoint(next);
}

// The first that for_all_sub_groups would come to with each form, which know no more of each other
// than what is common to their own kind.
void RegionLoopEmitter::for_one_sub_group(Form form) {
  auto* const* size = values_.size;
  auto* zero = builder_.getInt64(0);
  auto* lanes = builder_.getInt64(width());
  if (form == Form::crossing) {
    auto* items = builder_.CreateMul(builder_.CreateMul(size[0], size[1]), size[2]);
    auto* active = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, items, lanes);
    turn(kernel_.variant(VariantKind::crossing), {active, values_.group, zero, zero, zero}, zero,
         zero);
    return;
  }
  if (form == Form::line) {
    turn(kernel_.variants.find_full(), {values_.group, zero, zero, zero}, zero, zero);
    return;
  }
  auto* whole = whole_sub_groups(builder_, kernel_, size[0], ids_wrap_);
  auto* left = builder_.CreateSub(size[0], whole);
  llvm::Value* y = zero;
  if (has_blocks()) {
    y = rows_in_blocks(builder_, kernel_, size[0], size[1], ids_wrap_, values_.group);
    if_there_are(y, "block", [&] {
      turn(kernel_.variant(VariantKind::block), {values_.group, zero, zero, zero}, zero, zero);
    });
  }
  const auto run_rows = [&] {
    auto* first_number = builder_.CreateMul(y, sub_groups_in(size[0]));
    auto* first_item = builder_.CreateMul(y, size[0]);
    if_there_are(whole, "whole", [&] {
      turn(kernel_.variants.find_full(), {values_.group, zero, y, zero}, first_number, first_item);
    });
    if (!kernel_.variants.has(VariantKind::tail)) // a sub-group of one has none
      return;
    if_there_are(left, "part", [&] {
      auto* active = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, lanes);
      turn(kernel_.variant(VariantKind::tail), {active, values_.group, whole, y, zero},
           builder_.CreateAdd(first_number, builder_.CreateUDiv(whole, lanes)),
           builder_.CreateAdd(first_item, whole));
    });
  };
  if (has_blocks())
    if_there_are(builder_.CreateSub(size[1], y), "rows", run_rows);
  else
    run_rows();
}

// Sub-groups are numbered row by row.
void RegionLoopEmitter::for_all_sub_groups(Form form) {
  auto* const* size = values_.size;
  auto* zero = builder_.getInt64(0);
  auto* lanes = builder_.getInt64(width());
  if (form == Form::line) {
    const auto x = loops_.begin(size[0], "x", width());
    turn(kernel_.variants.find_full(), {values_.group, x.value, zero, zero},
         builder_.CreateUDiv(x.value, lanes), x.value);
    loops_.end(x);
    return;
  }
  if (form == Form::crossing) {
    auto* items = builder_.CreateMul(builder_.CreateMul(size[0], size[1]), size[2]);
    const auto number = loops_.begin(sub_groups_in(items), "sub_group");
    auto* first = builder_.CreateMul(number.value, lanes);
    auto* active = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin,
                                                  builder_.CreateSub(items, first), lanes);
    turn(kernel_.variant(VariantKind::crossing), {active, values_.group, first, zero, zero},
         number.value, first);
    loops_.end(number);
    return;
  }
  auto* per_row = sub_groups_in(size[0]);
  auto* whole = whole_sub_groups(builder_, kernel_, size[0], ids_wrap_);
  auto* left = builder_.CreateSub(size[0], whole);
  const auto z = loops_.begin(size[2], "z");
  auto* blocks_end =
      has_blocks() ? rows_in_blocks(builder_, kernel_, size[0], size[1], ids_wrap_, values_.group)
                   : zero;
  if (has_blocks())
    for_all_blocks(z.value, blocks_end, per_row);
  const auto y =
      has_blocks() ? loops_.begin_from(blocks_end, size[1], "y") : loops_.begin(size[1], "y");
  auto* line = builder_.CreateAdd(builder_.CreateMul(z.value, size[1]), y.value);
  auto* first_item = builder_.CreateMul(line, size[0]);
  auto* first_number = builder_.CreateMul(line, per_row);
  auto* some = loops_.block("whole");
  auto* rest = loops_.block("rest");
  builder_.CreateCondBr(builder_.CreateICmpEQ(whole, zero), rest, some);
  builder_.SetInsertPoint(some);
  const auto x = loops_.begin(whole, "x", width());
  turn(kernel_.variants.find_full(), {values_.group, x.value, y.value, z.value},
       builder_.CreateAdd(first_number, builder_.CreateUDiv(x.value, lanes)),
       builder_.CreateAdd(first_item, x.value));
  loops_.end(x);
  builder_.CreateBr(rest);
  builder_.SetInsertPoint(rest);
  if (kernel_.variants.has(VariantKind::tail)) { // a sub-group of one has none
    auto* part = loops_.block("part");
    auto* next = loops_.block("next");
    builder_.CreateCondBr(builder_.CreateICmpEQ(left, zero), next, part);
    builder_.SetInsertPoint(part);
    const RestOfRow masked(builder_, kernel_, whole, size[0], ids_wrap_);
    turn(kernel_.variant(VariantKind::tail),
         {masked.active, values_.group, masked.x, y.value, z.value},
         builder_.CreateAdd(first_number, builder_.CreateUDiv(masked.x, lanes)),
         builder_.CreateAdd(first_item, masked.x));
    masked.end(next);
    builder_.SetInsertPoint(next);
  }
  loops_.end(y);
  loops_.end(z);
}

// A block's frames are one piece, where those of its first row begin.
void RegionLoopEmitter::for_all_blocks(llvm::Value* z, llvm::Value* rows, llvm::Value* per_row) {
  auto* const* size = values_.size;
  const auto y =
      loops_.begin_from(builder_.getInt64(0), rows, "block.y", kernel_.launch.block_rows);
  auto* line = builder_.CreateAdd(builder_.CreateMul(z, size[1]), y.value);
  const auto x = loops_.begin(size[0], "block.x", width());
  auto* number = builder_.CreateUDiv(x.value, builder_.getInt64(width()));
  turn(kernel_.variant(VariantKind::block), {values_.group, x.value, y.value, z},
       builder_.CreateAdd(builder_.CreateMul(line, per_row),
                          builder_.CreateMul(number, builder_.getInt64(kernel_.launch.block_rows))),
       builder_.CreateAdd(builder_.CreateMul(line, size[0]), x.value));
  loops_.end(x);
  loops_.end(y);
}

// One step of one sub-group, if it has not come to its end; `own` is what its form takes besides
// arguments and step.
void RegionLoopEmitter::turn(llvm::Function* function, llvm::SmallVector<llvm::Value*, 12> own,
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
  if (notes_items_)
    note_item(first_item);
  auto arguments = values_.arguments;
  arguments.append(own.begin(), own.end());
  const auto common = common_.lookup(function);
  llvm::Value* none = llvm::Constant::getNullValue(access_.pointer());
  arguments.append({step, frame});
  for (llvm::Value* place : {common.before, common.after})
    arguments.push_back(place != nullptr ? place : none);
  auto* result = builder_.CreateCall(function, arguments);
  if (keeps_ == Keeps::nothing)
    return;
  if (keeps_ == Keeps::last) {
    builder_.CreateStore(result, last_);
    return;
  }
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
