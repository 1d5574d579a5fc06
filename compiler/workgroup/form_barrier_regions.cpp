#include "compiler/workgroup/form_barrier_regions.h"

#include "compiler/analysis/leader_blocks.h"
#include "compiler/analysis/work_group_uniformity.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/lower_barriers.h"
#include "compiler/workgroup/leader_only_variant.h"
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

constexpr auto kStepNumber = "heddle.step";
// Copies of the code for each step are worth it up to this many instructions, times lanes.
constexpr std::size_t kMostInstructionsApart = 32'000;
constexpr unsigned kMostStepsApart = 64;

class Splitter {
 public:
  Splitter(llvm::Function& old, bool is_masked)
      : function_(with_step(old)), layout_(function_.getParent()->getDataLayout()), frame_(layout_),
        common_frame_(layout_), step_(parameter(0)), memory_(parameter(1)), common_(parameter(2)),
        common_next_(parameter(3)) {
    cut();
    place_variables();
    close_loops(function_, suspensions_);
    uniformity_.emplace(function_, is_masked);
  }

  // Whether all sub-groups always come to the same barrier.
  bool is_in_step() const {
    return llvm::all_of(suspensions_, [&](const SuspendPoint& suspension) {
      return uniformity_->is_in_step(*suspension.before);
    });
  }

  // `has_common`: all forms of the kernel are in step.
  llvm::Function* run(bool has_common) {
    const BarrierSpiller::Common common{*uniformity_, common_frame_, *common_, *common_next_};
    BarrierSpiller carried(function_, frame_, *memory_, suspensions_,
                           has_common ? &common : nullptr);
    dispatch();
    carried.carry();
    // What an earlier step has kept of its variables' addresses points to the frame as well.
    if (llvm::PointerMayBeCaptured(memory_, true))
      memory_->removeAttr(llvm::Attribute::NoAlias);
    return &function_;
  }
  std::uint64_t frame_bytes() const { return frame_.bytes(); }
  std::uint64_t common_bytes() const { return common_frame_.bytes(); }

  // By step, whether it leaves nothing of a sub-group's own and does nothing but what the first
  // sub-group does for the group.
  std::vector<std::pair<unsigned, bool>> common_steps() {
    const auto led = leader_blocks(function_, llvm::DominatorTree(function_));
    std::vector<std::pair<unsigned, bool>> found{{0, is_common(first_, led)}};
    for (const auto& suspension : suspensions_)
      found.emplace_back(suspension.number, is_common(suspension.after, led));
    return found;
  }

  // What each step comes to: one number, or nothing if there are several; by step.
  std::vector<std::pair<unsigned, std::optional<unsigned>>> next_steps() {
    std::vector<std::pair<unsigned, std::optional<unsigned>>> found{{0, next_from(first_)}};
    for (const auto& suspension : suspensions_)
      found.emplace_back(suspension.number, next_from(suspension.after));
    return found;
  }

  // Instructions of all steps, each with everything it may come to before it ends.
  std::size_t size_apart() {
    auto count = size_from(first_);
    for (const auto& suspension : suspensions_)
      count += size_from(suspension.after);
    return count;
  }

 private:
  static std::size_t size_from(llvm::BasicBlock* block) {
    std::size_t count = 0;
    for (auto* reached : llvm::depth_first(block))
      count += reached->size();
    return count;
  }

  static std::optional<unsigned> next_from(llvm::BasicBlock* block) {
    std::optional<unsigned> next;
    for (auto* reached : llvm::depth_first(block)) {
      const auto* leave = llvm::dyn_cast<llvm::ReturnInst>(reached->getTerminator());
      if (leave == nullptr)
        continue;
      const auto number = static_cast<unsigned>(
          llvm::cast<llvm::ConstantInt>(leave->getReturnValue())->getZExtValue());
      if (next && *next != number)
        return std::nullopt;
      next = number;
    }
    return next;
  }

  bool is_common(llvm::BasicBlock* step, const LeaderBlocks& led) const {
    for (const auto* reached : llvm::depth_first(step))
      if (!led.contains(reached) &&
          llvm::any_of(*reached, [&](const auto& instruction) { return leaves_own(instruction); }))
        return false;
    return true;
  }

