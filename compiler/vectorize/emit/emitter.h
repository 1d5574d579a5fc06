// Writes the vector form of a prepared scalar kernel.
#pragma once

#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/support/remarks.h"
#include "compiler/vectorize/analysis/lane_shapes.h"
#include "compiler/vectorize/analysis/linearization.h"
#include "compiler/vectorize/analysis/plan.h"
#include "compiler/vectorize/analysis/uniform_bound.h"
#include "compiler/vectorize/analysis/vector_value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {

class Emitter {
 public:
  // `fallback`: the masked form of the same kernel, for sub-groups of which checks at its start say
  // that they are not what this form is made for; null: this form takes all.
  Emitter(llvm::Function& kernel, const VectorPlan& plan, const LaneShapes& shapes,
          const Linearization& schedule, llvm::LoopInfo& loops, Remarks* remarks,
          llvm::Function* fallback);

  // The parameters are the kernel's; with plan.masked, before the work-item state, comes the number
  // of active lanes (64 bits, 1 to plan.width). The local ids are those of lane 0 (row mapping); x
  // is lane 0's linear id and y and z are not used (linear mapping).
  llvm::Function* run(const llvm::Twine& name);

 private:
  using Masks = llvm::SmallVector<llvm::Value*, 4>; // for each row; null: all lanes

