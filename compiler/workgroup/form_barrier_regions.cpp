// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/workgroup/form_barrier_regions.h"

#include "compiler/lower/lower_barriers.h"
#include "compiler/workgroup/leader_only_variant.h"
#include "compiler/workgroup/region_splitter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"

namespace heddle::compiler {
namespace {

// Regions get loops of their own up to so many regions, and so many instructions times lanes.
constexpr unsigned kMaxSeparateRegions = 64;
constexpr std::size_t kMaxSeparateInstructions = 32'000;

void form_barrier_regions(Kernel& kernel) {
  auto& regions = kernel.regions;
  auto& variants = kernel.variants;
  regions.has_separate_loops = regions.count <= kMaxSeparateRegions;
  std::vector<llvm::SmallVector<std::optional<unsigned>, 4>> successors(regions.count);
  std::vector<std::pair<VariantKind, std::unique_ptr<RegionSplitter>>> splitters;
  regions.is_convergent = true;
  if (variants.has(VariantKind::whole) && !variants.has(VariantKind::block))
    make_leader_only_variant(kernel);
  for (const auto kind : {VariantKind::whole, VariantKind::scalar, VariantKind::tail,
                          VariantKind::crossing, VariantKind::block}) {
    auto* variant = variants.find(kind);
    if (variant == nullptr)
      continue;
    splitters.emplace_back(kind, std::make_unique<RegionSplitter>(*variant, is_masked(kind)));
    regions.is_convergent &= splitters.back().second->is_convergent();
  }
  regions.is_uniform.assign(regions.count, regions.is_convergent);
  for (auto& [kind, splitter] : splitters) {
    variants.set(kind, splitter->run(regions.is_convergent));
    // The sub-groups of a block share the frames of its rows.
    const auto rows = kind == VariantKind::block ? kernel.metadata.row_interleave : 1;
    kernel.metadata.frame_bytes = std::max(
        kernel.metadata.frame_bytes, llvm::alignTo(splitter->frame_bytes(), rows * 64) / rows);
    regions.uniform_bytes = std::max(regions.uniform_bytes, splitter->uniform_bytes());
    regions.has_separate_loops &=
        splitter->separate_size() * kernel.metadata.vector_width <= kMaxSeparateInstructions;
    for (const auto& [region, successor] : splitter->unique_successors())
      successors[region].push_back(successor);
    if (regions.is_convergent)
      for (const auto& [region, is_uniform] : splitter->uniform_regions())
        regions.is_uniform[region] = regions.is_uniform[region] && is_uniform;
  }
  for (const auto& found : successors) // by variant
    regions.unique_successors.push_back(!found.empty() && llvm::all_equal(found) ? found.front()
                                                                                 : std::nullopt);
}

} // namespace

void number_barriers(Kernel& kernel) {
  auto& context = kernel.body->getContext();
  auto& count = kernel.regions.count;
  count = 1;
  for (auto& instruction : llvm::instructions(*kernel.body)) {
    if (!is_barrier(instruction))
      continue;
    auto* number = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), count++);
    instruction.setMetadata(kRegionNumber,
                            llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(number)));
  }
}

llvm::PreservedAnalyses
FormBarrierRegionsPass::run_on_kernel(Kernel& kernel, llvm::FunctionAnalysisManager& /*analyses*/) {
  if (kernel.regions.are_used)
    form_barrier_regions(kernel);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
