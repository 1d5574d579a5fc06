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

constexpr auto kRegionNumber = "heddle.region"; // metadata of barriers
// Regions get loops of their own up to so many regions, and so many instructions times lanes.
constexpr unsigned kMaxSeparateRegions = 64;
constexpr std::size_t kMaxSeparateInstructions = 32'000;

// Splits one variant. Construction splits the blocks; control flow continues after barriers until
// run() makes them returns.
class RegionSplitter {
 public:
  RegionSplitter(llvm::Function& variant, bool is_masked)
      : function_(add_region_parameters(variant)), layout_(function_.getParent()->getDataLayout()),
        frame_(layout_), uniform_frame_(layout_), region_(parameter(0)), memory_(parameter(1)),
        uniform_in_(parameter(2)), uniform_out_(parameter(3)) {
    split_at_barriers();
    move_variables_to_frame();
    form_lcssa_without_barriers(function_, boundaries_);
    uniformity_.emplace(function_, is_masked);
  }

  // Whether all sub-groups always reach the same barrier.
  bool is_convergent() const {
    return llvm::all_of(boundaries_, [&](const RegionBoundary& boundary) {
      return uniformity_->is_in_step(*boundary.exit);
    });
  }

  // Returns the function that runs one region. `is_convergent`: all variants of the kernel are.
  llvm::Function* run(bool is_convergent) {
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
  std::uint64_t frame_bytes() const { return frame_.bytes(); }
  std::uint64_t uniform_bytes() const { return uniform_frame_.bytes(); }

  // Whether each region, by number, has no effect but uniform values and what the first sub-group
  // does for its group.
  std::vector<std::pair<unsigned, bool>> uniform_regions() {
    const auto leader = leader_blocks(function_, llvm::DominatorTree(function_));
    std::vector<std::pair<unsigned, bool>> found{{0, is_uniform(start_, leader)}};
    for (const auto& boundary : boundaries_)
      found.emplace_back(boundary.region, is_uniform(boundary.entry, leader));
    return found;
  }

  // The unique successor of each region, by number; nothing if it has several.
  std::vector<std::pair<unsigned, std::optional<unsigned>>> unique_successors() {
    std::vector<std::pair<unsigned, std::optional<unsigned>>> found{{0, unique_successor(start_)}};
    for (const auto& boundary : boundaries_)
      found.emplace_back(boundary.region, unique_successor(boundary.entry));
    return found;
  }

  // Instructions of all regions if each has its own copy of all blocks that it reaches.
  std::size_t separate_size() {
    auto count = reachable_size(start_);
    for (const auto& boundary : boundaries_)
      count += reachable_size(boundary.entry);
    return count;
  }

 private:
  static std::size_t reachable_size(llvm::BasicBlock* entry) {
    std::size_t count = 0;
    for (auto* block : llvm::depth_first(entry))
      count += block->size();
    return count;
  }

  static std::optional<unsigned> unique_successor(llvm::BasicBlock* entry) {
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

  bool is_uniform(llvm::BasicBlock* entry, const LeaderBlocks& leader) const {
    for (const auto* block : llvm::depth_first(entry))
      if (!leader.contains(block) && llvm::any_of(*block, [&](const auto& instruction) {
            return has_divergent_effect(instruction);
          }))
        return false;
    return true;
  }

  // Whether the instruction has an effect other than to keep a uniform value.
  bool has_divergent_effect(const llvm::Instruction& instruction) const {
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
  llvm::Argument* parameter(unsigned number) const {
    return function_.getArg(static_cast<unsigned>(function_.arg_size()) - kRegionParams + number);
  }

  static unsigned number_of(const llvm::CallInst& barrier) {
    const auto* number = barrier.getMetadata(kRegionNumber)->getOperand(0).get();
    return static_cast<unsigned>(llvm::mdconst::extract<llvm::ConstantInt>(number)->getZExtValue());
  }

  static llvm::Function& add_region_parameters(llvm::Function& old) {
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

  // Splits blocks after barriers and erases these; control flow still continues there.
  void split_at_barriers() {
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
  void move_variables_to_frame() {
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

  // Whether the variable is only loaded and stored in one block, so within one region.
  static bool is_used_in_one_block(const llvm::AllocaInst& variable) {
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

  // Barriers become returns of the region that follows, and the entry block branches to the region
  // to run.
  void emit_dispatch() {
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

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  RegionFrame frame_;
  RegionFrame uniform_frame_;
  llvm::Argument* region_;
  llvm::Argument* memory_;
  llvm::Argument* uniform_in_;
  llvm::Argument* uniform_out_;
  llvm::BasicBlock* start_ = nullptr; // the entry of region 0
  llvm::SmallVector<RegionBoundary, 16> boundaries_;
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
    instruction.setMetadata(kRegionNumber,
                            llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(number)));
  }
}

static void form_barrier_regions(Kernel& kernel) {
  auto& regions = kernel.regions;
  auto& variants = kernel.variants;
  regions.has_separate_loops = regions.count <= kMaxSeparateRegions;
  std::vector<llvm::SmallVector<std::optional<unsigned>, 4>> successors(regions.count);
  std::vector<std::pair<VariantKind, std::unique_ptr<RegionSplitter>>> splitters;
  regions.is_convergent = true;
  if (variants.has(VariantKind::tail) && !variants.has(VariantKind::block))
    make_leader_only_variant(kernel);
  for (const auto kind : {VariantKind::whole, VariantKind::scalar, VariantKind::tail,
                          VariantKind::crossing, VariantKind::block}) {
    auto* variant = variants.find(kind);
    if (variant == nullptr)
      continue;
    splitters.emplace_back(kind, std::make_unique<RegionSplitter>(*variant, is_masked(kind)));
    regions.is_convergent &= splitters.back().second->is_convergent();
  }
  regions.is_uniform.assign(regions.count, regions.is_convergent);
  for (auto& [kind, splitter] : splitters) {
    variants.set(kind, splitter->run(regions.is_convergent));
    // The sub-groups of a block share the frames of its rows.
    const auto rows = kind == VariantKind::block ? kernel.launch.block_rows : 1;
    kernel.metadata.frame_bytes = std::max(
        kernel.metadata.frame_bytes, llvm::alignTo(splitter->frame_bytes(), rows * 64) / rows);
    regions.uniform_bytes = std::max(regions.uniform_bytes, splitter->uniform_bytes());
    regions.has_separate_loops &=
        splitter->separate_size() * kernel.metadata.vector_width <= kMaxSeparateInstructions;
    for (const auto& [region, successor] : splitter->unique_successors())
      successors[region].push_back(successor);
    if (regions.is_convergent)
      for (const auto& [region, is_uniform] : splitter->uniform_regions())
        regions.is_uniform[region] = regions.is_uniform[region] && is_uniform;
  }
  for (const auto& found : successors) // by variant
    regions.unique_successors.push_back(!found.empty() && llvm::all_equal(found) ? found.front()
                                                                                 : std::nullopt);
}

llvm::PreservedAnalyses FormBarrierRegionsPass::run(llvm::Function& body,
                                                    llvm::FunctionAnalysisManager& /*analyses*/) {
  auto& kernel = compilation_.kernel_of(body);
  if (kernel.regions.are_used)
    form_barrier_regions(kernel);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
