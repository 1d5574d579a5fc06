// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/local_memory/promote_local_memory.h"

#include "compiler/ir/vectorized_attribute.h"
#include "compiler/local_memory/group_trace.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kFirstGroupArgument = 1; // of abi::KernelFunction
// A bitonic sort of 512 elements takes 300,000 and 27,000 with AVX2; it is built in half a second.
constexpr unsigned kMaxExecuted = 500'000;
constexpr unsigned kMaxCopied = 32'000;
constexpr unsigned kMaxCopiedAtFirst = 1'500; // without Specialization::has_long_code
constexpr unsigned kMaxStarts = 12;
constexpr unsigned kTypicalBits = 32; // of an element
constexpr unsigned kMaxShufflesOfALoad = 4;
constexpr unsigned kLeastDepth = 3;
constexpr unsigned kMaxLoadedLanes = 16; // for each that is gathered

// Whether local memory is accessed, and through its own address space only.
bool is_candidate(const llvm::Function& function) {
  bool accesses = false;
  for (const auto& instruction : llvm::instructions(function)) {
    if (llvm::isa<llvm::AddrSpaceCastInst>(instruction) ||
        llvm::isa<llvm::PtrToIntInst>(instruction))
      if (is_local_pointer(*instruction.getOperand(0)))
        return false;
    accesses |= instruction.mayWriteToMemory() &&
                llvm::any_of(instruction.operand_values(),
                             [](const llvm::Value* operand) { return is_local_pointer(*operand); });
  }
  return accesses;
}

llvm::LoadInst* find_frames(llvm::Function& function) {
  for (auto& instruction : llvm::instructions(function))
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        load != nullptr && is_frames_of_worker(*load))
      return load;
  return nullptr;
}

// Code that was made uses the pointer to frames, wherever it was loaded.
void hoist_frames(llvm::LoadInst& frames) {
  auto& function = *frames.getFunction();
  llvm::APInt offset(64, 0);
  auto* worker = frames.getPointerOperand()->stripAndAccumulateConstantOffsets(
      function.getParent()->getDataLayout(), offset, true);
  auto* end = function.getEntryBlock().getTerminator();
  llvm::IRBuilder<> builder(end);
  frames.setOperand(
      0, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), worker, offset.getZExtValue()));
  frames.moveBefore(end->getIterator());
}

// Whether the loop is over groups, at whose ends local memory is dead.
bool is_over_groups(const llvm::Loop& loop) {
  return llvm::any_of(loop.getHeader()->phis(), [](const llvm::PHINode& phi) {
    return llvm::any_of(phi.incoming_values(), [](const llvm::Value* value) {
      const auto* argument = llvm::dyn_cast<llvm::Argument>(value);
      return argument != nullptr && argument->getArgNo() == kFirstGroupArgument;
    });
  });
}

// Values of the loop are used outside of it by phis of its exits only.
bool is_closed(const llvm::Loop& loop) {
  for (auto* block : loop.blocks())
    for (const auto& instruction : *block)
      for (const auto& use : instruction.uses()) {
        const auto& user = *llvm::cast<llvm::Instruction>(use.getUser());
        const auto* phi = llvm::dyn_cast<llvm::PHINode>(&user);
        if (!loop.contains(phi != nullptr ? phi->getIncomingBlock(use) : user.getParent()))
          return false;
      }
  return true;
}

struct Start {
  llvm::BasicBlock* from;
  llvm::BasicBlock* to;
  bool begins_undefined; // nothing was stored in local memory before
};

class Promotion {
 public:
  Promotion(llvm::Function& function, llvm::FunctionAnalysisManager& analyses,
            const Compilation& compilation)
      : function_(function), register_bits_(compilation.target_info.vector_bits),
        most_copied_(compilation.build.request.specialization.has_long_code ? kMaxCopied
                                                                            : kMaxCopiedAtFirst),
        is_forced_(compilation.build.request.force_promotion != 0),
        loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
        dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
        post_dominators_(analyses.getResult<llvm::PostDominatorTreeAnalysis>(function)),
        frames_(find_frames(function)) {}

  // The instructions of a group; 0: nothing was changed.
  unsigned run() {
    for (auto* groups : loops_)
      if (is_over_groups(*groups) && groups->getLoopLatch() != nullptr && is_closed(*groups) &&
          promote(*groups))
        return copied_;
    return 0;
  }
  bool is_whole() const { return is_whole_; }
  // Whether more would be promoted with Specialization::has_long_code.
  bool may_be_longer() const { return may_be_longer_; }

