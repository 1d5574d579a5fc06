// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divergence and stride analysis: how a value differs between the lanes of a sub-group.
#pragma once

#include "compiler/ir/id_wrap_check.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/analysis/affine_id.h"
#include "compiler/vectorize/analysis/aligned_id.h"
#include "compiler/vectorize/analysis/plan.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace llvm {
class Loop;
class LoopInfo;
} // namespace llvm

namespace heddle::compiler {

// Lane i has first + i * stride (modulo 2^bits of the type; in bytes for pointers).
using Stride = std::int64_t;

// An id that is truncated and extended again, which InstCombine turns into x & mask or
// ((x << a) + b) >> c: the sign or zero extension of the low `bits` bits of value + added, times
// 2^shift.
struct NarrowedValue {
  const llvm::Value* value = nullptr;
  unsigned bits = 0;
  unsigned shift = 0;
  std::int64_t added = 0;
};
std::optional<NarrowedValue> narrowed_value(const llvm::Instruction& instruction);

class LaneShapes {
 public:
  LaneShapes(llvm::Function& function, const VectorPlan& plan, llvm::DominatorTree& dominators,
             llvm::CycleInfo& cycles, llvm::LoopInfo& loops);

  // The same in all lanes of a sub-group.
  bool is_uniform(const llvm::Value& value) const;
  // The difference from lane to lane of a uniform or affine value; nothing for a varying one.
  std::optional<Stride> stride(const llvm::Value& value) const;
  // Whether a uniform or affine value does not wrap around from lane to lane, as a signed or
  // unsigned number, in any group.
  bool never_wraps(const llvm::Value& value, bool is_signed) const;
  // The stride that a varying address probably has, so that a check at run time pays: its index is
  // clamped, or its unsigned arithmetic may wrap around.
  std::optional<Stride> likely_stride(const llvm::Value& address) const;
  // Whether the lanes of an affine sign or zero extension follow from lane 0 as signed numbers: it
  // is a sign extension, or its operand may wrap around as an unsigned number.
  bool extends_as_signed(const llvm::Instruction& extension) const;
  // Differs between the interleaved rows.
  bool differs_by_row(const llvm::Value& value) const;
  // Lanes or rows may branch to different successors.
  bool has_divergent_branch(const llvm::BasicBlock& block) const;
  // Strides hold only in groups for which emit_id_wrap_check() of these is false; empty with
  // plan.exact_ids. The value of lane 0 is right in every group.
  const std::vector<IdBase>& id_bases() const { return id_bases_; }

 private:
  struct Affine {
    Stride stride;
    bool no_signed_wrap;       // from lane to lane, as a signed number
    bool no_unsigned_wrap;     // the same as an unsigned number
    std::uint8_t id_bases = 0; // bit set: the members of id_bases_ that the flags depend on
    bool operator==(const Affine&) const = default;
  };
  std::optional<Affine> affine_of(const llvm::Value& value) const;
  std::optional<Affine> compute_affine(const llvm::Instruction& instruction);
  std::optional<Affine> affine_phi(const llvm::PHINode& phi) const;
  void find_divergent_loops();
  bool leaves_divergent_loop(const llvm::Value& value, const llvm::BasicBlock& user_block) const;
  std::optional<Affine> affine_address(const llvm::GetElementPtrInst& address) const;
  std::optional<Affine> affine_extension(const llvm::CastInst& cast) const;
  std::optional<Affine> affine_narrowed(const llvm::Instruction& instruction);
  Affine narrowed_id(std::optional<AffineId> id, std::int64_t added);
  void add_flags(Affine& affine, const llvm::Instruction& operation);
  void remove_unused_id_bases();
  std::optional<Affine> likely_affine(const llvm::Instruction& instruction) const;
  void find_affine_values(llvm::Function& function);

  const llvm::LoopInfo& loops_;
  const llvm::DataLayout& layout_;
  const WorkItemParams params_;
  const AlignedId aligned_id_;
  const std::array<std::uint64_t, 3> groups_of_small_ids_; // as in VectorPlan
  bool may_add_id_bases_; // new members of id_bases_ may be added: groups check them
  std::vector<IdBase> id_bases_;
  llvm::UniformityInfo lanes_;
  std::optional<llvm::UniformityInfo> rows_;
  // Of values that are not uniform; no entry: not visited yet (optimistic).
  llvm::DenseMap<const llvm::Value*, std::optional<Affine>> affine_;
  llvm::DenseMap<const llvm::Value*, std::optional<Affine>> likely_affine_;
  llvm::SmallPtrSet<const llvm::Loop*, 8>
      divergent_loops_;       // lanes leave them in different iterations
  bool finds_likely_ = false; // while likely_affine_ is computed
};

} // namespace heddle::compiler
