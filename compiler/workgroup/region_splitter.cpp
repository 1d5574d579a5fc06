// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/workgroup/region_splitter.h"

#include "compiler/ir/work_item_params.h"
#include "compiler/lower/lower_barriers.h"
#include "compiler/workgroup/spill_across_barriers.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace heddle::compiler {
namespace {

std::size_t reachable_size(llvm::BasicBlock* entry) {
  std::size_t count = 0;
  for (auto* block : llvm::depth_first(entry))
    count += block->size();
  return count;
}

std::optional<unsigned> unique_successor(llvm::BasicBlock* entry) {
  std::optional<unsigned> successor;
  for (auto* block : llvm::depth_first(entry)) {
    const auto* leave = llvm::dyn_cast<llvm::ReturnInst>(block->getTerminator());
    if (leave == nullptr)
      continue;
    const auto number = static_cast<unsigned>(
        llvm::cast<llvm::ConstantInt>(leave->getReturnValue())->getZExtValue());
    if (successor && *successor != number)
      return std::nullopt;
    successor = number;
  }
  return successor;
}

unsigned number_of(const llvm::CallInst& barrier) {
  const auto* number = barrier.getMetadata(kRegionNumber)->getOperand(0).get();
  return static_cast<unsigned>(llvm::mdconst::extract<llvm::ConstantInt>(number)->getZExtValue());
}

llvm::Function& add_region_parameters(llvm::Function& old) {
  auto& context = old.getContext();
  llvm::SmallVector<llvm::Type*, 16> types(old.getFunctionType()->params());
  auto* region = llvm::Type::getInt32Ty(context);
  auto* pointer = llvm::PointerType::get(context, 0);
  types.append({region, pointer, pointer, pointer});
  auto* made = llvm::Function::Create(llvm::FunctionType::get(region, types, false),
                                      llvm::GlobalValue::InternalLinkage, "", old.getParent());
  made->takeName(&old);
  made->copyAttributesFrom(&old);
  made->copyMetadata(&old, 0);
  made->addFnAttr(kRegionAttribute);
  made->splice(made->begin(), &old);
  for (auto& argument : old.args()) {
    auto* replacement = made->getArg(argument.getArgNo());
    argument.replaceAllUsesWith(replacement);
    replacement->takeName(&argument);
  }
  constexpr const char* kNames[] = {"region", "frame", "uniform_in", "uniform_out"};
  for (unsigned i = 0; i < kRegionParams; ++i) {
    auto* parameter = made->getArg(static_cast<unsigned>(old.arg_size()) + i);
    parameter->setName(kNames[i]);
    if (!parameter->getType()->isPointerTy())
      continue;
    parameter->addAttr(llvm::Attribute::NoAlias);
    parameter->addAttr(llvm::Attribute::getWithAlignment(context, kFrameAlign));
  }
  old.eraseFromParent();
  return *made;
}

// Whether the variable is only loaded and stored in one block, so within one region.
bool is_used_in_one_block(const llvm::AllocaInst& variable) {
  const llvm::BasicBlock* only = nullptr;
  for (const auto* user : variable.users()) {
    const auto* instruction = llvm::cast<llvm::Instruction>(user);
    if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction))
      return false;
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(instruction);
    if (store != nullptr && store->getValueOperand() == &variable)
      return false; // its address escapes
    if (only != nullptr && instruction->getParent() != only)
      return false;
    only = instruction->getParent();
  }
  return true;
}

} // namespace

RegionSplitter::RegionSplitter(llvm::Function& variant, bool is_masked)
    : function_(add_region_parameters(variant)), layout_(function_.getParent()->getDataLayout()),
      frame_(layout_), uniform_frame_(layout_), region_(parameter(0)), memory_(parameter(1)),
      uniform_in_(parameter(2)), uniform_out_(parameter(3)) {
  split_at_barriers();
  move_variables_to_frame();
  form_lcssa_without_barriers(function_, boundaries_);
  uniformity_.emplace(function_, is_masked);
}

bool RegionSplitter::is_convergent() const {
  return llvm::all_of(boundaries_, [&](const RegionBoundary& boundary) {
    return uniformity_->is_convergent(*boundary.exit);
  });
}

llvm::Function* RegionSplitter::run(bool is_convergent) {
  const BarrierSpiller::UniformStorage uniform{*uniformity_, uniform_frame_, *uniform_in_,
                                               *uniform_out_};
  BarrierSpiller spiller(function_, frame_, *memory_, boundaries_,
                         is_convergent ? &uniform : nullptr);
  emit_dispatch();
  spiller.run();
  // Addresses of variables that an earlier region stored point to the frame as well.
  if (llvm::PointerMayBeCaptured(memory_, true))
    memory_->removeAttr(llvm::Attribute::NoAlias);
  return &function_;
}

