// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/workgroup/region_runner.h"

#include "compiler/ir/fault_markers.h"
#include "compiler/workgroup/region_frame.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {
namespace {

constexpr VariantKind kSplitVariants[] = {VariantKind::whole, VariantKind::scalar,
                                          VariantKind::tail, VariantKind::block,
                                          VariantKind::crossing};

} // namespace

RegionRunner::RegionRunner(llvm::IRBuilder<>& builder, const Kernel& kernel,
                           const GroupValues& values)
    : builder_(builder), abi_(builder), loops_(builder), kernel_(kernel), values_(values),
      last_successor_(create_variable("last_successor", builder.getInt32Ty())),
      successors_and_(create_variable("successors_and", builder.getInt32Ty())),
      successors_or_(create_variable("successors_or", builder.getInt32Ty())) {
  if (kernel_.regions.is_convergent)
    for (const auto kind : kSplitVariants) {
      auto* variant = kernel_.variant(kind);
      if (variant == nullptr)
        continue;
      auto* type = llvm::ArrayType::get(builder_.getInt8Ty(), kernel_.regions.uniform_bytes);
      const UniformValues uniform{create_variable("uniform_in", type),
                                  create_variable("uniform_out", type)};
      uniform.in->setAlignment(kFrameAlign);
      uniform.out->setAlignment(kFrameAlign);
      uniform_values_[variant] = uniform;
    }
  for (const auto kind : kSplitVariants)
    if (const auto uniform = uniform_values_.lookup(kernel_.variant(kind)); uniform.in != nullptr)
      for (auto* variable : {uniform.in, uniform.out}) // undefined at the start of each group
        builder_.CreateLifetimeStart(variable);
  frames_ =
      abi_.load_invariant(values_.worker, offsetof(abi::Worker, frames), abi_.pointer(), "frames");
  if (!kernel_.launch.id_bases.empty())
    ids_wrap_ = emit_id_wrap_check(builder_, kernel_.launch.id_bases, values_.group);
  if (has_uniform_regions())
    emit_current_item(builder_.getInt64(0));
}

llvm::AllocaInst* RegionRunner::create_variable(const char* name, llvm::Type* type) {
  auto& entry = builder_.GetInsertBlock()->getParent()->getEntryBlock();
  return llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(type, nullptr, name);
}

bool RegionRunner::has_uniform_regions() const {
  return llvm::is_contained(kernel_.regions.is_uniform, true);
}

llvm::Value* RegionRunner::emit_is_single_row() {
  auto* const* size = values_.size;
  auto* whole = emit_whole_item_count(builder_, kernel_, size[0], ids_wrap_);
  return builder_.CreateAnd(
      builder_.CreateICmpEQ(builder_.CreateMul(size[1], size[2]), builder_.getInt64(1)),
      builder_.CreateICmpEQ(size[0], whole), "is_single_row");
}

void RegionRunner::emit_current_item(llvm::Value* item) {
  emit_fault_marker(builder_, item,
                    abi_.field(values_.worker, offsetof(abi::Worker, current_item)));
}

llvm::Value* RegionRunner::item_count() {
  auto* const* size = values_.size;
  return builder_.CreateMul(builder_.CreateMul(size[0], size[1]), size[2]);
}

// --- Successors ---------------------------------------------------------------------------------

llvm::Value* RegionRunner::load_last_successor() {
  return builder_.CreateLoad(builder_.getInt32Ty(), last_successor_);
}

void RegionRunner::reset_successors() {
  builder_.CreateStore(builder_.getInt32(~0U), successors_and_);
  builder_.CreateStore(builder_.getInt32(0), successors_or_);
}

llvm::Value* RegionRunner::load_successors_and() {
  return builder_.CreateLoad(builder_.getInt32Ty(), successors_and_);
}

llvm::Value* RegionRunner::load_successors_or() {
  return builder_.CreateLoad(builder_.getInt32Ty(), successors_or_);
}

// --- Loops over sub-groups
// ------------------------------------------------------------------------

void RegionRunner::run(GroupShape shape, const RegionRun& run) {
  run_ = run;
  if (run.is_uniform) {
    run_one_sub_group(shape);
  } else {
    run_all_sub_groups(shape);
    // Uniform regions expect the first work-item to be the current one and do not store it.
    if (has_uniform_regions())
      emit_current_item(builder_.getInt64(0));
  }
  for (const auto kind : kSplitVariants)
    if (const auto uniform = uniform_values_.lookup(kernel_.variant(kind));
        uniform.in != nullptr && (kind == VariantKind::crossing) == (shape == GroupShape::crossing))
      builder_.CreateMemCpy(uniform.in, kFrameAlign, uniform.out, kFrameAlign,
                            kernel_.regions.uniform_bytes);
}

