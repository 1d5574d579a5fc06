// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=memory: checks of the accesses of a kernel, as few as possible.
#pragma once

#include "compiler/interface/check_record.h"
#include "compiler/ir/bounds_check.h"
#include "compiler/lower/argument_bounds.h"
#include "compiler/lower/checked_calls.h"
#include "compiler/lower/known_offsets.h"
#include "compiler/lower/memory_accesses.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace heddle::compiler {

// The argument that the pointer is derived from, also by phis and selects; null: another pointer,
// or one of several arguments.
llvm::Argument* only_argument(const llvm::Value& pointer);

// Inserts checks (ir/bounds_check.h) of the accesses of a kernel's body. By pointers of unknown
// origin none is in bounds, so that all are told to the runtime. One check is for all that
// a block accesses at constant distances from each other, at the first one. Where all iterations of
// a loop access memory, at addresses with a constant distance, one before the loop is for all of
// them: they are right if the first and the last one is.
class AccessGroups {
 public:
  // `kernel` is null in functions that are not inlined, whose arguments have no known bounds.
  AccessGroups(llvm::Function& function, const Kernel* kernel, llvm::DominatorTree& dominators,
               CheckCalls& calls);

  void add(const Access& access, llvm::Instruction& instruction);
  // Accesses behind this place, which may end the kernel, are checked behind it, unless in a loop.
  void close() { flush(in_block_); }
  // When all accesses have been added.
  void finish() {
    close();
    flush(before_loops_);
  }

 private:
  // Where an access is checked, and for which iterations.
  struct Place {
    llvm::Instruction* before;
    const llvm::SCEV* first;
    const llvm::SCEV* last;
    const llvm::SCEV* step;       // null: one iteration
    const llvm::SCEV* iterations; // null: one
    bool is_hoisted;
  };
  struct Group {
    Place place;
    llvm::Value* pointer; // of the first access, or its offset in the object
    llvm::Argument* argument;
    llvm::Value* object;
    std::uint64_t object_bytes; // 0 if the object is no constant
    bool is_unknown;            // the runtime has to find the memory of each access
    std::uint64_t misaligned_bits;
    llvm::Align alignment;                              // of the argument
    llvm::SmallVector<BoundsCheck::Access, 4> accesses; // offsets are from the first one
    llvm::Value* dynamic_bytes;
  };
  using Groups = llvm::SmallVector<Group, 8>;

  Place place_of_check(const Access& access, llvm::Instruction& instruction,
                       std::uint64_t misaligned_bits);
  void limit_to_object(BoundsCheck& check, const Group& group, llvm::Value& bytes,
                       llvm::IRBuilderBase& builder) const;
  bool executes_in_each_iteration(const llvm::BasicBlock& block, const llvm::Loop& loop) const;
  std::optional<std::int64_t> distance(const Group& from_group, const Group& to_group);
  bool join(Group& group, const Group& added);
  void emit(const Group& group);
  void flush(Groups& groups);

  llvm::Function& function_;
  const bool is_kernel_;
  llvm::DominatorTree& dominators_;
  CheckCalls& calls_;
  ArgumentBounds bounds_;
  llvm::LoopInfo loops_;
  llvm::TargetLibraryInfoImpl names_;
  llvm::TargetLibraryInfo library_;
  llvm::AssumptionCache assumptions_;
  llvm::ScalarEvolution scev_;
  KnownOffsets known_offsets_;
  Groups in_block_;
  Groups before_loops_;
};

} // namespace heddle::compiler
