// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emit_memory.h"

#include "compiler/ir/address_space.h"
#include "compiler/ir/id_based_access.h"
#include "compiler/vectorize/analysis/interleave_private_arrays.h"
#include "compiler/vectorize/analysis/lane_access.h"
#include "compiler/vectorize/analysis/scalarized_access.h"
#include "compiler/vectorize/analysis/transposed_access.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {
namespace {

// A divergent value times one that is only known at run time, such as the number of columns: values
// of neighboring lanes are far apart.
bool is_scaled_at_run_time(const llvm::Instruction& instruction) {
  return instruction.getOpcode() == llvm::Instruction::Mul &&
         llvm::none_of(instruction.operands(),
                       [](const llvm::Use& operand) { return llvm::isa<llvm::Constant>(operand); });
}

// Whether the value is computed from affine and uniform values only, so that lanes may access
// addresses that are close together.
bool is_computed_from_ids(const llvm::Value& value, const LaneShapes& shapes, unsigned depth = 0) {
  constexpr unsigned kMaxDepth = 12;
  if (shapes.is_uniform(value) || shapes.stride(value))
    return true;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return instruction != nullptr && depth < kMaxDepth &&
         llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst,
                   llvm::MinMaxIntrinsic>(instruction) &&
         !is_scaled_at_run_time(*instruction) &&
         llvm::all_of(instruction->operands(), [&](const llvm::Use& operand) {
           return is_computed_from_ids(*operand, shapes, depth + 1);
         });
}

// A half or a short: CoalesceGathersPass makes two loads of its gather if lanes turn out to be
// close together, and ExpandGathersPass has a gather for the other case.
bool may_coalesce(const llvm::LoadInst& load, const VectorPlan& plan, const LaneShapes& shapes) {
  constexpr unsigned kBits = 16;
  constexpr unsigned kLanes = 16;
  const auto& type = *load.getType();
  return plan.has_gathers && plan.width % kLanes == 0 && !type.isVectorTy() &&
         type.isSingleValueType() && type.getScalarSizeInBits() == kBits &&
         is_computed_from_ids(*load.getPointerOperand(), shapes);
}

constexpr const char* kWhyScalarized = "atomic accesses, and volatile ones without a stride "
                                       "between work-items or to private variables, "
                                       "are executed one work-item at a time";

// What is emitted for a volatile access stays where it is, and is neither left out nor merged with
// others: masked accesses, gathers and scatters cannot be volatile in LLVM, but fences for the
// thread alone, which are no instructions, have this effect on all accesses.
class OrderedAccess {
 public:
  OrderedAccess(llvm::IRBuilderBase& builder, const llvm::Instruction& access)
      : builder_(access.isVolatile() ? &builder : nullptr) {
    emit_fence();
  }
  ~OrderedAccess() { emit_fence(); }
  OrderedAccess(const OrderedAccess&) = delete;
  OrderedAccess& operator=(const OrderedAccess&) = delete;

 private:
  void emit_fence() {
    if (builder_ != nullptr)
      builder_->CreateFence(llvm::AtomicOrdering::AcquireRelease, llvm::SyncScope::SingleThread);
  }

  llvm::IRBuilderBase* builder_;
};

} // namespace

MemoryEmitter::MemoryEmitter(EmitState& state, ValueEmitter& uniform, ScalarizedEmitter& scalarized,
                             LaneAddressEmitter& addresses)
    : EmitterBase(state), uniform_(uniform), scalarized_(scalarized), aos_(state, addresses),
      strided_(state, aos_), transposed_(state, addresses), speculative_(state) {}

void MemoryEmitter::emit_load(const llvm::LoadInst& load) {
  const auto& address = *load.getPointerOperand();
  if (is_scalarized_access(load, shapes_)) {
    remark(load, "scalarized", kWhyScalarized);
    return scalarized_.emit(load);
  }
  if (shapes_.is_uniform(load) && shapes_.is_uniform(address))
    return uniform_.emit_uniform(load);
  const OrderedAccess order(builder_, load);
  auto wide = define(load, VectorValue::Kind::lanes);
  wide.by_row |= plan_.rows > 1 && mask(0) != nullptr;
  wide.parts.assign((wide.by_row ? plan_.rows : 1) * wide.components, nullptr);
  if (plan_.rows > 1 && mask(0) == nullptr && is_transposed(load, shapes_))
    transposed_.load(load, wide);
  else
    for (unsigned row = 0; row < (wide.by_row ? plan_.rows : 1); ++row)
      load_row(load, row, wide);
  values_[load] = std::move(wide);
}

