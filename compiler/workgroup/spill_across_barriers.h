// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that one barrier region computes and a later one uses.
#pragma once

#include "compiler/analysis/work_group_uniformity.h"
#include "compiler/workgroup/region_frame.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

// Spills values that are live across barriers to the frame: one store after the definition, and a
// load in each region that uses the value. Cheap values are rematerialized. A phi of a loop shares
// a slot with the value that it takes from the latch where that is possible, so that an iteration
// needs no copy from slot to slot.
class BarrierSpiller {
 public:
  // Where values that are the same for all sub-groups are kept.
  struct UniformStorage {
    const WorkGroupUniformity& uniformity;
    RegionFrame& frame;
    llvm::Value& in;  // what a region loads
    llvm::Value& out; // what it stores
  };
  // Finds the values, while control flow still continues after barriers and loops are in LCSSA
  // form. `memory` is the sub-group's frame. `uniform`: null if the kernel is not convergent.
  BarrierSpiller(llvm::Function& function, RegionFrame& frame, llvm::Value& memory,
                 llvm::ArrayRef<RegionBoundary> boundaries, const UniformStorage* uniform);
  // Spills them, when barriers return and regions begin at the entries of the boundaries.
  void run();

 private:
  struct LiveValue {
    llvm::Instruction* value;
    llvm::SmallVector<unsigned, 4> boundaries; // that it is live across
    // Of a phi that shares a slot: the incoming value that owns it.
    llvm::Instruction* slot_owner = nullptr;
  };
  // A value at the entry of a region.
  struct Reload {
    const llvm::Instruction* value;
    llvm::Value* replacement;
    llvm::LoadInst* load; // null: it is rematerialized
    std::uint64_t slot;
  };

  void find_live_values();
  void find_shared_slots();
  bool can_share_slot(const LiveValue& phi, const LiveValue& incoming) const;
  bool reaches_boundary(llvm::BasicBlock* from, const llvm::BasicBlock* stop,
                        llvm::ArrayRef<unsigned> boundaries) const;
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> live_in_blocks(llvm::Instruction& value) const;
  struct Cost;
  bool is_cheap(const llvm::Value& value) const;
  bool is_cheap(const llvm::Value& value, Cost& cost, bool& is_divergent) const;
  llvm::Value* rematerialize(llvm::IRBuilder<>& builder, llvm::Value& value,
                             llvm::DenseMap<llvm::Value*, llvm::Value*>& made);
  void spill(const LiveValue& live);
  std::uint64_t slot_of(const LiveValue& live, llvm::Type* type);
  void store(const LiveValue& live, std::uint64_t slot, llvm::Type* type);
  void store_at(llvm::Instruction* where, llvm::Value* value, const LiveValue& live,
                std::uint64_t slot, llvm::Type* type);
  void sink_loads();
  bool is_uniform(const LiveValue& live) const;
  llvm::Type* slot_type(llvm::Type* type) const;
  llvm::Align slot_align(llvm::Type* type) const;

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  RegionFrame& frame_;
  llvm::Value& memory_;
  llvm::ArrayRef<RegionBoundary> boundaries_;
  const UniformStorage* uniform_;
  std::vector<LiveValue> live_values_;
  llvm::DenseMap<const llvm::Instruction*, std::uint64_t> slots_; // offsets, by owner
  // To the frame, by slot. Uniform values are never loaded from where they are stored.
  llvm::DenseMap<std::uint64_t, llvm::SmallVector<llvm::StoreInst*, 2>> stores_;
  llvm::DenseMap<llvm::BasicBlock*, llvm::SmallVector<Reload, 8>> reloads_; // by region entry
};

// Brings loops without barriers into LCSSA form, so that their results are stored once at the exit
// instead of in every iteration.
void form_lcssa_without_barriers(llvm::Function& function,
                                 llvm::ArrayRef<RegionBoundary> boundaries);

} // namespace heddle::compiler
