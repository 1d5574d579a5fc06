// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/vectorization_plan.h"

namespace heddle::compiler {

bool has_variant(const Kernel& kernel, VariantKind kind) {
  switch (kind) {
  case VariantKind::crossing:
    return kernel.launch.widest_crossed_row != 0;
  case VariantKind::block:
    return kernel.metadata.row_interleave > 1;
  case VariantKind::tail:
  case VariantKind::whole:
    return true;
  case VariantKind::scalar: // emitted where there is no vector variant
  case VariantKind::leader: // derived from `whole` when the kernel is split at barriers
    break;
  }
  return false;
}

VectorPlan body_plan(const Kernel& kernel) {
  VectorPlan plan;
  static_cast<AccessForms&>(plan) = *kernel.plan;
  plan.width = kernel.plan->width.width;
  // The sub-group that executes redistributed loops for all others must not continue in another
  // variant.
  plan.exact_ids = !kernel.plan->redistributed.loops.empty();
  plan.rows = kernel.metadata.row_interleave;
  if (kernel.specialization.has_small_ids)
    plan.groups_of_small_ids = kernel.local_size;
  return plan;
}

VectorPlan variant_plan(const Kernel& kernel, const VariantSpec& spec) {
  auto plan = body_plan(kernel);
  plan.mapping = spec.mapping;
  plan.masked = is_masked(spec.kind);
  if (spec.kind == VariantKind::crossing)
    plan.exact_ids = true;
  else if (spec.kind == VariantKind::tail)
    plan.exact_ids = kernel.launch.tail_is_exact;
  if (spec.kind != VariantKind::block)
    plan.rows = 1;
  return plan;
}

} // namespace heddle::compiler
