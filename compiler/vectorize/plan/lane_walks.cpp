// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/plan/lane_walks.h"

#include "compiler/ir/bounds_check.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/analysis/lane_access.h"
#include "compiler/vectorize/analysis/steps.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <cstdlib>

namespace heddle::compiler {
namespace {

constexpr std::int64_t kLine = 64;
constexpr std::int64_t kGathered = 4; // bytes of the smallest elements that CPUs gather
constexpr unsigned kMaxLoops = 8;
constexpr unsigned kFarStore = 2; // accesses that take as long
// Instructions for all lanes at once that take as long as an access of few lanes saves.
constexpr unsigned kSharedInstructions = 32;

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

// Whether the loop goes on until it has loaded something: it waits for each load then, and more
// lanes wait at once.
bool searches(const llvm::Loop& loop) {
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  llvm::SmallVector<const llvm::Value*, 16> left;
  for (const auto* block : exiting)
    left.append(block->getTerminator()->op_begin(), block->getTerminator()->op_end());
  llvm::SmallPtrSet<const llvm::Value*, 32> seen;
  while (!left.empty()) {
    const auto* value = llvm::dyn_cast<llvm::Instruction>(left.pop_back_val());
    if (value == nullptr || !loop.contains(value) || !seen.insert(value).second)
      continue;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
        load != nullptr && !loop.isLoopInvariant(load->getPointerOperand()))
      return true;
    left.append(value->op_begin(), value->op_end());
  }
  return false;
}

// Whether iterations depend on each other by nothing but counters, as far as registers tell, and
// each instruction has a vector form: no calls, no tables. Not if the loop may be left in several
// places.
bool has_independent_iterations(const llvm::Loop& loop, const Steps& iterations) {
  return loop.getExitingBlock() != nullptr &&
         llvm::all_of(loop.getHeader()->phis(),
                      [&](const llvm::PHINode& phi) {
                        return iterations.of(phi).kind == Step::Kind::constant;
                      }) &&
         llvm::all_of(loop.blocks(), [&](const llvm::BasicBlock* block) {
           return llvm::all_of(*block, [&](const llvm::Instruction& instruction) {
             if (const auto* address = llvm::getLoadStorePointerOperand(&instruction))
               return !instruction.isAtomic() && !instruction.isVolatile() &&
                      iterations.of(*address).kind == Step::Kind::constant;
             return llvm::isa<llvm::CallBase>(instruction)
                        ? llvm::isa<llvm::IntrinsicInst>(instruction) ||
                              is_bounds_check(instruction)
                        : !instruction.mayReadOrWriteMemory();
           });
         });
}

// Whether the values are the same, or the same computation in two blocks.
bool are_equal(const llvm::Value& a, const llvm::Value& b, unsigned depth = 0) {
  constexpr unsigned kMaxDepth = 4;
  const auto* first = llvm::dyn_cast<llvm::Instruction>(&a);
  const auto* second = llvm::dyn_cast<llvm::Instruction>(&b);
  if (&a == &b || first == nullptr || second == nullptr)
    return &a == &b;
  return depth < kMaxDepth && first->isSameOperationAs(second) &&
         llvm::isa<llvm::GetElementPtrInst, llvm::BinaryOperator, llvm::CastInst>(first) &&
         llvm::all_of_zip(first->operands(), second->operands(),
                          [&](const llvm::Use& one, const llvm::Use& other) {
                            return are_equal(*one, *other, depth + 1);
                          });
}

// Whether the loop may load what an earlier iteration stored: other addresses of the same memory.
bool may_load_what_it_stored(const llvm::Loop& loop) {
  llvm::SmallVector<const llvm::Value*, 16> loaded, stored;
  for (const auto* block : loop.blocks())
    for (const auto& instruction : *block)
      if (const auto* address = llvm::getLoadStorePointerOperand(&instruction))
        (llvm::isa<llvm::StoreInst>(instruction) ? stored : loaded).push_back(address);
  return llvm::any_of(stored, [&](const llvm::Value* store) {
    const auto* memory = llvm::getUnderlyingObject(store);
    return llvm::any_of(loaded, [&](const llvm::Value* load) {
      return llvm::getUnderlyingObject(load) == memory && !are_equal(*load, *store);
    });
  });
}

// Whether accesses are to the next element in each iteration, or load the same one.
bool has_consecutive_iterations(const llvm::Loop& loop, const Steps& iterations,
                                const llvm::DataLayout& layout) {
  return llvm::all_of(loop.blocks(), [&](const llvm::BasicBlock* block) {
    return llvm::all_of(*block, [&](const llvm::Instruction& instruction) {
      const auto* address = llvm::getLoadStorePointerOperand(&instruction);
      if (address == nullptr)
        return true;
      const auto step = iterations.of(*address);
      const auto bytes = layout.getTypeStoreSize(llvm::getLoadStoreType(&instruction));
      return step.kind == Step::Kind::constant &&
             (step.size == 0 ? llvm::isa<llvm::LoadInst>(instruction)
                             : std::abs(step.size) == static_cast<std::int64_t>(bytes));
    });
  });
}

// An access whose address is not the same for all lanes.
struct Access {
  const llvm::Instruction* instruction = nullptr;
  Step lane, iteration;
  std::int64_t bytes = 0;

