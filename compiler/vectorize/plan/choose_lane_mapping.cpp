// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/plan/choose_lane_mapping.h"

#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/plan/expected_executions.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

#include <limits>

namespace heddle::compiler {
namespace {

// If lanes cross rows, wide accesses become gathers and scatters; each takes as long as about this
// many additions that are left out. Rows of half a register and more leave out hardly any.
constexpr std::uint64_t kGatherCost = 16;
constexpr std::uint64_t kGatherCostOfHalves = 128;
// The same for a division, a remainder or a call.
constexpr std::uint64_t kSlowCost = 6;

bool is_slow(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::FDiv:
  case llvm::Instruction::FRem:
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv:
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem:
  case llvm::Instruction::Call:
    return true;
  default:
    return false;
  }
}

// Whether further executions of the body cost more than gathers and scatters do.
bool is_compute_bound(llvm::Function& kernel, std::uint64_t gather_cost = kGatherCost) {
  const llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  std::uint64_t compute = 0, memory = 0;
  for (const auto& block : kernel) {
    const auto frequency = expected_executions(loops, block);
    for (const auto& instruction : block) {
      if (const auto* pointer = llvm::getLoadStorePointerOperand(&instruction)) {
        if (!llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer)))
          memory += frequency;
      } else if (is_slow(instruction)) {
        compute += kSlowCost * frequency;
      } else if (llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CmpInst,
                           llvm::SelectInst>(instruction)) {
        compute += frequency;
      }
    }
  }
  return compute > gather_cost * memory;
}

} // namespace

void fit_width_to_group(const Kernel& kernel, WidthChoice& choice) {
  constexpr std::uint64_t kNarrowestRow = 4;
  const auto& size = kernel.local_size;
  const auto rows = size[1] * size[2];
  const auto coalescing = kernel.launch.coalescing;
  if (size[0] == 0 || choice.is_requested || coalescing == GroupCoalescing::all ||
      (coalescing == GroupCoalescing::single_rows && rows == 1) ||
      calls_subgroup_intrinsics(*kernel.body))
    return;
  auto fitting = llvm::bit_ceil(size[0] * rows);
  const bool are_halves = size[0] > 1 && size[0] * 2 >= choice.width;
  if ((are_halves || size[0] >= kNarrowestRow) &&
      !is_compute_bound(*kernel.body, are_halves ? kGatherCostOfHalves : kGatherCost))
    fitting = llvm::bit_ceil(size[0]);
  if (fitting >= choice.width)
    return;
  choice.width = static_cast<unsigned>(fitting);
  choice.reason += "; no more than its groups have side by side";
}

std::uint64_t choose_widest_crossed_row(const Kernel& kernel, bool is_first) {
  const auto& size = kernel.local_size;
  const std::uint64_t width = kernel.metadata.vector_width;
  // All sub-groups of a group but the last are full (OpenCL C 6.15.19), which programs that use
  // sub-groups may rely on.
  const bool shows_sub_groups = calls_subgroup_intrinsics(*kernel.body);
  if (size[0] != 0 && (size[0] % width == 0 || size[1] * size[2] == 1) &&
      !(shows_sub_groups && kernel.specialization.has_partial_groups()))
    return 0;
  if (shows_sub_groups)
    return std::numeric_limits<std::uint64_t>::max();
  // A group of one row needs no more than the variant `tail`, and kernels that do not use y and z
  // rarely have groups of several rows.
  const auto params = work_item_params(*kernel.body);
  if (size[0] == 0 && params.local_id[1]->use_empty() && params.local_id[2]->use_empty())
    return 0;
  const bool computes = is_compute_bound(*kernel.body);
  if (is_first && size[0] == 0 && !computes)
    return 0;
  const auto limit = computes ? width / 2 : width / 4;
  return size[0] <= limit ? limit : 0;
}

} // namespace heddle::compiler
