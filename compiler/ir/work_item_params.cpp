// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/work_item_params.h"

#include "llvm/Support/ErrorHandling.h"

namespace heddle::compiler {

bool has_work_item_params(const llvm::Function& function) {
  return function.hasFnAttribute(kWorkItemParamsAttribute);
}

WorkItemParams work_item_params(llvm::Function& function) {
  if (!has_work_item_params(function))
    llvm::reportFatalUsageError(
        "'" + function.getName() +
        "' has no parameters for the work-item: add-work-item-params must run first");
  const auto after = function.hasFnAttribute(kRegionAttribute) ? kRegionParams : 0U;
  const auto first = static_cast<unsigned>(function.arg_size()) - kWorkItemParams - after;
  WorkItemParams state;
  state.group = function.getArg(first);
  for (unsigned i = 0; i < 3; ++i)
    state.local_id[i] = function.getArg(first + 1 + i);
  return state;
}

} // namespace heddle::compiler