  bool leaves_own(const llvm::Instruction& instruction) const {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        store != nullptr && !store->isVolatile() &&
        store->getPointerOperand()->stripInBoundsConstantOffsets() == common_next_)
      return false;
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic())
      return false;
    return instruction.mayHaveSideEffects();
  }

  // One of those that split functions have more.
  llvm::Argument* parameter(unsigned number) const {
    return function_.getArg(static_cast<unsigned>(function_.arg_size()) - kStepParameters + number);
  }

  static unsigned number_of(const llvm::CallInst& barrier) {
    const auto* number = barrier.getMetadata(kStepNumber)->getOperand(0).get();
    return static_cast<unsigned>(llvm::mdconst::extract<llvm::ConstantInt>(number)->getZExtValue());
  }

  static llvm::Function& with_step(llvm::Function& old) {
    auto& context = old.getContext();
    llvm::SmallVector<llvm::Type*, 16> types(old.getFunctionType()->params());
    auto* step = llvm::Type::getInt32Ty(context);
    auto* pointer = llvm::PointerType::get(context, 0);
    types.append({step, pointer, pointer, pointer});
    auto* made = llvm::Function::Create(llvm::FunctionType::get(step, types, false),
                                        llvm::GlobalValue::InternalLinkage, "", old.getParent());
    made->takeName(&old);
    made->copyAttributesFrom(&old);
    made->copyMetadata(&old, 0);
    made->addFnAttr(kStepAttribute);
    made->splice(made->begin(), &old);
    for (auto& argument : old.args()) {
      auto* replacement = made->getArg(argument.getArgNo());
      argument.replaceAllUsesWith(replacement);
      replacement->takeName(&argument);
    }
    constexpr const char* kNames[] = {"step", "frame", "common", "common_next"};
    for (unsigned i = 0; i < kStepParameters; ++i) {
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

  // Blocks end at the barriers; for now they still go on to the next.
  void cut() {
    llvm::SmallVector<llvm::CallInst*, 16> barriers;
    for (auto& instruction : llvm::instructions(function_)) {
      if (is_barrier(instruction))
        barriers.push_back(llvm::cast<llvm::CallInst>(&instruction));
    }
    for (auto* call : barriers) {
      auto* before = call->getParent();
      auto* after = llvm::SplitBlock(before, std::next(call->getIterator()));
      after->setName("step");
      suspensions_.push_back({number_of(*call), before, after});
      call->eraseFromParent();
    }
  }

  // Variables that a step leaves for the next live in the frame.
  void place_variables() {
    auto& entry = function_.getEntryBlock();
    llvm::IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
    llvm::SmallVector<llvm::AllocaInst*, 16> variables; // what marks their lives goes, too
    for (auto& instruction : entry)
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        variables.push_back(variable);
    for (auto* variable : variables) {
      if (stays_in_step(*variable))
        continue;
      for (auto* user : llvm::make_early_inc_range(variable->users()))
        if (auto* marker = llvm::dyn_cast<llvm::LifetimeIntrinsic>(user))
          marker->eraseFromParent();
      builder.SetInsertPoint(variable);
      auto* place = builder.CreateConstInBoundsGEP1_64(
          builder.getInt8Ty(), memory_,
          frame_.add(variable->getAllocatedType(), variable->getAlign()));
      variable->replaceAllUsesWith(place);
      place->takeName(variable);
      variable->eraseFromParent();
    }
  }

  // Used in one block, between two barriers.
  static bool stays_in_step(const llvm::AllocaInst& variable) {
    const llvm::BasicBlock* only = nullptr;
    for (const auto* user : variable.users()) {
      const auto* instruction = llvm::cast<llvm::Instruction>(user);
      if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction))
        return false;
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(instruction);
      if (store != nullptr && store->getValueOperand() == &variable)
        return false; // its address is kept somewhere
      if (only != nullptr && instruction->getParent() != only)
        return false;
      only = instruction->getParent();
    }
    return true;
  }

  void dispatch() {
    auto& context = function_.getContext();
    auto& first = function_.getEntryBlock();
    first_ = &first;
    auto* entry = llvm::BasicBlock::Create(context, "resume", &function_, &first);
    for (auto& instruction : llvm::make_early_inc_range(first))
      if (llvm::isa<llvm::AllocaInst>(instruction))
        instruction.moveBefore(*entry, entry->end());
    llvm::IRBuilder<> builder(entry);
    builder.SetCurrentDebugLocation(first.getTerminator()->getDebugLoc());
    // A step from nowhere cannot be.
    auto* nowhere = llvm::BasicBlock::Create(context, "nowhere", &function_);
    llvm::IRBuilder<>(nowhere).CreateUnreachable();
    auto* resume =
        builder.CreateSwitch(step_, nowhere, static_cast<unsigned>(suspensions_.size()) + 1);
    resume->addCase(builder.getInt32(0), &first);
    for (auto& block : function_)
      if (auto* leave = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
        builder.SetInsertPoint(leave);
        builder.SetCurrentDebugLocation(leave->getDebugLoc());
        builder.CreateRet(builder.getInt32(0));
        leave->eraseFromParent();
      }
    for (unsigned i = 0; i < suspensions_.size(); ++i) {
      auto* leave = suspensions_[i].before->getTerminator();
      builder.SetInsertPoint(leave);
      builder.SetCurrentDebugLocation(leave->getDebugLoc());
      auto* number = builder.getInt32(suspensions_[i].number);
      builder.CreateRet(number);
      leave->eraseFromParent();
      resume->addCase(number, suspensions_[i].after);
    }
  }

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  RegionFrame frame_;
  RegionFrame common_frame_;
  llvm::Argument* step_;
  llvm::BasicBlock* first_ = nullptr; // of the first step
  llvm::Argument* memory_;
  llvm::Argument* common_;
  llvm::Argument* common_next_;
  llvm::SmallVector<SuspendPoint, 16> suspensions_;
  std::optional<WorkGroupUniformity> uniformity_;
};

} // namespace

