// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/ascending_bound.h"

#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/analysis/affine_id.h"

namespace heddle::compiler {

std::optional<UniformBound> ascending_bound(const llvm::Value& condition, bool is_met,
                                            const LaneShapes& shapes, llvm::Function& kernel) {
  const auto found = UniformBound::find(condition, is_met, shapes);
  if (!found || found->stride == 0)
    return std::nullopt;
  if (llvm::ICmpInst::isEquality(found->predicate))
    return found->predicate == llvm::ICmpInst::ICMP_EQ && found->stride == 1 ? found : std::nullopt;
  const bool is_signed = llvm::ICmpInst::isSigned(found->predicate);
  return shapes.never_wraps(*found->number, is_signed) ||
                 (!is_signed && is_plain_id(*found->number, work_item_params(kernel)))
             ? found
             : std::nullopt;
}

} // namespace heddle::compiler