  bool is_far() const {
    return lane.kind == Step::Kind::varying || std::abs(lane.size) > kMaxInterleaveFactor * bytes;
  }
};

// The accesses of a loop, and how many instructions compute what is the same for all lanes.
struct LoopAccesses {
  LoopAccesses(const llvm::Function& kernel, const llvm::Loop& loop, const Steps& lanes) {
    const Steps iterations(kernel, loop);
    const auto& layout = kernel.getParent()->getDataLayout();
    are_independent = has_independent_iterations(loop, iterations);
    are_consecutive =
        has_consecutive_iterations(loop, iterations, layout) && !may_load_what_it_stored(loop);
    for (const auto* block : loop.blocks())
      for (const auto& instruction : *block) {
        const auto* address = llvm::getLoadStorePointerOperand(&instruction);
        if (address == nullptr) {
          for_all_lanes += !instruction.getType()->isVoidTy() && lanes.of(instruction).is_uniform();
        } else if (const auto lane = lanes.of(*address); !lane.is_uniform()) {
          auto* type = llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&instruction));
          accesses.push_back({&instruction, lane, iterations.of(*address),
                              static_cast<std::int64_t>(layout.getTypeStoreSize(type))});
        }
      }
  }

  // Whether the next iterations need the same cache line, or this one all of it.
  bool is_close(const Access& access) const {
    if (access.iteration.kind != Step::Kind::constant || access.iteration.size == 0)
      return false;
    std::int64_t bytes = 0;
    for (const auto& other : accesses)
      if (other.lane == access.lane && other.iteration == access.iteration)
        bytes += other.bytes;
    return std::abs(access.iteration.size) < std::max(kLine, bytes + 1);
  }

  llvm::SmallVector<Access, 16> accesses;
  unsigned for_all_lanes = 0;
  bool are_independent = false, are_consecutive = false; // the iterations
};

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
  const Steps rows(kernel, *work_item_params(kernel).local_id[1]);
  unsigned along_rows = 0, down_columns = 0, in_place = 0, others = 0, for_all_lanes = 0;
  bool has_search = false, has_load = false;
  walks.are_shared = walks.are_independent = walks.are_consecutive = true;
  for (const auto* loop : walks.loops) {
    has_search |= searches(*loop);
    const LoopAccesses found(kernel, *loop, lanes);
    for_all_lanes += found.for_all_lanes;
    walks.are_independent &= found.are_independent;
    walks.are_consecutive &= found.are_consecutive;
    for (const auto& access : found.accesses) {
      const auto& [instruction, lane, iteration, bytes] = access;
      const bool is_close = found.is_close(access);
      has_load |= llvm::isa<llvm::LoadInst>(instruction);
      if (access.is_far() && is_close) {
        along_rows += stores_far_apart(*instruction, lane) ? kFarStore : 1;
        walks.are_shared &= bytes >= kGathered &&
                            rows.of(*llvm::getLoadStorePointerOperand(instruction)).is_uniform();
      } else if (!iteration.is_uniform() && stores_far_apart(*instruction, lane)) {
        along_rows += kFarStore;
        walks.are_shared = false;
      } else if (iteration.is_uniform()) {
        ++in_place;
      } else if (!access.is_far() && std::abs(lane.size) == bytes && !is_close) {
        ++down_columns;
        walks.column_bytes = std::max(walks.column_bytes, static_cast<unsigned>(bytes));
      } else {
        ++others;
      }
    }
  }
  walks.are_along_rows = !has_search && along_rows > down_columns + in_place + others &&
                         for_all_lanes < kSharedInstructions * along_rows;
  walks.are_shared &= walks.are_along_rows;
  walks.are_independent &= has_load;
  if (down_columns <= along_rows + others)
    walks.column_bytes = 0;
  return walks;
}

} // namespace heddle::compiler