 private:
  bool promote(const llvm::Loop& groups) {
    auto* header = groups.getHeader();
    llvm::SmallVector<Start, 8> starts{{header, header, true}};
    for (unsigned i = 0; i < starts.size() && i < kMaxStarts; ++i) {
      const auto start = starts[i];
      GroupTrace trace(function_, dominators_, post_dominators_, frames_,
                       {register_bits_, kMaxExecuted - executed_, most_copied_},
                       start.begins_undefined);
      const bool is_possible = trace.follow(start.from, start.to, groups.getLoopLatch());
      executed_ += trace.executed();
      may_be_longer_ |= trace.is_too_long() && most_copied_ < kMaxCopied;
      if (!is_possible) {
        add_later_starts(groups, trace, start.begins_undefined, starts);
        continue;
      }
      if (!is_worth_it(trace))
        continue;
      copied_ = trace.copied();
      is_whole_ = i == 0;
      trace.take_edge(start.from, start.to, groups.getLoopLatch());
      if (frames_ != nullptr)
        hoist_frames(*frames_);
      return true;
    }
    return false;
  }

  // Whether there are several steps, each of which loads what the one before has stored; or loads
  // of elements apart, for which shuffles of what was stored are faster than a load for each.
  bool is_worth_it(const GroupTrace& trace) const {
    const auto& memory = trace.memory();
    const auto loads = memory.loaded_lanes() / (register_bits_ / kTypicalBits);
    if (is_forced_)
      return memory.loaded_lanes() != 0;
    const bool gathers = memory.gathered_lanes() != 0 &&
                         memory.gathered_lanes() * kMaxLoadedLanes >= memory.loaded_lanes();
    return (memory.depth() >= kLeastDepth || gathers) &&
           memory.shuffles() <= loads * kMaxShufflesOfALoad;
  }

  // Behind the branch that stopped the trace, or behind the loop that this is in.
  void add_later_starts(const llvm::Loop& groups, const GroupTrace& trace, bool begins_undefined,
                        llvm::SmallVectorImpl<Start>& starts) {
    auto* block = trace.stopped_at();
    auto* loop = loops_.getLoopFor(block);
    if (loop == nullptr || !groups.contains(loop))
      return;
    llvm::SmallVector<llvm::Loop::Edge, 4> edges;
    if (loop == &groups) {
      for (auto* next : llvm::successors(block))
        edges.emplace_back(block, next);
    } else {
      while (loop->getParentLoop() != &groups)
        loop = loop->getParentLoop();
      loop->getExitEdges(edges);
    }
    for (const auto& [from, to] : edges)
      if (groups.contains(to) && to != groups.getHeader() &&
          llvm::none_of(starts, [&, from = from, to = to](const Start& start) {
            return start.from == from && start.to == to;
          }))
        starts.push_back(
            {from, to, begins_undefined && loop == &groups && trace.memory().is_untouched()});
  }

  llvm::Function& function_;
  const unsigned register_bits_;
  const unsigned most_copied_;
  const bool is_forced_;
  llvm::LoopInfo& loops_;
  const llvm::DominatorTree& dominators_;
  const llvm::PostDominatorTree& post_dominators_;
  llvm::LoadInst* frames_;
  unsigned executed_ = 0; // at compile time
  unsigned copied_ = 0;
  bool is_whole_ = false;
  bool may_be_longer_ = false;
};

} // namespace

bool may_promote_local_memory(const Kernel& kernel) {
  const auto& metadata = kernel.metadata;
  return !kernel.has_local_shadow && metadata.has_barrier && kernel.regions.are_used &&
         metadata.vector_width != 1 && kernel.local_size[0] != 0 &&
         (metadata.local_bytes != 0 ||
          llvm::any_of(metadata.arguments, [](const KernelArgument& argument) {
            return argument.kind == ArgumentKind::local_pointer;
          }));
}

llvm::PreservedAnalyses DeferGathersPass::run(llvm::Module& /*module*/,
                                              llvm::ModuleAnalysisManager& /*analyses*/) {
  for (auto& kernel : compilation_.kernels)
    if (may_promote_local_memory(kernel)) {
      if (kernel.entry != nullptr)
        kernel.entry->addFnAttr(kDefersGathersAttribute);
      for (const auto& variant : kernel.variants)
        variant.function->addFnAttr(kDefersGathersAttribute);
    }
  return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses PromoteLocalMemoryPass::run(llvm::Function& function,
                                                    llvm::FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(kDefersGathersAttribute) || !is_candidate(function))
    return llvm::PreservedAnalyses::all();
  Promotion promotion(function, analyses, compilation_);
  const auto instructions = promotion.run();
  for (auto& kernel : compilation_.kernels)
    if (kernel.entry == &function) {
      kernel.report.promoted_instructions = instructions;
      kernel.report.is_wholly_promoted = promotion.is_whole();
      kernel.metadata.may_have_long_code = promotion.may_be_longer();
    }
  if (instructions == 0)
    return llvm::PreservedAnalyses::all();
  llvm::removeUnreachableBlocks(function);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
