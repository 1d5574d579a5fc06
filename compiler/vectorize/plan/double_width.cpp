// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/plan/double_width.h"

#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/analysis/register_pressure.h"
#include "compiler/vectorize/plan/loop_cost_model.h"
#include "llvm/IR/InstIterator.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kMaxInstructions = 1500;

// Groups of kernels in several dimensions are often narrow, unless neighboring ones run as one row.
bool may_have_narrow_rows(const Kernel& description, unsigned width) {
  const auto& kernel = *description.body;
  if (const auto& size = description.metadata.required_group_size; size[0] != 0)
    return description.launch.coalescing != GroupCoalescing::all &&
           !(description.launch.coalescing == GroupCoalescing::single_rows &&
             size[1] * size[2] == 1) &&
           size[0] % width != 0;
  const auto params = work_item_params(const_cast<llvm::Function&>(kernel));
  return !params.local_id[1]->use_empty() || !params.local_id[2]->use_empty();
}

// Scalarized instructions gain nothing.
bool has_scalarized_access(const llvm::Function& kernel) {
  return llvm::any_of(llvm::instructions(kernel), [](const llvm::Instruction& instruction) {
    return instruction.isAtomic() || instruction.isVolatile();
  });
}

bool has_divergent_loop(const Analyses& analyses) {
  return llvm::any_of(analyses.loops.getLoopsInPreorder(), [&](const llvm::Loop* loop) {
    return has_divergent_exit(*loop, analyses.shapes);
  });
}

} // namespace

bool should_double_width(const Kernel& description, const Analyses& analyses,
                         const TargetInfo& target, unsigned width) {
  const auto& kernel = *description.body;
  if (kernel.getInstructionCount() > kMaxInstructions || width * 2 > kMaxWidth ||
      has_scalarized_access(kernel) ||
      calls_subgroup_intrinsics(kernel)) // shuffles of one register are one instruction
    return false;
  const bool waits_in_coalesced_groups =
      description.launch.coalescing != GroupCoalescing::none && !has_divergent_loop(analyses) &&
      waits_for_results(analyses.shapes, analyses.loops, width, target.vector_bits);
  if (may_have_narrow_rows(description, width * 2) && !waits_in_coalesced_groups)
    return false;
  const auto registers = target.vector_registers;
  // The remaining registers are for masks, constants and temporaries.
  return estimate_register_pressure(kernel, analyses.shapes, width, 1, target.vector_bits) * 5 <=
         registers * 2;
}

} // namespace heddle::compiler