void MemoryEmitter::load_row(const llvm::LoadInst& load, unsigned row, VectorValue& result) {
  const auto& address = *load.getPointerOperand();
  const auto access = lane_access(load, shapes_);
  const bool is_strided = access.kind == LaneAccess::Kind::strided;
  if (access.kind == LaneAccess::Kind::uniform) {
    // The address is uniform, though the value is not known to be.
    auto* loaded = clone_access(load, row);
    for (unsigned c = 0; c < result.components; ++c)
      result.at(row, c) = splat(values_.extract_component(loaded, c));
    return;
  }
  if (is_strided && strided_.kind(load.getType(), access.stride, false) != StridedAccess::none)
    return strided_.load(load, row, access.stride, scalar(address, row), result);
  if (aos_.has_strided_addresses(address, row)) {
    if (is_kept_in_registers(address, *load.getType()))
      return load_gather(load, row, result);
    if (aos_.load(load, row, result))
      return;
    remark(load, "one load per lane", "work-items read addresses that are far apart");
    return load_each_lane(load, row, access.stride, result);
  }
  if (is_speculative(load) && !forces_gathers_) {
    remark(load, "speculative load",
           "whether work-items read consecutive addresses is known only at run time");
    return load_speculative(load, row, result);
  }
  const bool is_gathered = may_coalesce(load, plan_, shapes_) || aos_.is_gathered(load, row);
  remark(load, is_gathered ? "gather" : "one load per lane",
         is_strided ? "work-items read addresses that are far apart"
                    : "the address has no constant stride between work-items");
  load_gather(load, row, result);
}

// Large constant stride: one scalar load per lane from an address that is known is faster than a
// gather, for which the addresses are extracted from a vector.
void MemoryEmitter::load_each_lane(const llvm::LoadInst& load, unsigned row, Stride stride,
                                   VectorValue& result) {
  auto* first = scalar(*load.getPointerOperand(), row);
  for (unsigned c = 0; c < result.components; ++c) {
    auto* type = component_type(load.getType(), c);
    const auto offset = static_cast<std::int64_t>(component_offset(load.getType(), c, layout_));
    llvm::Value* all = llvm::PoisonValue::get(widened(type));
    for (unsigned lane = 0; lane < plan_.width; ++lane) {
      const auto lane_offset = offset + stride * static_cast<std::int64_t>(lane);
      auto* made = builder_.CreateAlignedLoad(
          type, offset_address(first, lane_offset),
          llvm::commonAlignment(load.getAlign(), static_cast<std::uint64_t>(lane_offset)));
      made->copyMetadata(load, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                                llvm::LLVMContext::MD_noalias});
      all = builder_.CreateInsertElement(all, made, lane);
    }
    result.at(row, c) = all;
  }
}

void MemoryEmitter::load_gather(const llvm::LoadInst& load, unsigned row, VectorValue& result) {
  if (!may_coalesce(load, plan_, shapes_) &&
      !is_kept_in_registers(*load.getPointerOperand(), *load.getType()) &&
      aos_.load(load, row, result))
    return;
  const auto& address = *load.getPointerOperand();
  auto* addresses = lanes(address, row);
  for (unsigned c = 0; c < result.components; ++c) {
    auto* type = component_type(load.getType(), c);
    const auto offset = static_cast<std::int64_t>(component_offset(load.getType(), c, layout_));
    auto* made = builder_.CreateMaskedGather(
        widened(type), offset_address(addresses, offset),
        llvm::commonAlignment(load.getAlign(), static_cast<std::uint64_t>(offset)),
        mask_or_all(row));
    made->copyMetadata(load, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                              llvm::LLVMContext::MD_noalias});
    if (result.components == 1 && !shapes_.stride(address) &&
        is_computed_from_ids(address, shapes_))
      mark_id_based_access(*made);
    result.at(row, c) = made;
  }
}

