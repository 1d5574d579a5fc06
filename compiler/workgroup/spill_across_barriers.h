// Values that one step of a kernel makes and a later one uses.
#pragma once

#include "compiler/analysis/work_group_uniformity.h"
#include "compiler/workgroup/region_frame.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

// A value that is needed behind a barrier is stored to the frame where it is made, once, and loaded
// where a step uses it first; cheap ones are made again. A loop's variable and what is handed on to
// it from round to round share a place where they can, so that handing it on takes nothing.
class BarrierSpiller {
 public:
  // Where values that are the same for all sub-groups are kept.
  struct Common {
    const WorkGroupUniformity& uniformity;
    RegionFrame& frame;
    llvm::Value& before; // what steps find
    llvm::Value& after;  // what they leave
  };
  // While blocks still go on behind their barriers, and loops are closed. `common`: null if there
  // is no such place.
  BarrierSpiller(llvm::Function& function, RegionFrame& frame, llvm::Value& memory,
                 llvm::ArrayRef<SuspendPoint> suspensions, const Common* common);
  // When they return there instead, and the steps begin at `after`.
  void carry();

 private:
  struct Carried {
    llvm::Instruction* value;
    llvm::SmallVector<unsigned, 4> suspensions;  // that it is alive across
    llvm::Instruction* handed_on_from = nullptr; // of a loop's variable that shares a place
  };
  struct AtStart {
    const llvm::Instruction* value;
    llvm::Value* again;
    llvm::LoadInst* load; // null: it is made again
    std::uint64_t place;
  };

  void find();
  void find_sharers();
  bool can_share(const Carried& variable, const Carried& next) const;
  bool reaches(llvm::BasicBlock* from, const llvm::BasicBlock* stop,
               llvm::ArrayRef<unsigned> suspensions) const;
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> live_blocks(llvm::Instruction& value) const;
  struct Cost;
  bool is_cheap(const llvm::Value& value) const;
  bool is_cheap(const llvm::Value& value, Cost& cost, bool& is_own) const;
  llvm::Value* again(llvm::IRBuilder<>& builder, llvm::Value& value,
                     llvm::DenseMap<llvm::Value*, llvm::Value*>& made);
  void carry(const Carried& carried);
  std::uint64_t place_of(const Carried& carried, llvm::Type* kept);
  void store(const Carried& carried, std::uint64_t place, llvm::Type* kept);
  void store_at(llvm::Instruction* where, llvm::Value* value, const Carried& carried,
                std::uint64_t place, llvm::Type* kept);
  void load_late();
  bool is_common(const Carried& carried) const;
  llvm::Type* kept_as(llvm::Type* type) const;
  llvm::Align align_of(llvm::Type* type) const;

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  RegionFrame& frame_;
  llvm::Value& memory_;
  llvm::ArrayRef<SuspendPoint> suspensions_;
  const Common* common_;
  std::vector<Carried> carried_;
  llvm::DenseMap<const llvm::Instruction*, std::uint64_t> places_;
  // To the frame, by place. What is common is not loaded from where it is stored.
  llvm::DenseMap<std::uint64_t, llvm::SmallVector<llvm::StoreInst*, 2>> stores_;
  llvm::DenseMap<llvm::BasicBlock*, llvm::SmallVector<AtStart, 8>> at_start_; // of steps
};

// Loops without barriers hand their results out through phis, so that these are stored once and not
// in every round.
void close_loops(llvm::Function& function, llvm::ArrayRef<SuspendPoint> suspensions);

} // namespace heddle::compiler
