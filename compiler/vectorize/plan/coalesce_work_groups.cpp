// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/plan/coalesce_work_groups.h"

#include "compiler/vectorize/analysis/global_id_uses.h"
#include "compiler/vectorize/analysis/independent_groups.h"
#include "compiler/vectorize/plan/loop_cost_model.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace heddle::compiler {

GroupCoalescing choose_group_coalescing(const Kernel& kernel, unsigned dimension) {
  auto& body = *kernel.body;
  if (!has_independent_groups(kernel))
    return GroupCoalescing::none;
  const auto params = work_item_params(body);
  const GlobalIdUses ids(params, kernel.local_size[dimension], dimension);
  const bool is_known = dimension == 0 && kernel.launch.has_global_ids_only;
  if (!is_known && !(ids.has_global_ids_only() && ids.hides_group()))
    return GroupCoalescing::none;
  // The rows of a group may access the same memory in their loops: then locality is better if a
  // group finishes before the next one starts.
  const llvm::DominatorTree dominators(body);
  const llvm::LoopInfo loops(dominators);
  return accesses_memory_in_loops(body, loops) ? GroupCoalescing::single_rows
                                               : GroupCoalescing::all;
}

} // namespace heddle::compiler
