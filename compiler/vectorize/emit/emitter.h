// Emits a vector variant of a canonicalized scalar kernel.
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
  // `fallback`: the masked variant of the same kernel, called for sub-groups whose speculative
  // checks at the start of the kernel fail; null: this variant handles all sub-groups itself.
  Emitter(llvm::Function& kernel, const VectorPlan& plan, const LaneShapes& shapes,
          const Linearization& schedule, llvm::LoopInfo& loops, Remarks* remarks,
          llvm::Function* fallback);

  // The parameters are the kernel's; with plan.masked the number of active lanes (i64, 1 to
  // plan.width) precedes the work-item parameters. The local ids are those of lane 0 (row mapping),
  // or x is lane 0's linear id and y and z are unused (linear mapping).
  llvm::Function* run(const llvm::Twine& name);

 private:
  using Masks = llvm::SmallVector<llvm::Value*, 4>; // by row; null: all lanes active

  // emit_control_flow.cpp: the function and its control flow.
  void create_function(const llvm::Twine& name);
  void set_debug_location(const llvm::Instruction& from);
  void bind_parameters();
  VectorValue linear_ids(unsigned dimension);
  void create_slots();
  void emit_block(const llvm::BasicBlock& block);
  void mark_exits_pending(const llvm::BasicBlock& block);
  Masks load_masks(const llvm::BasicBlock& block);
  void clear_loop_masks(const llvm::BasicBlock& header);
  void load_phis(const llvm::BasicBlock& block);
  void emit_terminator(const llvm::BasicBlock& block);
  void emit_uniform_branch(const llvm::BasicBlock& block, const llvm::BranchInst& branch);
  void emit_divergent_branch(const llvm::BasicBlock& block, const llvm::BranchInst& branch);
  void emit_edge_values(const llvm::BasicBlock& from, const llvm::BasicBlock& to,
                        const Masks& taken, bool divergent);
  bool is_back_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const;
  // The block to branch to after `from` if `to` (null: none) and all pending blocks are still to be
  // executed.
  llvm::BasicBlock* next_pending_block(const llvm::BasicBlock& from, const llvm::BasicBlock* to,
                                       const llvm::BasicBlock* other = nullptr);
  void emit_latch(const llvm::BasicBlock& header, llvm::BasicBlock* next);
  llvm::Value* any_active(const Masks& masks);
  llvm::Value* all_true_mask();
  llvm::BasicBlock* new_block(const llvm::Twine& name);

  // emit_any_lane_guards.cpp
  std::optional<UniformBound> ascending_bound(const llvm::Value& condition, bool is_met) const;
  std::optional<UniformBound> ascending_bound(const llvm::BasicBlock& block) const;
  llvm::Value* any_lane_in_bound(const llvm::BasicBlock& block);
  bool needs_guard(const llvm::BasicBlock& block) const;

  // emit_values.cpp: operands, and instructions without side effects.
  unsigned row_count(const llvm::Value& value) const;
  llvm::Value* scalar(const llvm::Value& value,
                      unsigned row); // uniform, or lane 0 of an affine value
  llvm::Value* lanes(const llvm::Value& value, unsigned row, unsigned component = 0);
  llvm::Value* splat(llvm::Value* value) { return builder_.CreateVectorSplat(plan_.width, value); }
  llvm::VectorType* widened(llvm::Type* type) const {
    return llvm::FixedVectorType::get(type, plan_.width);
  }
  // Lane i holds first + i * stride.
  llvm::Value* strided_lanes(llvm::Value* first, Stride stride);
  llvm::Value* extract_component(llvm::Value* whole, unsigned component);
  VectorValue& define(const llvm::Value& value, VectorValue::Kind kind);
  void emit_instruction(const llvm::Instruction& instruction);
  void emit_uniform(const llvm::Instruction& instruction);
  std::optional<std::int64_t> row_stride(const llvm::Value& value);
  llvm::Value* add_row_offset(llvm::Value* first, std::int64_t distance);
  void emit_strided(const llvm::Instruction& instruction);
  llvm::Value* extend_lane_0(const llvm::Value& value, bool is_signed, llvm::Type* type,
                             unsigned row, unsigned depth = 0);
  llvm::Instruction* clone_scalar(const llvm::Instruction& instruction, unsigned row);
  void emit_elementwise(const llvm::Instruction& instruction);
  llvm::Value* widen_elementwise(const llvm::Instruction& instruction, unsigned row,
                                 unsigned component);
  llvm::Value* compare_by_lane_count(const llvm::Instruction& instruction, unsigned row);
  void emit_division(const llvm::BinaryOperator& division);
  void emit_bitcast(const llvm::BitCastInst& cast);
  void emit_gep(const llvm::GetElementPtrInst& address);
  void emit_component_access(const llvm::Instruction& instruction);
  llvm::Value* extract_element(const llvm::ExtractElementInst& extract, unsigned row);
  llvm::Value* interleave(llvm::ArrayRef<llvm::Value*> parts);
  llvm::Value* deinterleave(llvm::Value* vector, unsigned stride, unsigned offset);

  // emit_memory.cpp
  void emit_load(const llvm::LoadInst& load);
  void emit_store(const llvm::StoreInst& store);
  void emit_alloca(const llvm::AllocaInst& variable);
  void load_row(const llvm::LoadInst& load, unsigned row, VectorValue& result);
  void store_row(const llvm::StoreInst& store, unsigned row);
  llvm::Value* offset_address(llvm::Value* address, std::int64_t bytes);
  llvm::Value* last_active_value(llvm::Value* vector, unsigned row);

  // emit_strided_access.cpp
  enum class StridedAccess : std::uint8_t { none, consecutive, reversed, interleaved };
  llvm::Type* strided_access_type(llvm::Type* type) const;
  // How values of this type are accessed with such a stride; none: by gather and scatter.
  StridedAccess strided_access(llvm::Type* type, Stride stride, bool is_store) const;
  void load_strided(const llvm::LoadInst& load, unsigned row, Stride stride, llvm::Value* first,
                    VectorValue& result);
  void store_strided(const llvm::StoreInst& store, unsigned row, Stride stride, llvm::Value* first);
  llvm::Value* load_vector(const llvm::LoadInst& load, llvm::Value* address, llvm::Type* element,
                           unsigned count, llvm::Value* mask, llvm::Align align);
  void store_vector(const llvm::StoreInst& store, llvm::Value* value, llvm::Value* address,
                    llvm::Value* mask, llvm::Align align);
  llvm::Value* reverse_lanes(llvm::Value* vector);

  // emit_aos_access.cpp
  std::uint64_t chunk_bytes(llvm::Type* type) const;
  std::uint64_t access_bytes(llvm::Type* type, unsigned row) const;
  llvm::Constant* inactive_load_address(unsigned address_space);
  llvm::Value* inactive_store_address(llvm::Type* pointer);
  llvm::SmallVector<llvm::Value*, 64> safe_lane_addresses(const llvm::Value& address, unsigned row,
                                                          bool is_store);
  // False: values of this type are not accessed in chunks; nothing has been emitted.
  bool store_aos(const llvm::StoreInst& store, unsigned row);
  bool load_aos(const llvm::LoadInst& load, unsigned row, VectorValue& result);
  bool has_strided_addresses(const llvm::Value& address, unsigned row) const;
  bool uses_gather_or_scatter(llvm::Type* type, const llvm::Value& address, unsigned row) const;
  bool is_gathered(const llvm::LoadInst& load, unsigned row) const;
  bool is_scattered(const llvm::StoreInst& store, unsigned row) const;
  void unpack_components(llvm::Value* words, llvm::Type& type, unsigned row, VectorValue& result);
  llvm::Value* pack_components(llvm::ArrayRef<llvm::Value*> parts);
  llvm::Value* interleave_blocks(llvm::Value* a, llvm::Value* b, unsigned block, unsigned first);
  void transpose_blocks(llvm::SmallVectorImpl<llvm::Value*>& rows);
  void transpose_to_components(llvm::SmallVectorImpl<llvm::Value*>& parts, unsigned count);
  void transpose_to_lanes(llvm::SmallVectorImpl<llvm::Value*>& parts);

  // emit_transposed_access.cpp
  llvm::SmallVector<llvm::Value*, 64> lane_addresses(const llvm::Value& address, unsigned row);
  void load_transposed(const llvm::LoadInst& load, VectorValue& result);
  void store_transposed(const llvm::StoreInst& store);
  llvm::Value* extract_subvector(llvm::Value* vector, unsigned first, unsigned count);
  llvm::Value* interleave_pair(llvm::Value* a, llvm::Value* b);

  // emit_speculative_access.cpp
  llvm::Value* branch_on_likely_stride(const llvm::Value& address, Stride stride, unsigned row,
                                       llvm::BasicBlock* strided, llvm::BasicBlock* otherwise);
  llvm::Value* likely_lane_0(const llvm::Value& value, unsigned row,
                             llvm::SmallVectorImpl<llvm::Value*>& conditions, unsigned depth);
  llvm::Value* compute_likely_lane_0(const llvm::Value& value, unsigned row,
                                     llvm::SmallVectorImpl<llvm::Value*>& conditions,
                                     unsigned depth);
  llvm::Value* likely_lane_0_sext(const llvm::Value& value, llvm::Type* type, unsigned row,
                                  llvm::SmallVectorImpl<llvm::Value*>& conditions, unsigned depth);
  bool lane_0_never_wraps(const llvm::Value& value, bool is_signed, unsigned row) const;
  void add_no_wrap_condition(llvm::Value* first, Stride stride, bool is_signed,
                             llvm::SmallVectorImpl<llvm::Value*>& conditions);
  llvm::Value* emit_stride_check(llvm::Value* addresses, Stride stride, unsigned row);

  // emit_speculative_run.cpp
  void emit_instructions(const llvm::BasicBlock& block);
  bool is_restartable_at_entry(const llvm::BasicBlock& block) const;
  void call_fallback();
  void emit_speculative_run(llvm::ArrayRef<const llvm::Instruction*> run);
  void emit_with_location(const llvm::Instruction& instruction);
  bool is_speculative(const llvm::LoadInst& load) const;
  void merge_values(const llvm::Instruction& value, VectorValue other, llvm::BasicBlock* from,
                    llvm::BasicBlock* other_from);

  // emit_atomics.cpp
  bool emit_atomic_reduction(const llvm::AtomicRMWInst& update);

  // emit_calls.cpp
  void emit_call(const llvm::CallInst& call);
  void emit_intrinsic(const llvm::IntrinsicInst& call);
  void emit_component_reduction(const llvm::IntrinsicInst& call);
  void emit_once_per_subgroup(const llvm::CallInst& call);
  void emit_all_lanes_variant(const llvm::CallInst& call, llvm::Function& all);

  // emit_scalarized.cpp
  using LaneComponent = llvm::function_ref<llvm::Value*(const llvm::Value& value, unsigned c)>;
  void emit_scalarized(const llvm::Instruction& instruction);
  llvm::SmallVector<llvm::Value*, 4> emit_unrolled_lanes(const llvm::Instruction& instruction,
                                                         unsigned row);
  llvm::SmallVector<llvm::Value*, 4> emit_active_lane_loop(const llvm::Instruction& instruction,
                                                           unsigned row);
  llvm::Value* lane_address(const llvm::Value& value, unsigned row, unsigned lane, unsigned depth);
  llvm::Value* extract_enclosing_i64(const llvm::Value& value, unsigned row, unsigned lane);
  llvm::Value* sext_offset_from_i64(const llvm::GetElementPtrInst& address, unsigned row,
                                    unsigned lane);
  llvm::Value* zext_lane_from_i64(const llvm::Value& value, unsigned row, unsigned lane,
                                  llvm::Type* type);
  llvm::Instruction* clone_for_lane(const llvm::Instruction& instruction, unsigned row,
                                    llvm::Value* lane, const LaneComponent& component);
  llvm::Type* memory_type(llvm::Type* type);

  // emit_subgroup_ops.cpp
  void emit_subgroup_intrinsic(const llvm::CallInst& call, const SubgroupIntrinsic& function);
  llvm::Value* active_bits(llvm::Value* which = nullptr);
  llvm::Value* lane_0_linear_id();
  llvm::Value* lane_0_value(const llvm::Value& value, unsigned row);
  llvm::Value* first_active_lane();
  llvm::Value* active_lane_value(const llvm::Value& value);
  llvm::Value* read_lane(const llvm::Value& value, llvm::Value* lane);
  llvm::Value* shuffle_lanes(llvm::Value* value, llvm::Value* index);
  llvm::Value* shift_lanes(llvm::Value* value, unsigned distance, llvm::Value* fill);
  llvm::Value* reduce_lanes(llvm::Value* value, const SubgroupIntrinsic& how);
  llvm::Value* scan_lanes(llvm::Value* value, const SubgroupIntrinsic& how);
  llvm::Value* reduce_clusters(llvm::Value* value, llvm::Value* size, const SubgroupIntrinsic& how);

  llvm::Value* mask(unsigned row) const { return masks_[row]; }
  llvm::Value* mask_or_all(unsigned row) { return masks_[row] ? masks_[row] : all_true_mask(); }
  void initialize_slots(const llvm::BasicBlock& block);
  void store_common_values(const llvm::BasicBlock& block);
  void initialize_late_slots_at_entry(const llvm::DominatorTree& dominators);
  llvm::AllocaInst* create_entry_alloca(llvm::Type* type, const llvm::Twine& name);
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
  llvm::Function* function_ = nullptr;
  llvm::DILocation* inlined_at_ = nullptr;
  llvm::DenseMap<const llvm::DILocation*, llvm::DILocation*> inlined_locations_;
  llvm::BasicBlock* entry_ = nullptr;
  llvm::Value* entry_count_ = nullptr;

  llvm::DenseMap<const llvm::Value*, VectorValue> values_;
  llvm::DenseMap<const llvm::Instruction*, std::optional<std::int64_t>> row_strides_;
  // Broadcasts of scalars in the current block.
  llvm::DenseMap<std::tuple<const llvm::Value*, unsigned, unsigned>, llvm::Value*> broadcasts_;
  llvm::BasicBlock* broadcast_block_ = nullptr;
  Masks masks_; // of the current block
  llvm::DenseMap<const llvm::BasicBlock*, Masks> block_masks_;

  // While a run of speculative loads is emitted: the block for failed checks (null: each load has
  // its own), or that the path on which they have failed is emitted.
  llvm::BasicBlock* speculation_failed_ = nullptr;
  bool forces_gathers_ = false;
  struct {
    llvm::DenseMap<std::pair<const llvm::Value*, unsigned>, llvm::Value*> lane_0, lane_0_sext;
  } likely_; // lane 0's values under the checks that have held, by row
  // No side effect has been executed yet by any lane; the blocks at whose end this is so.
  bool is_restartable_ = true;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> restartable_;

  llvm::AllocaInst* inactive_stores_ = nullptr; // see inactive_store_address()

  // Phis and masks are stack slots until the end, when these are promoted.
  llvm::SmallVector<llvm::AllocaInst*, 64> slots_;
  llvm::DenseMap<const llvm::PHINode*, VectorValue> phi_slots_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::SmallVector<llvm::AllocaInst*, 4>> mask_slots_;
  // The most frequent incoming value of a phi, if it is available at the block's beginning: it is
  // stored there, and the edges with this value store nothing.
  llvm::DenseMap<const llvm::PHINode*, const llvm::Value*> common_values_;
  // By beginning (Linearization): the blocks whose slots are initialized there.
  llvm::DenseMap<const llvm::BasicBlock*, llvm::SmallVector<const llvm::BasicBlock*, 4>>
      blocks_begun_at_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> heads_;
  std::vector<Pending> pending_;
};

} // namespace heddle::compiler
