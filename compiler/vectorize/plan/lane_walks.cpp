// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/plan/lane_walks.h"

#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/analysis/steps.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

#include <cstdlib>

namespace heddle::compiler {
namespace {

constexpr std::int64_t kLine = 64;
constexpr std::int64_t kGathered = 4; // bytes of the smallest elements that CPUs gather
constexpr std::int64_t kNear = 4;     // elements from lane to lane that shuffles bring together
constexpr unsigned kMaxLoops = 8;
constexpr unsigned kFarStore = 2; // accesses that take as long
// Instructions for all lanes at once that take as long as an access of few lanes saves.
constexpr unsigned kSharedInstructions = 32;

// The phi that becomes one more in each iteration.
const llvm::PHINode* counter_of(const llvm::Loop& loop) {
  const auto* latch = loop.getLoopLatch();
  if (latch == nullptr)
    return nullptr;
  for (const auto& phi : loop.getHeader()->phis())
    if (llvm::PatternMatch::match(phi.getIncomingValueForBlock(latch),
                                  llvm::PatternMatch::m_Add(llvm::PatternMatch::m_Specific(&phi),
                                                            llvm::PatternMatch::m_One())))
      return &phi;
  return nullptr;
}

// Whether each lane stores to a cache line of its own.
bool stores_far_apart(const llvm::Instruction& instruction, const Step& lane) {
  return llvm::isa<llvm::StoreInst>(instruction) && !lane.is_uniform() &&
         (lane.kind == Step::Kind::varying || std::abs(lane.size) >= kLine);
}

bool mostly_stores_far_apart(const llvm::Function& kernel, const Steps& lanes) {
  unsigned far_stores = 0, others = 0;
  for (const auto& instruction : llvm::instructions(kernel))
    if (const auto* address = llvm::getLoadStorePointerOperand(&instruction)) {
      const auto lane = lanes.of(*address);
      if (stores_far_apart(instruction, lane))
        far_stores += kFarStore;
      else
        others += lane.is_uniform() ? 0 : 1;
    }
  return far_stores > others;
}

llvm::SmallVector<const llvm::Loop*, 8> most_deeply_nested(const llvm::LoopInfo& loops) {
  llvm::SmallVector<const llvm::Loop*, 8> innermost;
  unsigned depth = 0;
  for (const auto* loop : const_cast<llvm::LoopInfo&>(loops).getLoopsInPreorder())
    if (loop->isInnermost() && loop->getLoopDepth() >= depth) {
      if (loop->getLoopDepth() > depth)
        innermost.clear();
      depth = loop->getLoopDepth();
      innermost.push_back(loop);
    }
  return innermost;
}

} // namespace

LaneWalks find_lane_walks(llvm::Function& kernel, const llvm::LoopInfo& loops) {
  LaneWalks walks;
  walks.loops = most_deeply_nested(loops);
  const Steps lanes(kernel, *work_item_params(kernel).local_id[0]);
  if (walks.loops.empty()) {
    walks.are_along_rows = mostly_stores_far_apart(kernel, lanes);
    return walks;
  }
  if (walks.loops.size() > kMaxLoops)
    return {};
  const auto& layout = kernel.getParent()->getDataLayout();
  const Steps rows(kernel, *work_item_params(kernel).local_id[1]);
  unsigned along_rows = 0, down_columns = 0, in_place = 0, others = 0, for_all_lanes = 0;
  walks.are_shared = true;
  for (const auto* loop : walks.loops) {
    const auto* counter = counter_of(*loop);
    if (counter == nullptr)
      return {};
    const Steps iterations(kernel, *counter);
    for (const auto* block : loop->blocks())
      for (const auto& instruction : *block) {
        const auto* address = llvm::getLoadStorePointerOperand(&instruction);
        if (address == nullptr) {
          for_all_lanes += !instruction.getType()->isVoidTy() && lanes.of(instruction).is_uniform();
          continue;
        }
        const auto lane = lanes.of(*address), iteration = iterations.of(*address);
        if (lane.is_uniform())
          continue;
        auto* type = llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&instruction));
        const auto bytes = static_cast<std::int64_t>(layout.getTypeStoreSize(type).getFixedValue());
        const bool is_far = lane.kind == Step::Kind::varying || std::abs(lane.size) > kNear * bytes;
        const bool is_close = iteration.kind == Step::Kind::constant && iteration.size != 0 &&
                              std::abs(iteration.size) < kLine;
        if (is_far && is_close) {
          along_rows += stores_far_apart(instruction, lane) ? kFarStore : 1;
          walks.are_shared &= bytes >= kGathered && rows.of(*address).is_uniform();
        } else if (!iteration.is_uniform() && stores_far_apart(instruction, lane)) {
          along_rows += kFarStore;
          walks.are_shared = false;
        } else if (iteration.is_uniform()) {
          ++in_place;
        } else if (!is_far && std::abs(lane.size) == bytes && !is_close) {
          ++down_columns;
          walks.column_bytes = std::max(walks.column_bytes, static_cast<unsigned>(bytes));
        } else {
          ++others;
        }
      }
  }
  walks.are_along_rows = along_rows > down_columns + in_place + others &&
                         for_all_lanes < kSharedInstructions * along_rows;
  walks.are_shared &= walks.are_along_rows;
  if (down_columns <= along_rows + others)
    walks.column_bytes = 0;
  return walks;
}

} // namespace heddle::compiler
