// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/plan/memory_streams.h"

#include "compiler/vectorize/analysis/lane_access.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <algorithm>

namespace heddle::compiler {
namespace {

constexpr std::uint64_t kPage = 4096; // prefetchers do not leave it

// Starts of what was accessed, by what they are computed from.
class Streams {
 public:
  explicit Streams(const llvm::DataLayout& layout) : layout_(layout) {}

  void add(const llvm::Value& address, std::size_t places) {
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(address.getType()), 0);
    const auto* base = address.stripAndAccumulateConstantOffsets(layout_, offset, true);
    auto& starts = starts_[base];
    const auto start = static_cast<std::uint64_t>(offset.getSExtValue());
    if (llvm::all_of(starts, [&](std::uint64_t other) {
          return other - start >= kPage && start - other >= kPage;
        })) {
      starts.push_back(start);
      count_ += places;
    }
  }
  std::size_t count() const { return count_; }

 private:
  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::Value*, llvm::SmallVector<std::uint64_t, 16>> starts_;
  std::size_t count_ = 0;
};

// How often loops go on to another place.
class PlacesInLoops {
 public:
  PlacesInLoops(llvm::Function& kernel, const Analyses& analyses)
      : library_of_(llvm::Triple(kernel.getParent()->getTargetTriple())),
        library_(library_of_, &kernel), assumptions_(kernel),
        evolution_(kernel, library_, assumptions_,
                   const_cast<llvm::DominatorTree&>(analyses.dominators),
                   const_cast<llvm::LoopInfo&>(analyses.loops)),
        loops_(analyses.loops) {}

  // How often a block is executed, as far as trip counts are constant.
  std::size_t executions(const llvm::BasicBlock& block) {
    std::size_t count = 1;
    for (const auto* loop = loops_.getLoopFor(&block); loop; loop = loop->getParentLoop())
      count *= std::max(evolution_.getSmallConstantTripCount(loop), 1U);
    return count;
  }

  // The places that an access goes to; 0 if that is unknown.
  std::size_t count(const llvm::BasicBlock& block, llvm::Value& address) {
    std::size_t places = 1;
    for (const auto* loop = loops_.getLoopFor(&block); loop; loop = loop->getParentLoop())
      if (is_elsewhere_in_each_iteration(address, *loop))
        places *= evolution_.getSmallConstantTripCount(loop);
    return places;
  }

 private:
  bool is_elsewhere_in_each_iteration(llvm::Value& address, const llvm::Loop& loop) {
    const auto* place = evolution_.getSCEVAtScope(&address, &loop);
    if (evolution_.isLoopInvariant(place, &loop))
      return false;
    const auto* walk = llvm::dyn_cast<llvm::SCEVAddRecExpr>(place);
    const auto* step =
        walk == nullptr || walk->getLoop() != &loop
            ? nullptr
            : llvm::dyn_cast<llvm::SCEVConstant>(walk->getStepRecurrence(evolution_));
    return step == nullptr || step->getAPInt().abs().uge(kPage);
  }

  llvm::TargetLibraryInfoImpl library_of_;
  llvm::TargetLibraryInfo library_;
  llvm::AssumptionCache assumptions_;
  llvm::ScalarEvolution evolution_;
  const llvm::LoopInfo& loops_;
};

} // namespace

std::optional<MemoryStreams> find_memory_streams(llvm::Function& kernel, const Analyses& analyses) {
  const auto& layout = kernel.getParent()->getDataLayout();
  const auto& shapes = analyses.shapes;
  PlacesInLoops places_in_loops(kernel, analyses);
  Streams loads(layout), stores(layout);
  std::size_t instructions = 0;
  for (auto& block : kernel) {
    const auto executions = places_in_loops.executions(block);
    for (auto& instruction : block) {
      instructions += shapes.is_uniform(instruction) ? 0 : executions;
      auto* address = llvm::getLoadStorePointerOperand(&instruction);
      if (address == nullptr)
        continue;
      const auto access = lane_access(instruction, shapes);
      if (access.kind == LaneAccess::Kind::uniform)
        continue;
      const auto places = places_in_loops.count(block, *address);
      if (places == 0 || !access.is_consecutive())
        return std::nullopt;
      (llvm::isa<llvm::StoreInst>(instruction) ? stores : loads).add(*address, places);
    }
  }
  return MemoryStreams{loads.count(), stores.count(), instructions};
}

} // namespace heddle::compiler
