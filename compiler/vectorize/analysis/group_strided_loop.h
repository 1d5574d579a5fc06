// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that divide a range among the work-items of a group:
//
//   for (i = get_local_id(0); i < n; i += get_local_size(0)) BODY
//
// in canonical form (CanonicalizePass), rotated: the latch is the only exiting block.
#pragma once

#include "compiler/vectorize/analysis/analyses.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler {

// The condition that the number in the low bits of `root` is less than the limit (is_inclusive: or
// equal to it).
struct Bound {
  llvm::Value* root = nullptr;
  unsigned bits = 0;
  llvm::Value* limit = nullptr; // an integer of that many bits
  bool is_signed = false;
  bool is_inclusive = false;
  bool is_true_in_bound = true; // the condition's value if the bound holds

  bool has_same_predicate(const Bound& other) const {
    return bits == other.bits && is_signed == other.is_signed && is_inclusive == other.is_inclusive;
  }
  llvm::ICmpInst::Predicate predicate() const {
    if (is_signed)
      return is_inclusive ? llvm::ICmpInst::ICMP_SLE : llvm::ICmpInst::ICMP_SLT;
    return is_inclusive ? llvm::ICmpInst::ICMP_ULE : llvm::ICmpInst::ICMP_ULT;
  }
};

struct GroupStridedLoop {
  // Nothing if the loop does not match.
  static std::optional<GroupStridedLoop> find(llvm::Loop& loop, const LaneShapes& shapes);

  llvm::Loop* loop = nullptr;
  llvm::BasicBlock *header = nullptr, *latch = nullptr, *preheader = nullptr, *exit = nullptr;
  Bound bound;                    // for another iteration
  llvm::PHINode* index = nullptr; // the bound is on its low bits
  std::uint64_t stride = 0;       // of the index, from lane to lane
  // The block whose branch enters the loop if the first iteration is within a bound like `bound`;
  // the instructions of the preheader can be hoisted above that branch. Null: the first iteration
  // executes unconditionally.
  llvm::BasicBlock* guard = nullptr;
  llvm::Value* first_limit = nullptr; // for the first iteration, defined before the loop

  llvm::Value* init() const { return index->getIncomingValueForBlock(preheader); }
  llvm::Value* next() const { return index->getIncomingValueForBlock(latch); }
  // The value added to the index in each iteration; null if there is no such value.
  llvm::Value* step() const;
  // The largest index of any iteration, if it is constant and the bound unsigned.
  std::optional<llvm::APInt> max_index() const;
  // Whether the instruction masks `of`, an index, but keeps all bits that the unsigned index can
  // have set in an iteration.
  bool preserves_index(const llvm::Instruction& instruction, const llvm::Value* of) const;
  // The constant, if the instruction is such a mask of the index plus a constant; else nothing.
  std::optional<llvm::APInt> added_to_index(const llvm::Instruction& instruction) const;
  llvm::Value* low_bits(llvm::IRBuilder<>& builder, llvm::Value* value) const;

 private:
  bool is_suitable(const LaneShapes& shapes);
  bool find_index(const LaneShapes& shapes);
  bool find_guard(const LaneShapes& shapes);
  bool find_stride(const LaneShapes& shapes);
  bool follows_index(const llvm::Value& value, const LaneShapes& shapes, unsigned depth) const;
};

// Restores LoopSimplify and LCSSA form of all loops, as CanonicalizePass leaves them.
void form_lcssa(llvm::Function& kernel);

// The operand of a trunc, or the value itself.
llvm::Value* strip_trunc(llvm::Value* value);
// The value of lane 0, active or not, of an affine value.
llvm::Value* emit_lane_0(llvm::IRBuilder<>& builder, llvm::Value* affine);
// The affine value with the given value in lane 0.
llvm::Value* emit_affine(llvm::IRBuilder<>& builder, llvm::Value* first, std::int64_t stride,
                         bool no_unsigned_wrap, bool no_signed_wrap);

} // namespace heddle::compiler