// `emit` leaves the builder at the end of the last block that it emits.
void RegionRunner::emit_if_nonzero(llvm::Value* count, const char* name,
                                   llvm::function_ref<void()> emit) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(count)) {
    if (!constant->isZero())
      emit();
    return;
  }
  auto* then = loops_.block(name);
  auto* next = loops_.block("next");
  builder_.CreateCondBr(builder_.CreateICmpEQ(count, builder_.getInt64(0)), next, then);
  builder_.SetInsertPoint(then);
  emit();
  builder_.CreateBr(next);
  builder_.SetInsertPoint(next);
}

// The first sub-group of each variant that run_all_sub_groups() runs: uniform values are kept for
// each variant.
void RegionRunner::run_one_sub_group(GroupShape shape) {
  auto* const* size = values_.size;
  auto* zero = builder_.getInt64(0);
  auto* lanes = builder_.getInt64(width());
  if (shape == GroupShape::crossing) {
    auto* items = item_count();
    auto* active = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, items, lanes);
    call_variant(VariantKind::crossing, {active, values_.group, zero, zero, zero}, zero, zero);
    return;
  }
  if (shape == GroupShape::single_row) {
    call_variant(full(), {values_.group, zero, zero, zero}, zero, zero);
    return;
  }
  auto* whole = emit_whole_item_count(builder_, kernel_, size[0], ids_wrap_);
  auto* left = builder_.CreateSub(size[0], whole);
  llvm::Value* y = zero;
  if (has(VariantKind::block)) {
    y = emit_block_row_count(builder_, kernel_, size[0], size[1], ids_wrap_, values_.group);
    emit_if_nonzero(y, "block", [&] {
      call_variant(VariantKind::block, {values_.group, zero, zero, zero}, zero, zero);
    });
  }
  const auto run_rows = [&] {
    auto* first_number = builder_.CreateMul(y, sub_group_count(size[0]));
    auto* first_item = builder_.CreateMul(y, size[0]);
    emit_if_nonzero(whole, "whole", [&] {
      call_variant(full(), {values_.group, zero, y, zero}, first_number, first_item);
    });
    if (!has(VariantKind::tail)) // none may be needed
      return;
    emit_if_nonzero(left, "tail", [&] {
      auto* active = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, lanes);
      call_variant(VariantKind::tail, {active, values_.group, whole, y, zero},
                   builder_.CreateAdd(first_number, builder_.CreateUDiv(whole, lanes)),
                   builder_.CreateAdd(first_item, whole));
    });
  };
  if (has(VariantKind::block))
    emit_if_nonzero(builder_.CreateSub(size[1], y), "rows", run_rows);
  else
    run_rows();
}

void RegionRunner::run_all_sub_groups(GroupShape shape) {
  auto* const* size = values_.size;
  auto* zero = builder_.getInt64(0);
  auto* lanes = builder_.getInt64(width());
  if (shape == GroupShape::single_row) {
    const auto x = loops_.begin(size[0], "x", width());
    call_variant(full(), {values_.group, x.value, zero, zero}, builder_.CreateUDiv(x.value, lanes),
                 x.value);
    loops_.end(x);
    return;
  }
  if (shape == GroupShape::crossing) {
    auto* items = item_count();
    const auto number = loops_.begin(sub_group_count(items), "sub_group");
    auto* first = builder_.CreateMul(number.value, lanes);
    auto* active = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin,
                                                  builder_.CreateSub(items, first), lanes);
    call_variant(VariantKind::crossing, {active, values_.group, first, zero, zero}, number.value,
                 first);
    loops_.end(number);
    return;
  }
  auto* per_row = sub_group_count(size[0]);
  auto* whole = emit_whole_item_count(builder_, kernel_, size[0], ids_wrap_);
  auto* left = builder_.CreateSub(size[0], whole);
  const auto z = loops_.begin(size[2], "z");
  const bool has_blocks = has(VariantKind::block);
  auto* block_rows = has_blocks ? emit_block_row_count(builder_, kernel_, size[0], size[1],
                                                       ids_wrap_, values_.group)
                                : zero;
  if (has_blocks)
    run_row_blocks(z.value, block_rows, per_row);
  if (block_rows == size[1]) // constants are unique
    return loops_.end(z);
  const auto y =
      has_blocks ? loops_.begin_from(block_rows, size[1], "y") : loops_.begin(size[1], "y");
  auto* row = builder_.CreateAdd(builder_.CreateMul(z.value, size[1]), y.value);
  auto* first_item = builder_.CreateMul(row, size[0]);
  auto* first_number = builder_.CreateMul(row, per_row);
  auto* run_whole = loops_.block("whole");
  auto* rest = loops_.block("rest");
  builder_.CreateCondBr(builder_.CreateICmpEQ(whole, zero), rest, run_whole);
  builder_.SetInsertPoint(run_whole);
  const auto x = loops_.begin(whole, "x", width());
  call_variant(full(), {values_.group, x.value, y.value, z.value},
               builder_.CreateAdd(first_number, builder_.CreateUDiv(x.value, lanes)),
               builder_.CreateAdd(first_item, x.value));
  loops_.end(x);
  builder_.CreateBr(rest);
  builder_.SetInsertPoint(rest);
  if (has(VariantKind::tail)) { // none may be needed
    auto* run_tail = loops_.block("tail");
    auto* next = loops_.block("next");
    builder_.CreateCondBr(builder_.CreateICmpEQ(left, zero), next, run_tail);
    builder_.SetInsertPoint(run_tail);
    const TailLoop tail(builder_, kernel_, whole, size[0], ids_wrap_);
    call_variant(VariantKind::tail, {tail.active, values_.group, tail.x, y.value, z.value},
                 builder_.CreateAdd(first_number, builder_.CreateUDiv(tail.x, lanes)),
                 builder_.CreateAdd(first_item, tail.x));
    tail.end(next);
    builder_.SetInsertPoint(next);
  }
  loops_.end(y);
  loops_.end(z);
}