  // emit_function.cpp: the function and its control flow.
  void make_function(const llvm::Twine& name);
  void set_debug_location(const llvm::Instruction& from);
  void bind_parameters();
  VectorValue linear_ids(unsigned dimension);
  void make_variables();
  void emit_block(const llvm::BasicBlock& block);
  void expect_exits(const llvm::BasicBlock& block);
  Masks enter(const llvm::BasicBlock& block);
  void reset_inner_masks(const llvm::BasicBlock& header);
  void load_phis(const llvm::BasicBlock& block);
  void emit_terminator(const llvm::BasicBlock& block);
  void leave_by_uniform_branch(const llvm::BasicBlock& block, const llvm::BranchInst& branch);
  void leave_by_divergent_branch(const llvm::BasicBlock& block, const llvm::BranchInst& branch);
  void take_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to, const Masks& mask,
                 bool divergent);
  bool is_back_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const;
  // Where to go on when `to` (null: nothing more) and everything pending is still to be done.
  llvm::BasicBlock* next_block(const llvm::BasicBlock& from, const llvm::BasicBlock* to,
                               const llvm::BasicBlock* other = nullptr);
  void jump_back_or(const llvm::BasicBlock& header, llvm::BasicBlock* next);
  llvm::Value* any(const Masks& masks);
  llvm::Value* all_lanes();
  llvm::BasicBlock* new_block(const llvm::Twine& name);

  // emit_guards.cpp
  std::optional<UniformBound> limit_of(const llvm::Value& condition, bool is_met) const;
  std::optional<UniformBound> limit_of(const llvm::BasicBlock& block) const;
  llvm::Value* meets_limit(const llvm::BasicBlock& block);
  bool needs_guard(const llvm::BasicBlock& block) const;

  // emit_values.cpp: operands and what is computed lane by lane without side effects.
  unsigned rows_of(const llvm::Value& value) const;
  llvm::Value* scalar(const llvm::Value& value, unsigned row); // uniform, or lane 0 of a line
  llvm::Value* lanes(const llvm::Value& value, unsigned row, unsigned component = 0);
  llvm::Value* splat(llvm::Value* value) { return builder_.CreateVectorSplat(plan_.width, value); }
  llvm::VectorType* widened(llvm::Type* type) const {
    return llvm::FixedVectorType::get(type, plan_.width);
  }
  // Adds lane * stride.
  llvm::Value* spread(llvm::Value* first, Stride stride);
  llvm::Value* component_of(llvm::Value* whole, unsigned component);
  VectorValue& define(const llvm::Value& value, VectorValue::Kind kind);
  void emit_instruction(const llvm::Instruction& instruction);
  void emit_uniform(const llvm::Instruction& instruction);
  std::optional<std::int64_t> row_step(const llvm::Value& value);
  llvm::Value* further_row(llvm::Value* first, std::int64_t distance);
  void emit_line(const llvm::Instruction& instruction);
  llvm::Value* extended_line(const llvm::Value& value, bool is_signed, llvm::Type* type,
                             unsigned row, unsigned depth = 0);
  llvm::Instruction* clone_scalar(const llvm::Instruction& instruction, unsigned row);
  void emit_elementwise(const llvm::Instruction& instruction);
  llvm::Value* elementwise(const llvm::Instruction& instruction, unsigned row, unsigned component);
  llvm::Value* within_limit(const llvm::Instruction& instruction, unsigned row);
  void emit_division(const llvm::BinaryOperator& division);
  void emit_bitcast(const llvm::BitCastInst& cast);
  void emit_address(const llvm::GetElementPtrInst& address);
  void emit_component_access(const llvm::Instruction& instruction);
  llvm::Value* pick_component(const llvm::ExtractElementInst& extract, unsigned row);
  llvm::Value* interleave(llvm::ArrayRef<llvm::Value*> parts);
  llvm::Value* deinterleave(llvm::Value* vector, unsigned stride, unsigned offset);

  // emit_memory.cpp
  void emit_load(const llvm::LoadInst& load);
  void emit_store(const llvm::StoreInst& store);
  void emit_variable(const llvm::AllocaInst& variable);
  void load_components(const llvm::LoadInst& load, unsigned row, VectorValue& result);
  void store_components(const llvm::StoreInst& store, unsigned row);
  llvm::Value* offset_address(llvm::Value* address, std::int64_t bytes);
  llvm::Value* last_active(llvm::Value* vector, unsigned row);

  // emit_line_access.cpp
  enum class LineAccess : std::uint8_t { none, consecutive, reversed, interleaved };
  llvm::Type* line_type(llvm::Type* type) const;
  // How values of this type are accessed in such steps; none: by gather and scatter.
  LineAccess line_access(llvm::Type* type, Stride stride, bool is_store) const;
  void load_line(const llvm::LoadInst& load, unsigned row, Stride stride, llvm::Value* first,
                 VectorValue& result);
  void store_line(const llvm::StoreInst& store, unsigned row, Stride stride, llvm::Value* first);
  llvm::Value* wide_load(const llvm::LoadInst& load, llvm::Value* address, llvm::Type* element,
                         unsigned count, llvm::Value* mask, llvm::Align align);
  void wide_store(const llvm::StoreInst& store, llvm::Value* value, llvm::Value* address,
                  llvm::Value* mask, llvm::Align align);
  llvm::Value* reversed(llvm::Value* vector);

  // emit_apart.cpp
  std::uint64_t piece_bytes(llvm::Type* type) const;
  std::uint64_t bytes_at_once(llvm::Type* type, unsigned row) const;
  llvm::Constant* safe_place(unsigned address_space);
  llvm::Value* scratch_place(llvm::Type* pointer);
  llvm::SmallVector<llvm::Value*, 64> usable_addresses(const llvm::Value& address, unsigned row,
                                                       bool is_store);
  // False: the value is not one that can be moved whole; nothing has been done.
  bool store_pieces(const llvm::StoreInst& store, unsigned row);
  bool load_pieces(const llvm::LoadInst& load, unsigned row, VectorValue& result);
  bool is_line_of_lanes(const llvm::Value& address, unsigned row) const;
  bool is_moved_by_words(llvm::Type* type, const llvm::Value& address, unsigned row) const;
  bool is_gathered(const llvm::LoadInst& load, unsigned row) const;
  bool is_scattered(const llvm::StoreInst& store, unsigned row) const;
  void take_apart(llvm::Value* words, llvm::Type& type, unsigned row, VectorValue& result);
  llvm::Value* put_together(llvm::ArrayRef<llvm::Value*> parts);
  llvm::Value* zip_blocks(llvm::Value* a, llvm::Value* b, unsigned block, unsigned first);
  void transpose_blocks(llvm::SmallVectorImpl<llvm::Value*>& rows);
  void transpose(llvm::SmallVectorImpl<llvm::Value*>& parts, unsigned count);
  void transpose_back(llvm::SmallVectorImpl<llvm::Value*>& parts);

  // emit_transposed.cpp
  llvm::SmallVector<llvm::Value*, 64> lane_addresses(const llvm::Value& address, unsigned row);
  void load_transposed(const llvm::LoadInst& load, VectorValue& result);
  void store_transposed(const llvm::StoreInst& store);
  llvm::Value* slice(llvm::Value* vector, unsigned first, unsigned count);
  llvm::Value* zip(llvm::Value* a, llvm::Value* b);

  // emit_checked_access.cpp
  llvm::Value* branch_on_line(const llvm::Value& address, Stride stride, unsigned row,
                              llvm::BasicBlock* together, llvm::BasicBlock* apart);
  llvm::Value* likely_first(const llvm::Value& value, unsigned row,
                            llvm::SmallVectorImpl<llvm::Value*>& conditions, unsigned depth);
  llvm::Value* find_likely_first(const llvm::Value& value, unsigned row,
                                 llvm::SmallVectorImpl<llvm::Value*>& conditions, unsigned depth);
  llvm::Value* likely_extended(const llvm::Value& value, llvm::Type* type, unsigned row,
                               llvm::SmallVectorImpl<llvm::Value*>& conditions, unsigned depth);
  bool never_wraps(const llvm::Value& value, bool is_signed, unsigned row) const;
  void require_no_wrap(llvm::Value* first, Stride stride, bool is_signed,
                       llvm::SmallVectorImpl<llvm::Value*>& conditions);
  // Whether the active lanes' addresses follow each other in steps of `size` bytes.
  llvm::Value* are_consecutive(llvm::Value* addresses, Stride size, unsigned row);

  // emit_checked_run.cpp
  void emit_instructions(const llvm::BasicBlock& block);
  bool is_reached_untouched(const llvm::BasicBlock& block) const;
  void start_again_masked();
  void emit_run(llvm::ArrayRef<const llvm::Instruction*> run);
  void emit_at_its_line(const llvm::Instruction& instruction);
  bool is_checked(const llvm::LoadInst& load) const;
  void merge(const llvm::Instruction& value, VectorValue other, llvm::BasicBlock* from,
             llvm::BasicBlock* other_from);

  // emit_atomics.cpp
  bool emit_atomic_reduction(const llvm::AtomicRMWInst& update);

  // emit_calls.cpp
  void emit_call(const llvm::CallInst& call);
  void emit_intrinsic(const llvm::IntrinsicInst& call);
  void emit_reduction(const llvm::IntrinsicInst& call);
  void emit_once(const llvm::CallInst& call);
  void emit_for_all_lanes(const llvm::CallInst& call, llvm::Function& all);

  // emit_lane_by_lane.cpp
  using LaneComponent = llvm::function_ref<llvm::Value*(const llvm::Value& value, unsigned c)>;
  void emit_lane_by_lane(const llvm::Instruction& instruction);
  llvm::SmallVector<llvm::Value*, 4> emit_each_lane(const llvm::Instruction& instruction,
                                                    unsigned row);
  llvm::SmallVector<llvm::Value*, 4> emit_active_lanes(const llvm::Instruction& instruction,
                                                       unsigned row);
  llvm::Value* lane_address(const llvm::Value& value, unsigned row, unsigned lane, unsigned depth);
  llvm::Value* word_around(const llvm::Value& value, unsigned row, unsigned lane);
  llvm::Value* short_distance(const llvm::GetElementPtrInst& address, unsigned row, unsigned lane);
  llvm::Value* short_index(const llvm::Value& value, unsigned row, unsigned lane, llvm::Type* type);
  llvm::Instruction* clone_for_lane(const llvm::Instruction& instruction, unsigned row,
                                    llvm::Value* lane, const LaneComponent& component);
  llvm::Type* memory_type(llvm::Type* type);

  // emit_sub_groups.cpp
  void emit_lane_function(const llvm::CallInst& call, const SubgroupIntrinsic& function);
  llvm::Value* mask_bits(llvm::Value* which = nullptr);
  llvm::Value* first_linear_id();
  llvm::Value* lane_0(const llvm::Value& value, unsigned row);
  llvm::Value* active_lane();
  llvm::Value* of_active_lane(const llvm::Value& value);
  llvm::Value* read_lane(const llvm::Value& value, llvm::Value* lane);
  llvm::Value* shuffle_lanes(llvm::Value* value, llvm::Value* index);
  llvm::Value* shift_lanes(llvm::Value* value, unsigned distance, llvm::Value* fill);
  llvm::Value* reduce_lanes(llvm::Value* value, const SubgroupIntrinsic& how);
  llvm::Value* scan_lanes(llvm::Value* value, const SubgroupIntrinsic& how);
  llvm::Value* reduce_clusters(llvm::Value* value, llvm::Value* size, const SubgroupIntrinsic& how);

  llvm::Value* mask(unsigned row) const { return masks_[row]; }
  llvm::Value* mask_or_all(unsigned row) { return masks_[row] ? masks_[row] : all_lanes(); }
  // An alloca in the entry block.
  void begin_variables(const llvm::BasicBlock& block);
  void fill_variables(const llvm::BasicBlock& block);
  void begin_at_entry_what_begins_late(const llvm::DominatorTree& dominators);
  llvm::AllocaInst* variable(llvm::Type* type, const llvm::Twine& name);
  void remark_on_divergence(const llvm::BasicBlock& block, const llvm::BranchInst& branch);
  void remark(const llvm::Instruction& at, const char* what, const char* why);

  llvm::Function& kernel_;
  const VectorPlan plan_;
  const LaneShapes& shapes_;
  const Linearization& schedule_;
  llvm::LoopInfo& loops_;
  Remarks* remarks_;
  llvm::Function* fallback_;
  llvm::LLVMContext& context_;
  const llvm::DataLayout& layout_;
  llvm::IRBuilder<> builder_;
  llvm::Function* made_ = nullptr;
  llvm::DILocation* inlined_at_ = nullptr;
  llvm::DenseMap<const llvm::DILocation*, llvm::DILocation*> inlined_locations_;
  llvm::BasicBlock* entry_ = nullptr;
  llvm::Value* entry_count_ = nullptr;

  llvm::DenseMap<const llvm::Value*, VectorValue> values_;
  llvm::DenseMap<const llvm::Instruction*, std::optional<std::int64_t>> row_steps_;
  // Vectors made from scalars in the block that is being written.
  llvm::DenseMap<std::tuple<const llvm::Value*, unsigned, unsigned>, llvm::Value*> spread_here_;
  llvm::BasicBlock* spread_block_ = nullptr;
  Masks masks_; // of the block that is being written
  llvm::DenseMap<const llvm::BasicBlock*, Masks> owned_masks_;

  // While a run of instructions is written that has checked loads: where to go if a check fails
  // (null: each load has a way of its own), or that they have failed.
  llvm::BasicBlock* checks_failed_ = nullptr;
  bool gathers_ = false;
  struct {
    llvm::DenseMap<std::pair<const llvm::Value*, unsigned>, llvm::Value*> first, extended;
  } likely_; // what is known of lane 0's values under the checks that have held, by row
  // Nothing has been done yet, by any lane, that cannot be done again; blocks that end so.
  bool is_untouched_ = true;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> untouched_;

  llvm::AllocaInst* scratch_ = nullptr; // what lanes store that are not active

  // Until the end phis and masks are variables; then they become phis (mem2reg).
  llvm::SmallVector<llvm::AllocaInst*, 64> variables_;
  llvm::DenseMap<const llvm::PHINode*, VectorValue> phi_variables_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::SmallVector<llvm::AllocaInst*, 4>> mask_variables_;
  // What most edges bring to a phi, where that is known at its beginning: the phi's variables hold
  // it from there on, and those edges have nothing to do.
  llvm::DenseMap<const llvm::PHINode*, const llvm::Value*> filled_with_;
  // By beginning (Linearization): the blocks whose variables begin there.
  llvm::DenseMap<const llvm::BasicBlock*, llvm::SmallVector<const llvm::BasicBlock*, 4>> begun_by_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> heads_;
  std::vector<Pending> pending_;
};

} // namespace heddle::compiler