// In a run a failed check branches to the run's block, else to a gather of this load alone.
void MemoryEmitter::load_speculative(const llvm::LoadInst& load, unsigned row,
                                     VectorValue& result) {
  const auto& address = *load.getPointerOperand();
  const auto stride = *shapes_.likely_stride(address);
  auto* strided = new_block("strided");
  const auto load_after_check = [&](llvm::BasicBlock* failed) {
    auto* first = speculative_.branch_on_likely_stride(address, stride, row, strided, failed);
    builder_.SetInsertPoint(strided);
    strided_.load(load, row, stride, first, result);
  };
  if (auto* failed_run = speculative_.failed_block())
    return load_after_check(failed_run);
  auto* failed = new_block("not.strided");
  auto* loaded = new_block("load.done");
  load_after_check(failed);
  llvm::SmallVector<llvm::Value*, 4> vectors;
  for (unsigned c = 0; c < result.components; ++c)
    vectors.push_back(result.at(row, c));
  strided = builder_.GetInsertBlock();
  builder_.CreateBr(loaded);
  builder_.SetInsertPoint(failed);
  load_gather(load, row, result);
  failed = builder_.GetInsertBlock();
  builder_.CreateBr(loaded);
  builder_.SetInsertPoint(loaded);
  for (unsigned c = 0; c < result.components; ++c) {
    auto* phi = builder_.CreatePHI(vectors[c]->getType(), 2);
    phi->addIncoming(vectors[c], strided);
    phi->addIncoming(result.at(row, c), failed);
    result.at(row, c) = phi;
  }
}

void MemoryEmitter::emit_store(const llvm::StoreInst& store) {
  const auto& address = *store.getPointerOperand();
  const auto& value = *store.getValueOperand();
  if (is_scalarized_access(store, shapes_)) {
    remark(store, "scalarized", kWhyScalarized);
    return scalarized_.emit(store);
  }
  const OrderedAccess order(builder_, store);
  const auto differs_by_row = [&](const llvm::Value& operand) {
    const auto* found = values_.find(operand);
    return found != nullptr && found->by_row;
  };
  if (plan_.rows > 1 && mask(0) == nullptr && is_transposed(store, shapes_))
    return transposed_.store(store);
  const bool is_by_row = differs_by_row(address) || differs_by_row(value);
  const bool is_scalar = shapes_.is_uniform(address) && shapes_.is_uniform(value);
  // Some row has an active lane.
  if (is_scalar && !is_by_row) {
    clone_scalar(store, 0);
    return;
  }
  // Rows that store the same have masks of their own.
  const auto rows = is_by_row || mask(0) != nullptr ? plan_.rows : 1;
  for (unsigned row = 0; row < rows; ++row) {
    if (!shapes_.is_uniform(address))
      store_row(store, row);
    else if (is_scalar)
      clone_access(store, row);
    else
      store_last_lane(store, row);
  }
}

// All lanes store to one address: the last active one's value remains.
void MemoryEmitter::store_last_lane(const llvm::StoreInst& store, unsigned row) {
  const auto& address = *store.getPointerOperand();
  const auto& value = *store.getValueOperand();
  auto* type = value.getType();
  auto* to = guarded_address(scalar(address, row), true, row);
  for (unsigned c = 0; c < component_count(type); ++c) {
    const auto offset = component_offset(type, c, layout_);
    builder_.CreateAlignedStore(masks_.last_active_value(lanes(value, row, c), row),
                                offset_address(to, static_cast<std::int64_t>(offset)),
                                llvm::commonAlignment(store.getAlign(), offset));
  }
}

void MemoryEmitter::store_row(const llvm::StoreInst& store, unsigned row) {
  const auto& address = *store.getPointerOperand();
  auto* type = store.getValueOperand()->getType();
  const auto access = lane_access(store, shapes_);
  const bool is_strided = access.kind == LaneAccess::Kind::strided;
  const bool has_vector_form =
      access.has_stride() && strided_.kind(type, access.stride, true) != StridedAccess::none;
  if (has_vector_form && is_strided)
    return strided_.store(store, row, access.stride, scalar(address, row));
  if (has_vector_form) {
    remark(store, "speculative store",
           "whether work-items write to consecutive addresses is known only at run time");
    return store_speculative(store, row, access.stride);
  }
  if (access.has_stride() && access.stride != 0 && plan_.has_slow_scatters &&
      mask(row) == nullptr && component_count(type) == 1 && !is_kept_in_registers(address, *type)) {
    remark(store, "one store per lane", "work-items write to addresses that are far apart");
    return is_strided ? store_each_lane(store, row, scalar(address, row), access.stride)
                      : store_speculative(store, row, access.stride);
  }
  remark(store, aos_.is_scattered(store, row) ? "scatter" : "one store per lane",
         is_strided ? "work-items write to addresses that are far apart"
                    : "the address has no constant stride between work-items");
  store_scatter(store, row);
}