std::vector<std::pair<unsigned, bool>> RegionSplitter::uniform_regions() const {
  const auto leader = leader_blocks(function_, llvm::DominatorTree(function_));
  std::vector<std::pair<unsigned, bool>> found{{0, is_uniform(start_, leader)}};
  for (const auto& boundary : boundaries_)
    found.emplace_back(boundary.region, is_uniform(boundary.entry, leader));
  return found;
}

std::vector<std::pair<unsigned, std::optional<unsigned>>>
RegionSplitter::unique_successors() const {
  std::vector<std::pair<unsigned, std::optional<unsigned>>> found{{0, unique_successor(start_)}};
  for (const auto& boundary : boundaries_)
    found.emplace_back(boundary.region, unique_successor(boundary.entry));
  return found;
}

std::size_t RegionSplitter::separate_size() const {
  auto count = reachable_size(start_);
  for (const auto& boundary : boundaries_)
    count += reachable_size(boundary.entry);
  return count;
}

bool RegionSplitter::is_uniform(llvm::BasicBlock* entry, const LeaderBlocks& leader) const {
  for (const auto* block : llvm::depth_first(entry))
    if (!leader.contains(block) && llvm::any_of(*block, [&](const auto& instruction) {
          return has_divergent_effect(instruction);
        }))
      return false;
  return true;
}

// Whether the instruction has an effect other than to keep a uniform value.
bool RegionSplitter::has_divergent_effect(const llvm::Instruction& instruction) const {
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      store != nullptr && !store->isVolatile() &&
      store->getPointerOperand()->stripInBoundsConstantOffsets() == uniform_out_)
    return false;
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic())
    return false;
  return instruction.mayHaveSideEffects();
}

// One of the additional parameters.
llvm::Argument* RegionSplitter::parameter(unsigned number) const {
  return function_.getArg(static_cast<unsigned>(function_.arg_size()) - kRegionParams + number);
}

// Splits blocks after barriers and erases these; control flow still continues there.
void RegionSplitter::split_at_barriers() {
  llvm::SmallVector<llvm::CallInst*, 16> barriers;
  for (auto& instruction : llvm::instructions(function_)) {
    if (is_barrier(instruction))
      barriers.push_back(llvm::cast<llvm::CallInst>(&instruction));
  }
  for (auto* call : barriers) {
    auto* exit = call->getParent();
    auto* entry = llvm::SplitBlock(exit, std::next(call->getIterator()));
    entry->setName("region");
    boundaries_.push_back({number_of(*call), exit, entry});
    call->eraseFromParent();
  }
}

// Variables that may be live across barriers become slots of the frame.
void RegionSplitter::move_variables_to_frame() {
  auto& entry = function_.getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
  llvm::SmallVector<llvm::AllocaInst*, 16> variables; // first: lifetime markers are erased below
  for (auto& instruction : entry)
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      variables.push_back(variable);
  for (auto* variable : variables) {
    if (is_used_in_one_block(*variable))
      continue;
    for (auto* user : llvm::make_early_inc_range(variable->users()))
      if (auto* marker = llvm::dyn_cast<llvm::LifetimeIntrinsic>(user))
        marker->eraseFromParent();
    builder.SetInsertPoint(variable);
    auto* slot = builder.CreateConstInBoundsGEP1_64(
        builder.getInt8Ty(), memory_,
        frame_.add(variable->getAllocatedType(), variable->getAlign()));
    variable->replaceAllUsesWith(slot);
    slot->takeName(variable);
    variable->eraseFromParent();
  }
}

// Barriers become returns of the region that follows, and the entry block branches to the region
// to run.
void RegionSplitter::emit_dispatch() {
  auto& context = function_.getContext();
  start_ = &function_.getEntryBlock();
  auto* entry = llvm::BasicBlock::Create(context, "resume", &function_, start_);
  for (auto& instruction : llvm::make_early_inc_range(*start_))
    if (llvm::isa<llvm::AllocaInst>(instruction))
      instruction.moveBefore(*entry, entry->end());
  llvm::IRBuilder<> builder(entry);
  builder.SetCurrentDebugLocation(start_->getTerminator()->getDebugLoc());
  auto* unreachable = llvm::BasicBlock::Create(context, "unreachable", &function_);
  llvm::IRBuilder<>(unreachable).CreateUnreachable();
  auto* resume =
      builder.CreateSwitch(region_, unreachable, static_cast<unsigned>(boundaries_.size()) + 1);
  resume->addCase(builder.getInt32(0), start_);
  for (auto& block : function_)
    if (auto* leave = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
      builder.SetInsertPoint(leave);
      builder.SetCurrentDebugLocation(leave->getDebugLoc());
      builder.CreateRet(builder.getInt32(0));
      leave->eraseFromParent();
    }
  for (const auto& boundary : boundaries_) {
    auto* leave = boundary.exit->getTerminator();
    builder.SetInsertPoint(leave);
    builder.SetCurrentDebugLocation(leave->getDebugLoc());
    auto* number = builder.getInt32(boundary.region);
    builder.CreateRet(number);
    leave->eraseFromParent();
    resume->addCase(number, boundary.entry);
  }
}

} // namespace heddle::compiler
