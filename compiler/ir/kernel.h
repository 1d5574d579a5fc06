// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel between the passes: its body, the functions that run one sub-group of it, and what the
// functions around these must know.
#pragma once

#include "compiler/interface/metadata.h"
#include "compiler/interface/specialization.h"
#include "compiler/ir/id_wrap_check.h"
#include "compiler/support/remarks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace heddle::compiler {

// A variant runs metadata.vector_width work-items. Its parameters are those of the body (the
// kernel's arguments, the group, and the local ids x, y and z of the first work-item); masked ones
// take the number of active work-items before the group.
enum class VariantKind : std::uint8_t {
  whole,    // all lanes are active
  tail,     // masked: the first lanes are active
  block,    // metadata.row_interleave whole sub-groups side by side, from y on
  crossing, // masked; lanes have consecutive linear ids, across rows: x is the linear id, y and z 0
  scalar,   // one work-item, of a kernel with a width of one that is split at its barriers
  leader,   // the first sub-group of a group whose other sub-groups do nothing; without barriers
};

constexpr bool is_masked(VariantKind kind) {
  return kind == VariantKind::tail || kind == VariantKind::crossing;
}

// At most one function of each kind.
class KernelVariants {
 public:
  struct Variant {
    VariantKind kind;
    llvm::Function* function;
  };

  // Null: there is none.
  llvm::Function* find(VariantKind kind) const {
    for (const auto& variant : variants_)
      if (variant.kind == kind)
        return variant.function;
    return nullptr;
  }
  bool has(VariantKind kind) const { return find(kind) != nullptr; }
  // The one for a sub-group whose lanes are all active, for any width.
  llvm::Function* find_full() const {
    auto* whole = find(VariantKind::whole);
    return whole != nullptr ? whole : find(VariantKind::scalar);
  }
  // Adds the function, or replaces the one of its kind.
  void set(VariantKind kind, llvm::Function* function) {
    for (auto& variant : variants_)
      if (variant.kind == kind) {
        variant.function = function;
        return;
      }
    variants_.push_back({kind, function});
  }
  void erase(VariantKind kind) {
    llvm::erase_if(variants_, [kind](const Variant& variant) { return variant.kind == kind; });
  }
  auto begin() const { return variants_.begin(); }
  auto end() const { return variants_.end(); }

 private:
  llvm::SmallVector<Variant, 5> variants_;
};

// Of a kernel whose variants are split at barriers (workgroup/form_barrier_regions.h): the code
// between two barriers is a region. Regions are numbered from 0, which begins at the kernel's
// start.
struct BarrierRegions {
  // The kernel has barriers, and its work-items cross them in region loops, not on fibers.
  bool are_used = false;
  unsigned count = 0;
  // Each region gets loops over sub-groups of its own, in which its number is a constant; false:
  // the copies would be too much code.
  bool has_separate_loops = false;
  // By region: the one that always follows (0: the kernel's end); nothing if there are several.
  std::vector<std::optional<unsigned>> unique_successors;
  // All sub-groups always reach the same barrier. Then values that are the same for all of them are
  // kept once for each variant, in `uniform_bytes` bytes.
  bool is_convergent = false;
  std::uint64_t uniform_bytes = 0;
  // By region, of a convergent kernel: it changes nothing that belongs to one sub-group, but for
  // what the first one does for its group, so that it is run for one sub-group only.
  std::vector<bool> is_uniform;
  // Whether a launch may run the variant `leader`: a function with the same parameters that returns
  // an i1. Null: every launch may.
  llvm::Function* leader_condition = nullptr;
};

// Neighboring groups in x that may run as one (vectorize/plan/coalesce_work_groups.h).
enum class GroupCoalescing : std::uint8_t {
  none,
  single_rows, // in launches whose groups have one row
  all,
};

// Which groups and launches the kernel's variants are for.
struct LaunchPolicy {
  GroupCoalescing coalescing = GroupCoalescing::none;
  // All ids in x are global ids (vectorize/transform/ids_from_global_id.h), whatever later passes
  // make of them.
  bool has_global_ids_only = false;
  // Groups for which emit_id_wrap_check() of these is true run `tail` only: in sub-groups if its
  // ids are exact in all lanes, else one work-item at a time.
  std::vector<IdBase> id_bases;
  bool tail_is_exact = false;
  // The longest row of groups that run `crossing`; their rows do not divide into whole sub-groups.
  std::uint64_t widest_crossed_row = 0;
  // Bytes that a work-item moves, if large launches store with non-temporal stores
  // (optimize/nontemporal_stores.h); else 0.
  std::uint64_t nontemporal_bytes = 0;
};

struct VectorizationPlan; // vectorize/analysis/vectorization_plan.h

struct Kernel {
  KernelMetadata metadata;
  // The function of the program, without callers (find-kernels); with work-item parameters after
  // add-work-item-params.
  llvm::Function* body = nullptr;
  // What it is compiled for, as far as that is possible.
  Specialization specialization;
  // The local size that it is compiled for, because the program requires it or the specialization
  // promises it, with the dimensions of the code (has_swapped_dimensions); zeros: any.
  std::array<std::uint64_t, 3> local_size{};
  KernelVariants variants;
  BarrierRegions regions;
  LaunchPolicy launch;
  // Some of its loops may wait for other work-items (lower/mark_polling_loops.h).
  bool has_polling_loops = false;
  // Its work-items may make different calls that all of a group must make: each runs by itself, on
  // a fiber, and these calls are checked (lower/uniform_meetings.h).
  bool checks_divergence = false;
  // Shadows of local memory are set to ones when a group begins (lower/shadow_memory.h).
  bool has_local_shadow = false;
  // Set from choose-width to form-barrier-regions.
  std::shared_ptr<VectorizationPlan> plan;
  // From make-kernel-wrappers: the function in the kernel table, and the one that a fiber runs
  // (abi::ItemFunction; null: the kernel uses no fibers).
  llvm::Function* entry = nullptr;
  llvm::Function* fiber_entry = nullptr;
  KernelReport report;

  llvm::Function* variant(VariantKind kind) const { return variants.find(kind); }
};

using Kernels = std::vector<Kernel>;

} // namespace heddle::compiler
