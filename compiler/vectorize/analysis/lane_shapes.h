// How a value differs between the lanes of a sub-group.
#pragma once

#include "compiler/ir/id_wrap_check.h"
#include "compiler/ir/work_item_params.h"
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

// Lane i holds first + i * stride (modulo the type's size; bytes for pointers).
using Stride = std::int64_t;

// What LLVM makes of an id that goes through a narrower type: x & mask, or ((x << a) + b) >> c. It
// is the sign or zero extension of the low `bits` bits of value + added, times 2^shift.
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

  // The same in all lanes of one sub-group.
  bool is_uniform(const llvm::Value& value) const;
  // A multiple of the lane number above lane 0's value; nothing if there is no such rule.
  std::optional<Stride> stride(const llvm::Value& value) const;
  // Whether the lanes of a value with a stride go on like signed, or unsigned, numbers: in every
  // group.
  bool never_wraps(const llvm::Value& value, bool is_signed) const;
  // The step that is worth looking for at run time in an address that has none for certain: an
  // index that is clamped, or whose unsigned arithmetic might wrap around.
  std::optional<Stride> likely_stride(const llvm::Value& address) const;
  // Of a sign or zero extension with a stride: its lanes go on like signed numbers.
  bool extends_as_signed(const llvm::Instruction& extension) const;
  // Differs between the sub-groups that run side by side.
  bool differs_by_row(const llvm::Value& value) const;
  // Lanes may leave the block in different directions.
  bool has_divergent_branch(const llvm::BasicBlock& block) const;
  // Steps between lanes are as told only in groups for which emit_id_wrap_check() of these is
  // false. Lane 0 is right in every group, and all are with plan.exact_ids.
  const std::vector<IdBase>& id_bases() const { return id_bases_; }

 private:
  struct Line {
    Stride stride;
    bool no_signed_wrap;       // the lanes' values do not wrap around, seen as signed
    bool no_unsigned_wrap;     // the same, unsigned
    std::uint8_t id_bases = 0; // the bits of what this is true under the condition of
    bool operator==(const Line&) const = default;
  };
  std::optional<Line> line_of(const llvm::Value& value) const;
  std::optional<Line> compute(const llvm::Instruction& instruction);
  std::optional<Line> of_phi(const llvm::PHINode& phi) const;
  void find_divergent_loops();
  bool leaves_divergent_loop(const llvm::Value& value, const llvm::BasicBlock& there) const;
  std::optional<Line> of_address(const llvm::GetElementPtrInst& address) const;
  std::optional<Line> of_extension(const llvm::CastInst& cast) const;
  std::optional<Line> of_shortened(const llvm::Instruction& instruction);
  Line narrowed_id(const llvm::Value& value, std::int64_t added);
  void keep_used_id_bases();
  std::optional<Line> guess(const llvm::Instruction& instruction) const;
  void find_lines(llvm::Function& function);

  const llvm::LoopInfo& loops_;
  const llvm::DataLayout& layout_;
  const WorkItemParams state_;
  bool trusts_ids_; // that the group has checked id_bases_
  std::vector<IdBase> id_bases_;
  llvm::UniformityInfo lanes_;
  std::optional<llvm::UniformityInfo> rows_;
  // Only values that are not uniform; absent while nothing is known yet (optimistic).
  llvm::DenseMap<const llvm::Value*, std::optional<Line>> lines_;
  llvm::DenseMap<const llvm::Value*, std::optional<Line>> likely_lines_;
  llvm::SmallPtrSet<const llvm::Loop*, 8> divergent_loops_; // that lanes leave at different times
  bool is_guessing_ = false;                                // while likely_lines_ is made
};

} // namespace heddle::compiler