void MemoryEmitter::store_each_lane(const llvm::StoreInst& store, unsigned row, llvm::Value* first,
                                    Stride stride) {
  auto* values = lanes(*store.getValueOperand(), row);
  for (unsigned lane = 0; lane < plan_.width; ++lane) {
    const auto offset = stride * static_cast<std::int64_t>(lane);
    auto* made = builder_.CreateAlignedStore(
        builder_.CreateExtractElement(values, lane), offset_address(first, offset),
        llvm::commonAlignment(store.getAlign(), static_cast<std::uint64_t>(offset)));
    made->copyMetadata(store, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                               llvm::LLVMContext::MD_noalias});
  }
}

void MemoryEmitter::store_scatter(const llvm::StoreInst& store, unsigned row) {
  const auto& address = *store.getPointerOperand();
  const auto& value = *store.getValueOperand();
  auto* type = value.getType();
  if (!is_kept_in_registers(address, *type) && aos_.store(store, row))
    return;
  const auto count = component_count(type);
  auto* addresses = lanes(address, row);
  for (unsigned c = 0; c < count; ++c) {
    const auto offset = component_offset(type, c, layout_);
    auto* component = lanes(value, row, c);
    auto* made = builder_.CreateMaskedScatter(
        component, offset_address(addresses, static_cast<std::int64_t>(offset)),
        llvm::commonAlignment(store.getAlign(), offset), mask_or_all(row));
    made->copyMetadata(store, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                               llvm::LLVMContext::MD_noalias});
    if (count == 1 && is_computed_from_ids(address, shapes_))
      mark_id_based_access(*made);
  }
}

void MemoryEmitter::store_speculative(const llvm::StoreInst& store, unsigned row, Stride stride) {
  auto* strided = new_block("strided");
  auto* failed = new_block("not.strided");
  auto* stored = new_block("store.done");
  auto* first = speculative_.branch_on_likely_stride(*store.getPointerOperand(), stride, row,
                                                     strided, failed);
  builder_.SetInsertPoint(strided);
  if (strided_.kind(store.getValueOperand()->getType(), stride, true) != StridedAccess::none)
    strided_.store(store, row, stride, first);
  else
    store_each_lane(store, row, first, stride);
  builder_.CreateBr(stored);
  builder_.SetInsertPoint(failed);
  store_scatter(store, row);
  builder_.CreateBr(stored);
  builder_.SetInsertPoint(stored);
}

// Whether the access is one of local memory that may be kept in registers: a gather or scatter of
// it, in all lanes, becomes a shuffle, and the accesses of each lane else.
bool MemoryEmitter::is_kept_in_registers(const llvm::Value& address, llvm::Type& type) const {
  return plan_.gathers_local_memory && address.getType()->getPointerAddressSpace() == kLocal &&
         component_count(&type) == 1;
}

// The variables of all lanes, one after the other.
void MemoryEmitter::emit_alloca(const llvm::AllocaInst& variable) {
  auto& wide = define(variable, VectorValue::Kind::affine);
  const auto size = static_cast<std::uint64_t>(bytes_per_lane(variable));
  auto* type = llvm::ArrayType::get(builder_.getInt8Ty(), size * plan_.width * plan_.rows);
  auto* made = create_entry_alloca(type, variable.getName());
  made->setAlignment(std::max(variable.getAlign(), llvm::Align(64)));
  for (unsigned row = 0; row < (wide.by_row ? plan_.rows : 1); ++row)
    wide.at(row) =
        builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), made, row * plan_.width * size);
}

bool MemoryEmitter::is_speculative(const llvm::LoadInst& load) const {
  const auto access = lane_access(load, shapes_);
  return access.kind == LaneAccess::Kind::likely_strided &&
         strided_.kind(load.getType(), access.stride, false) != StridedAccess::none;
}

} // namespace heddle::compiler
