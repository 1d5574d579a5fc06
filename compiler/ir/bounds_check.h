// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of accesses to memory whose bounds are known (HEDDLE_CHECK=memory), as calls in kernels:
//
//   call void @heddle.check_bounds.p1(ptr addrspace(1) %first, ptr addrspace(1) %last, i64 %begin,
//                                     i64 %count, i64 MISALIGNED_BITS, ptr %worker, ptr TABLE,
//                                     i64 BASE, i64 %step, i64 %iterations, i64 %bytes)
//
// checks accesses next to each other at `first`, and the same in all iterations of a loop, the last
// of which accesses `last`. They are right if both are among the `count` addresses from `begin` on,
// and none of MISALIGNED_BITS is set. Otherwise the function passes a record of each access
// (interface/check_record.h) to abi::Worker::check, in the order of the program, which may find
// nothing wrong after all. Scalar code inlines it; the vectorizer compares all lanes first.
#pragma once

#include "compiler/interface/check_record.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

struct BoundsCheck {
  // Of one iteration.
  struct Access {
    abi::CheckedCall call;
    llvm::Constant* place;
    std::uint64_t offset; // from `first`
    std::uint64_t bytes;  // 0: BoundsCheck::bytes
    llvm::Align alignment;
  };
  llvm::Value* first;
  llvm::Value* last; // `first` if there is one iteration
  llvm::Value* begin;
  llvm::Value* count;
  std::uint64_t misaligned_bits; // 0: the alignment is known, or part of `count`
  llvm::Value* worker;
  llvm::ArrayRef<Access> accesses;
  llvm::Value* base;       // abi::CheckOperand::base; a constant
  llvm::Value* step;       // bytes from one iteration to the next
  llvm::Value* iterations; // at least 1
  llvm::Value* bytes;
};

void create_bounds_check(llvm::IRBuilderBase& builder, const BoundsCheck& check);
bool is_bounds_check(const llvm::Instruction& instruction);
// Whether it passes records of accesses that are not right to the worker.
bool is_bounds_report(const llvm::Instruction& instruction);

// The operands of such a call that decide.
inline constexpr unsigned kCheckedFirst = 0, kCheckedLast = 1, kCheckedBegin = 2, kCheckedCount = 3,
                          kCheckedBits = 4;

// Passes the records of lanes that are not right to the worker. Of `lanes`, an i64, a bit is set
// for each active one; `address` is that of lane 0, from which those of the others are `stride`
// apart, or a vector of them; `operands` are those of the check from kCheckedBegin on, i64 or
// vectors. Lanes are named in reports if they are consecutive work-items from the sub-group's first
// one on.
void create_lanes_check(llvm::IRBuilderBase& builder, unsigned width, llvm::Value* lanes,
                        llvm::Value* address, std::int64_t stride,
                        llvm::ArrayRef<llvm::Value*> operands, bool names_lanes);

// i1, or a vector of them: whether accesses at the address, an i64 or a vector of them, are right.
llvm::Value* emit_is_in_bounds(llvm::IRBuilderBase& builder, llvm::Value* address,
                               llvm::Value* begin, llvm::Value* count, llvm::Value* bits);

// A branch to `right` if the condition holds, as nearly always, else to `wrong`.
void create_likely_branch(llvm::IRBuilderBase& builder, llvm::Value* condition,
                          llvm::BasicBlock* right, llvm::BasicBlock* wrong);

} // namespace heddle::compiler