void number_barriers(Kernel& kernel) {
  auto& context = kernel.body->getContext();
  auto& count = kernel.regions.count;
  count = 1;
  for (auto& instruction : llvm::instructions(*kernel.body)) {
    if (!is_barrier(instruction))
      continue;
    auto* number = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), count++);
    instruction.setMetadata(kStepNumber,
                            llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(number)));
  }
}

void form_barrier_regions(Kernel& kernel) {
  auto& regions = kernel.regions;
  auto& variants = kernel.variants;
  regions.has_separate_loops = regions.count <= kMostStepsApart;
  std::vector<llvm::SmallVector<std::optional<unsigned>, 4>> next(regions.count);
  std::vector<std::pair<VariantKind, std::unique_ptr<Splitter>>> splitters;
  regions.is_convergent = true;
  if (variants.has(VariantKind::tail) && !variants.has(VariantKind::block))
    make_leader_only_variant(kernel);
  for (const auto kind : {VariantKind::whole, VariantKind::scalar, VariantKind::tail,
                          VariantKind::crossing, VariantKind::block}) {
    auto* variant = variants.find(kind);
    if (variant == nullptr)
      continue;
    splitters.emplace_back(kind, std::make_unique<Splitter>(*variant, is_masked(kind)));
    regions.is_convergent &= splitters.back().second->is_in_step();
  }
  regions.is_uniform.assign(regions.count, regions.is_convergent);
  for (auto& [kind, splitter] : splitters) {
    variants.set(kind, splitter->run(regions.is_convergent));
    // A block has the frames of all its rows.
    const auto rows = kind == VariantKind::block ? kernel.launch.block_rows : 1;
    kernel.metadata.frame_bytes = std::max(
        kernel.metadata.frame_bytes, llvm::alignTo(splitter->frame_bytes(), rows * 64) / rows);
    regions.uniform_bytes = std::max(regions.uniform_bytes, splitter->common_bytes());
    regions.has_separate_loops &=
        splitter->size_apart() * kernel.metadata.vector_width <= kMostInstructionsApart;
    for (const auto& [step, following] : splitter->next_steps())
      next[step].push_back(following);
    if (regions.is_convergent)
      for (const auto& [step, is_common] : splitter->common_steps())
        regions.is_uniform[step] = regions.is_uniform[step] && is_common;
  }
  // Of all forms.
  for (const auto& found : next)
    regions.unique_successors.push_back(!found.empty() && llvm::all_equal(found) ? found.front()
                                                                                 : std::nullopt);
}

} // namespace heddle::compiler
