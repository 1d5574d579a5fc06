// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The decisions that are made for a kernel before its variants are emitted, and the results of the
// transforms of its body.
#pragma once

#include "compiler/ir/kernel.h"
#include "compiler/vectorize/analysis/plan.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/ValueHandle.h"

#include <string>

namespace heddle::compiler {

constexpr unsigned kMaxWidth = kLargestSubGroup;

struct WidthChoice {
  unsigned width = 1;        // a power of two from 1 to kMaxWidth
  std::string reason;        // part of a sentence of the build log
  bool is_requested = false; // by the user or the program
  bool is_fixed = false;     // another width is not worth trying, or not what the program requires
  bool has_own_vectors = false; // the kernel's vector types fill the registers of scalar code
  bool walks_own_rows = false;  // more lanes do not fit into the first-level cache
  bool is_doubled = false;      // the registers hold two for each value
  unsigned shared_lanes = 0;    // if rows are interleaved, which share what each lane walks through
};

struct RedistributedLoops {
  // By header: the condition, uniform in the group, under which the first sub-group of a row
  // executes all iterations and the others skip the loop.
  llvm::DenseMap<const llvm::BasicBlock*, llvm::Value*> loops;
  // Operands of these conditions: that a row has at least one full sub-group.
  llvm::SmallVector<llvm::Instruction*, 2> has_full_subgroup;
};

// A redistributed loop's copy for iterations in which all lanes are active.
struct UnmaskedLoop {
  llvm::WeakVH header;
  llvm::WeakTrackingVH limit; // of the index, which starts at the local id
  bool is_signed;
};
using UnmaskedLoops = llvm::SmallVector<UnmaskedLoop, 2>;

struct VectorizationPlan : AccessForms {
  WidthChoice width; // 1: the kernel stays scalar
  // The body starts with guards that UniformizeGuardsPass makes uniform.
  bool has_guards = false;
  // Set by RedistributeGroupLoopsPass and PeelMaskedRemainderPass.
  RedistributedLoops redistributed;
  UnmaskedLoops unmasked_loops;

  bool is_vectorized() const { return width.width != 1; }
};

// The stages of the body between which variants are emitted, in order.
enum class BodyStage : std::uint8_t {
  canonical,     // as CanonicalizePass leaves it
  redistributed, // after RedistributeGroupLoopsPass
  peeled,        // after the transforms for sub-groups whose lanes are all active
};

// The variants that a kernel gets, in the order in which they are emitted.
struct VariantSpec {
  VariantKind kind;
  BodyStage stage;
  LaneMapping mapping;
  const char* suffix; // of the function's name
};
inline constexpr VariantSpec kVariantSpecs[] = {
    {VariantKind::crossing, BodyStage::canonical, LaneMapping::linear, ".crossing"},
    {VariantKind::tail, BodyStage::redistributed, LaneMapping::row, ".tail"},
    {VariantKind::whole, BodyStage::peeled, LaneMapping::row, ".whole"},
    {VariantKind::block, BodyStage::peeled, LaneMapping::row, ".block"},
};

// Whether the vectorized kernel gets the variant.
bool has_variant(const Kernel& kernel, VariantKind kind);

// How the variant is emitted.
VectorPlan variant_plan(const Kernel& kernel, const VariantSpec& spec);

// The plan by which transforms analyze the body: all lanes active, rows interleaved as in `block`.
VectorPlan body_plan(const Kernel& kernel);

} // namespace heddle::compiler
