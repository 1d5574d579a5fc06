// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/plan/own_rows.h"

#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/analysis/steps.h"
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

} // namespace

OwnRows find_own_rows(llvm::Function& kernel, const llvm::LoopInfo& loops) {
  llvm::SmallVector<const llvm::Loop*, 8> innermost;
  unsigned depth = 0;
  for (const auto* loop : const_cast<llvm::LoopInfo&>(loops).getLoopsInPreorder())
    if (loop->isInnermost() && loop->getLoopDepth() >= depth) {
      if (loop->getLoopDepth() > depth)
        innermost.clear();
      depth = loop->getLoopDepth();
      innermost.push_back(loop);
    }
  if (innermost.empty() || innermost.size() > kMaxLoops)
    return {};
  const auto& layout = kernel.getParent()->getDataLayout();
  const Steps lanes(kernel, *work_item_params(kernel).local_id[0]);
  const Steps rows(kernel, *work_item_params(kernel).local_id[1]);
  unsigned own = 0, others = 0;
  bool are_shared = true;
  for (const auto* loop : innermost) {
    const auto* counter = counter_of(*loop);
    if (counter == nullptr)
      return {};
    const Steps iterations(kernel, *counter);
    for (const auto* block : loop->blocks())
      for (const auto& instruction : *block) {
        const auto* address = llvm::getLoadStorePointerOperand(&instruction);
        if (address == nullptr)
          continue;
        const auto lane = lanes.of(*address), iteration = iterations.of(*address);
        if (lane.is_uniform())
          continue;
        auto* type = llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&instruction));
        const auto bytes = static_cast<std::int64_t>(layout.getTypeStoreSize(type).getFixedValue());
        const bool is_far = lane.kind == Step::Kind::varying || std::abs(lane.size) > kNear * bytes;
        const bool is_close = iteration.kind == Step::Kind::constant && iteration.size != 0 &&
                              std::abs(iteration.size) < kLine;
        const bool is_own = is_far && is_close;
        ++(is_own ? own : others);
        are_shared =
            are_shared && (!is_own || (bytes >= kGathered && rows.of(*address).is_uniform()));
      }
  }
  return {own > others, own > others && are_shared};
}

} // namespace heddle::compiler
