// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Argument.h"
#include "llvm/IR/Instruction.h"

namespace heddle::compiler {

// The local id in the dimension of the lanes, which is a multiple of the width in lane 0 if lanes
// are mapped to a row (LaneMapping::row): its lower bits are the number of the lane, and its upper
// bits the same in all lanes.
class AlignedId {
 public:
  // `id` is null if lane 0 may have any id. The width is a power of two.
  AlignedId(const llvm::Argument* id, unsigned width) : id_(id), width_(width) {}

  // Whether the instruction depends on the upper bits of the id alone: `id >> 5`, `id & 32` and
  // `id < 64` do for up to 32 lanes.
  bool decides_by_upper_bits(const llvm::Instruction& instruction) const;
  // Whether the instruction only clears upper bits of the id, so that it still becomes larger by
  // one from lane to lane: `id & 31` for up to 32 lanes.
  bool keeps_lower_bits(const llvm::Instruction& instruction) const;

 private:
  bool is_aligned(const llvm::Value& value) const;

  const llvm::Argument* id_;
  unsigned width_;
};

} // namespace heddle::compiler
