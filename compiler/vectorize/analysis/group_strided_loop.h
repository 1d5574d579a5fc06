// Loops in which the work-items of a group share out a range:
//
//   for (i = get_local_id(0); i < n; i += get_local_size(0)) BODY
//
// in the form that canonicalize() leaves them in, with the condition at the end.
#pragma once

#include "compiler/vectorize/analysis/analyses.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler {

// That the low bits of `root`, as a number, are below the limit (or, inclusive, not above it).
struct Bound {
  llvm::Value* root = nullptr;
  unsigned bits = 0;
  llvm::Value* limit = nullptr; // of so many bits
  bool is_signed = false;
  bool is_inclusive = false;
  bool is_met = true; // what the condition is where that is so

  bool is_like(const Bound& other) const {
    return bits == other.bits && is_signed == other.is_signed && is_inclusive == other.is_inclusive;
  }
  llvm::ICmpInst::Predicate predicate() const {
    if (is_signed)
      return is_inclusive ? llvm::ICmpInst::ICMP_SLE : llvm::ICmpInst::ICMP_SLT;
    return is_inclusive ? llvm::ICmpInst::ICMP_ULE : llvm::ICmpInst::ICMP_ULT;
  }
};

struct GroupStridedLoop {
  // Nothing if the loop is another one.
  static std::optional<GroupStridedLoop> find(llvm::Loop& loop, const LaneShapes& shapes);

  llvm::Loop* loop = nullptr;
  llvm::BasicBlock *header = nullptr, *latch = nullptr, *preheader = nullptr, *exit = nullptr;
  Bound bound;                    // that another round is run under
  llvm::PHINode* index = nullptr; // its low bits are what is bounded
  std::uint64_t stride = 0;       // of the index, from lane to lane
  // Ends with the condition for the first round, which is like the others'; what stands between it
  // and the loop can be done before it. Null: the first round is run in any case.
  llvm::BasicBlock* guard = nullptr;
  llvm::Value* first_limit = nullptr; // for the first round, known before the loop

  llvm::Value* init() const { return index->getIncomingValueForBlock(preheader); }
  llvm::Value* next() const { return index->getIncomingValueForBlock(latch); }
  // What the index goes up by, if that is one value.
  llvm::Value* step() const;
  // The largest number that the index may be in a round, if it is known and has no sign.
  std::optional<llvm::APInt> highest() const;
  // Of the index, as a number without a sign, all bits that it can have in a round.
  bool keeps_index(const llvm::Instruction& instruction, const llvm::Value* of) const;
  // The same of the index and a constant, which is returned; nothing if it is something else.
  std::optional<llvm::APInt> added_to_index(const llvm::Instruction& instruction) const;
  llvm::Value* low_bits(llvm::IRBuilder<>& builder, llvm::Value* value) const;

 private:
  bool is_suitable(const LaneShapes& shapes);
  bool find_index(const LaneShapes& shapes);
  bool find_guard(const LaneShapes& shapes);
  bool find_stride(const LaneShapes& shapes);
  bool follows_index(const llvm::Value& value, const LaneShapes& shapes, unsigned depth) const;
};

// Brings the kernel's loops back into the form that canonicalize() leaves them in.
void close_loops(llvm::Function& kernel);

// What is narrowed, if the value is something narrowed.
llvm::Value* without_trunc(llvm::Value* value);
// Lane 0's value, active or not, of one with a fixed step from lane to lane.
llvm::Value* lane_0(llvm::IRBuilder<>& builder, llvm::Value* line);
// Goes up from lane 0's value.
llvm::Value* line_from(llvm::IRBuilder<>& builder, llvm::Value* first, std::int64_t stride,
                       bool no_unsigned_wrap, bool no_signed_wrap);

} // namespace heddle::compiler