// The sub-groups of a block have consecutive frames. All blocks of a row of blocks together have
// the frames of its rows.
void RegionRunner::run_row_blocks(llvm::Value* z, llvm::Value* rows, llvm::Value* per_row) {
  auto* const* size = values_.size;
  const auto block_rows = kernel_.metadata.row_interleave;
  const auto y = loops_.begin_from(builder_.getInt64(0), rows, "block.y", block_rows);
  auto* row = builder_.CreateAdd(builder_.CreateMul(z, size[1]), y.value);
  const auto x = loops_.begin(size[0], "block.x", width());
  auto* number = builder_.CreateUDiv(x.value, builder_.getInt64(width()));
  call_variant(VariantKind::block, {values_.group, x.value, y.value, z},
               builder_.CreateAdd(builder_.CreateMul(row, per_row),
                                  builder_.CreateMul(number, builder_.getInt64(block_rows))),
               builder_.CreateAdd(builder_.CreateMul(row, size[0]), x.value));
  loops_.end(x);
  loops_.end(y);
}

// Runs the region for one sub-group, unless that is at the kernel's end. `hidden_arguments` are
// those between the kernel's arguments and the region's parameters.
void RegionRunner::call_variant(VariantKind kind,
                                llvm::SmallVector<llvm::Value*, 12> hidden_arguments,
                                llvm::Value* number, llvm::Value* first_item) {
  auto* variant = kernel_.variant(kind);
  auto* frame = builder_.CreateInBoundsGEP(
      builder_.getInt8Ty(), frames_,
      builder_.CreateMul(number, builder_.getInt64(kernel_.metadata.frame_bytes)));
  auto* region = run_.region;
  llvm::BasicBlock* next = nullptr;
  if (region == nullptr) {
    auto* kept = builder_.CreateAlignedLoad(builder_.getInt32Ty(), frame, llvm::Align(64));
    region = builder_.CreateSelect(run_.is_first, builder_.getInt32(0), kept);
    auto* run = loops_.block("run");
    next = loops_.block("next");
    builder_.CreateCondBr(
        builder_.CreateOr(run_.is_first, builder_.CreateICmpNE(region, builder_.getInt32(0))), run,
        next);
    builder_.SetInsertPoint(run);
  }
  if (!run_.is_uniform)
    emit_current_item(first_item);
  auto arguments = values_.arguments;
  arguments.append(hidden_arguments.begin(), hidden_arguments.end());
  const auto uniform = uniform_values_.lookup(variant);
  llvm::Value* null = llvm::Constant::getNullValue(abi_.pointer());
  arguments.append({region, frame});
  for (llvm::Value* memory : {uniform.in, uniform.out})
    arguments.push_back(memory != nullptr ? memory : null);
  auto* successor = builder_.CreateCall(variant, arguments);
  if (run_.successors == SuccessorUse::none)
    return;
  if (run_.successors == SuccessorUse::last) {
    builder_.CreateStore(successor, last_successor_);
    return;
  }
  builder_.CreateAlignedStore(successor, frame, llvm::Align(64));
  const auto combine = [&](llvm::AllocaInst* variable, llvm::Instruction::BinaryOps operation) {
    builder_.CreateStore(builder_.CreateBinOp(operation,
                                              builder_.CreateLoad(builder_.getInt32Ty(), variable),
                                              successor),
                         variable);
  };
  combine(successors_and_, llvm::Instruction::And);
  combine(successors_or_, llvm::Instruction::Or);
  if (next != nullptr) {
    builder_.CreateBr(next);
    builder_.SetInsertPoint(next);
  }
}

} // namespace heddle::compiler
