// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emit_variants.h"

#include "compiler/ir/recover_kernels.h"
#include "compiler/vectorize/analysis/analyses.h"
#include "compiler/vectorize/emit/code_limits.h"
#include "compiler/vectorize/emit/emitter.h"
#include "compiler/vectorize/transform/canonicalize.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace heddle::compiler {
namespace {

// Region formation splits a clone of the body: a sub-group of one work-item.
void clone_scalar_variant(Kernel& kernel) {
  auto& body = *kernel.body;
  copy_written_parameters(body);
  llvm::ValueToValueMapTy values;
  auto* item = llvm::CloneFunction(&body, values);
  item->setName(kernel.metadata.name + ".item");
  item->setLinkage(llvm::GlobalValue::InternalLinkage);
  item->addFnAttr(llvm::Attribute::AlwaysInline);
  for (auto& parameter : item->args())
    parameter.removeAttr(llvm::Attribute::ByVal);
  kernel.variants.set(VariantKind::scalar, item);
}

// The variant that takes a sub-group for which a guard or a check at the start fails; null: none
// may.
llvm::Function* fallback_of(const Kernel& kernel, VariantKind kind) {
  const bool may_restart = kind == VariantKind::whole || kind == VariantKind::block;
  return may_restart && !kernel.regions.are_used && kernel.plan->redistributed.loops.empty()
             ? kernel.variant(VariantKind::tail)
             : nullptr;
}

// Whole, block, tail, crossing: the order in which one reads them.
void order_variants(Kernel& kernel) {
  auto* tail = kernel.variant(VariantKind::tail);
  auto& functions = tail->getParent()->getFunctionList();
  for (const auto kind : {VariantKind::whole, VariantKind::block})
    if (auto* variant = kernel.variant(kind))
      functions.splice(tail->getIterator(), functions, variant->getIterator());
  if (auto* crossing = kernel.variant(VariantKind::crossing))
    functions.splice(std::next(tail->getIterator()), functions, crossing->getIterator());
}

// Whether there are groups that `whole` and `block` do not run completely, or sub-groups that they
// leave to `tail`.
bool needs_tail(const Kernel& kernel) {
  const auto& metadata = kernel.metadata;
  return !kernel.specialization.has_whole_groups || !kernel.launch.id_bases.empty() ||
         kernel.local_size[0] % metadata.vector_width != 0 ||
         (metadata.has_barrier && !kernel.regions.are_used) ||
         !kernel.variant(VariantKind::tail)->use_empty();
}

// The tail variant is rarely called as a fallback: it is not inlined there.
void keep_tail_out_of_line(Kernel& kernel) {
  auto* tail = kernel.variant(VariantKind::tail);
  if (tail->use_empty())
    return;
  tail->removeFnAttr(llvm::Attribute::AlwaysInline);
  tail->addFnAttr(llvm::Attribute::NoInline);
}

void tag(const Kernel& kernel) {
  for (const auto& [kind, function] : kernel.variants) {
    function->addFnAttr(kKernelAttribute, kernel.metadata.name);
    function->addFnAttr(
        kVariantAttribute,
        (variant_name(kind) + " " + llvm::Twine(kernel.metadata.vector_width)).str());
  }
}

} // namespace

void EmitVariantsPass::emit(Kernel& kernel, const VariantSpec& spec) {
  auto& body = *kernel.body;
  auto& build = compilation_.build;
  const auto plan = variant_plan(kernel, spec);
  Analyses now(body, plan);
  add_id_bases(kernel.launch.id_bases, now.shapes.id_bases());
  build.timer.mark("lane-shapes");
  const Linearization order(body, now.shapes, now.loops, now.dominators);
  build.timer.mark("linearization");
  // The other variants have the same remarks.
  auto* remarks = spec.kind == VariantKind::whole ? &kernel.report.remarks : nullptr;
  auto* variant =
      Emitter({body, plan, now.shapes, order, now.loops, remarks, fallback_of(kernel, spec.kind)})
          .run(kernel.metadata.name + spec.suffix);
  if (const auto excess = find_excess(kernel, plan, *variant))
    compilation_.excess[kernel.metadata.name] = *excess;
  kernel.variants.set(spec.kind, variant);
}

llvm::PreservedAnalyses
EmitVariantsPass::run_on_kernel(Kernel& kernel, llvm::FunctionAnalysisManager& /*analyses*/) {
  const bool is_last = !stage_ || *stage_ == BodyStage::peeled;
  if (!kernel.plan->is_vectorized()) {
    if (is_last && kernel.regions.are_used)
      clone_scalar_variant(kernel);
    return llvm::PreservedAnalyses::none();
  }
  for (const auto& spec : kVariantSpecs)
    if ((!stage_ || spec.stage == *stage_) && has_variant(kernel, spec.kind) &&
        !compilation_.is_over())
      emit(kernel, spec);
  if (is_last && !compilation_.is_over()) {
    order_variants(kernel);
    if (needs_tail(kernel)) {
      keep_tail_out_of_line(kernel);
    } else {
      kernel.variant(VariantKind::tail)->eraseFromParent();
      kernel.variants.erase(VariantKind::tail);
    }
    tag(kernel);
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
