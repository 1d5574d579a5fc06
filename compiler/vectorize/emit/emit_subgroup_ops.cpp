// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emit_subgroup_ops.h"

#include "compiler/ir/abi_builder.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/emit/permute_lanes.h"
#include "llvm/IR/Intrinsics.h"

namespace heddle::compiler {
namespace {

using Kind = SubgroupIntrinsic::Kind;
using Combine = SubgroupIntrinsic::Combine;

llvm::Intrinsic::ID reduction(const SubgroupIntrinsic& how, bool is_real) {
  const auto pick = [&](llvm::Intrinsic::ID of_real, llvm::Intrinsic::ID of_unsigned,
                        llvm::Intrinsic::ID of_signed) {
    return is_real ? of_real : (how.is_unsigned ? of_unsigned : of_signed);
  };
  switch (how.combine) {
  case Combine::add:
    return llvm::Intrinsic::vector_reduce_add;
  case Combine::mul:
    return llvm::Intrinsic::vector_reduce_mul;
  case Combine::min:
    return pick(llvm::Intrinsic::vector_reduce_fmin, llvm::Intrinsic::vector_reduce_umin,
                llvm::Intrinsic::vector_reduce_smin);
  case Combine::max:
    return pick(llvm::Intrinsic::vector_reduce_fmax, llvm::Intrinsic::vector_reduce_umax,
                llvm::Intrinsic::vector_reduce_smax);
  case Combine::bit_and:
    return llvm::Intrinsic::vector_reduce_and;
  case Combine::bit_or:
    return llvm::Intrinsic::vector_reduce_or;
  default:
    return llvm::Intrinsic::vector_reduce_xor;
  }
}

} // namespace

// The linear local id of lane 0.
llvm::Value* SubgroupOpEmitter::lane_0_linear_id() {
  const auto state = work_item_params(context_.function());
  if (plan_.mapping == LaneMapping::linear)
    return state.local_id[0];
  AbiBuilder access(builder_);
  const auto size = [&](unsigned d) {
    return access.group_word(state.group, offsetof(abi::Group, local_size), d);
  };
  auto* row = builder_.CreateAdd(builder_.CreateMul(state.local_id[2], size(1)), state.local_id[1]);
  return builder_.CreateAdd(builder_.CreateMul(row, size(0)), state.local_id[0]);
}

// Lane 0's value, whether it is active or not.
llvm::Value* SubgroupOpEmitter::lane_0_value(const llvm::Value& value, unsigned row) {
  if (shapes_.is_uniform(value) || shapes_.stride(value))
    return scalar(value, row);
  return builder_.CreateExtractElement(lanes(value, row), std::uint64_t{0});
}

llvm::Value* SubgroupOpEmitter::active_or_identity(const llvm::Value& value,
                                                   const SubgroupIntrinsic& function) {
  auto* vector = lanes(value, 0);
  return mask(0) == nullptr
             ? vector
             : builder_.CreateSelect(mask(0), vector, identity(function, vector->getType()));
}

void SubgroupOpEmitter::emit(const llvm::CallInst& call, const SubgroupIntrinsic& function) {
  switch (function.kind) {
  case Kind::barrier:
    // Lanes execute in lockstep; only the order of memory accesses has to be kept.
    builder_.CreateFence(llvm::AtomicOrdering::AcquireRelease);
    return;
  case Kind::restart:
    remark(call, "bounds check",
           "sub-groups of which all work-items pass it run without masks, others in the masked "
           "variant");
    call_fallback();
    return;
  case Kind::first:
    emit_lane_0(call);
    return;
  default: {
    auto* made = emit_value(call, function);
    const auto kind = function.kind == Kind::id  ? VectorValue::Kind::affine
                      : shapes_.is_uniform(call) ? VectorValue::Kind::uniform
                                                 : VectorValue::Kind::lanes;
    define(call, kind).at(0) = made;
  }
  }
}

void SubgroupOpEmitter::emit_lane_0(const llvm::CallInst& call) {
  auto& firsts = define(call, VectorValue::Kind::uniform);
  for (unsigned row = 0; row < values_.row_count(call); ++row)
    firsts.at(row) = lane_0_value(*call.getArgOperand(0), row);
}

// A scalar if the result is uniform or affine, else a vector.
llvm::Value* SubgroupOpEmitter::emit_value(const llvm::CallInst& call,
                                           const SubgroupIntrinsic& function) {
  const auto operand = [&](unsigned i) -> const llvm::Value& { return *call.getArgOperand(i); };
  switch (function.kind) {
  case Kind::id:
    return builder_.getInt32(0); // affine: lane 0's
  case Kind::count:
    return builder_.getInt32(plan_.width);
  case Kind::base:
    return builder_.CreateTrunc(lane_0_linear_id(), call.getType());
  case Kind::is_leader: // left to lower_subgroup_intrinsics, for lane 0
    return builder_.CreateCall(call.getCalledFunction());
  case Kind::ballot:
    return masks_.active_bits(0, lanes(operand(0), 0));
  case Kind::read:
    return read_lane(operand(0), active_lane_value(operand(1)));
  case Kind::all_rows:
    return emit_all_rows(operand(0));
  case Kind::shuffle:
    return emit_shuffle(call);
  case Kind::reduce:
    return reduce_lanes(active_or_identity(operand(0), function), function);
  case Kind::scan:
    return scan_lanes(active_or_identity(operand(0), function), function);
  case Kind::exclusive_scan:
    return emit_exclusive_scan(call, function);
  case Kind::cluster: {
    auto* value = active_or_identity(operand(0), function);
    return reduce_clusters(value, active_lane_value(operand(1)), function);
  }
  case Kind::barrier:
  case Kind::restart:
  case Kind::first:
    break;
  }
  llvm_unreachable("has no single value");
}

// Whether a condition that is uniform in each row is true in all rows.
llvm::Value* SubgroupOpEmitter::emit_all_rows(const llvm::Value& condition) {
  llvm::Value* all = scalar(condition, 0);
  for (unsigned row = 1; row < values_.row_count(condition); ++row)
    all = builder_.CreateAnd(all, scalar(condition, row));
  return all;
}

llvm::Value* SubgroupOpEmitter::emit_shuffle(const llvm::CallInst& call) {
  const auto& value = *call.getArgOperand(0);
  const auto& index = *call.getArgOperand(1);
  if (!shapes_.is_uniform(index) && !shapes_.is_uniform(call)) {
    auto* vector = lanes(value, 0);
    return shuffle_lanes(vector, lanes(index, 0));
  }
  auto* read = read_lane(value, active_lane_value(index));
  return shapes_.is_uniform(call) ? read : splat(read);
}

llvm::Value* SubgroupOpEmitter::emit_exclusive_scan(const llvm::CallInst& call,
                                                    const SubgroupIntrinsic& function) {
  auto* value = active_or_identity(*call.getArgOperand(0), function);
  auto* result = scan_lanes(shift_lanes(value, 1, identity(function, value->getType())), function);
  if (call.getType()->isFloatingPointTy() && function.combine == Combine::add) // -0.0 becomes 0.0
    result = builder_.CreateFAdd(result, llvm::Constant::getNullValue(result->getType()));
  return result;
}

llvm::Value* SubgroupOpEmitter::active_lane_value(const llvm::Value& value) {
  return shapes_.is_uniform(value)
             ? scalar(value, 0)
             : builder_.CreateExtractElement(lanes(value, 0), masks_.first_active_lane());
}

// The value of lane `lane`, a scalar.
llvm::Value* SubgroupOpEmitter::read_lane(const llvm::Value& value, llvm::Value* lane) {
  if (shapes_.is_uniform(value))
    return scalar(value, 0);
  // In range even if the program passes another number.
  lane = builder_.CreateAnd(lane, llvm::ConstantInt::get(lane->getType(), plan_.width - 1));
  auto* found = values_.find(value);
  if (found != nullptr && found->kind == VectorValue::Kind::affine &&
      value.getType()->isIntegerTy()) {
    auto* number = builder_.CreateZExtOrTrunc(lane, value.getType());
    auto* stride = llvm::ConstantInt::getSigned(value.getType(), found->stride, true);
    return builder_.CreateAdd(found->at(0), builder_.CreateMul(number, stride));
  }
  return builder_.CreateExtractElement(lanes(value, 0), lane);
}

// For each lane the value of the lane that its index names.
llvm::Value* SubgroupOpEmitter::shuffle_lanes(llvm::Value* value, llvm::Value* index) {
  auto* last = llvm::ConstantInt::get(index->getType(), plan_.width - 1);
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(builder_.CreateAnd(index, last))) {
    llvm::SmallVector<int, 64> order;
    for (unsigned i = 0; i < plan_.width; ++i) {
      const auto* number =
          llvm::dyn_cast_or_null<llvm::ConstantInt>(constant->getAggregateElement(i));
      order.push_back(number != nullptr ? static_cast<int>(number->getZExtValue())
                                        : llvm::PoisonMaskElem);
    }
    return builder_.CreateShuffleVector(value, order);
  }
  return permute_lanes(builder_, value, index, plan_);
}

llvm::Value* SubgroupOpEmitter::reduce_lanes(llvm::Value* value, const SubgroupIntrinsic& how) {
  auto* element = value->getType()->getScalarType();
  const bool is_real = element->isFloatingPointTy();
  if (is_real && (how.combine == Combine::add || how.combine == Combine::mul)) {
    auto* made = how.combine == Combine::add
                     ? builder_.CreateFAddReduce(identity(how, element), value)
                     : builder_.CreateFMulReduce(identity(how, element), value);
    made->setHasAllowReassoc(true); // OpenCL C 6.15.16 leaves the order open
    return made;
  }
  return builder_.CreateIntrinsic(reduction(how, is_real), {value->getType()}, {value});
}

// Lane i gets the value of lane i - distance; the first `distance` lanes get those of `fill`.
llvm::Value* SubgroupOpEmitter::shift_lanes(llvm::Value* value, unsigned distance,
                                            llvm::Value* fill) {
  llvm::SmallVector<int, 64> order;
  for (unsigned i = 0; i < plan_.width; ++i)
    order.push_back(static_cast<int>(i < distance ? plan_.width + i : i - distance));
  return builder_.CreateShuffleVector(value, fill, order);
}

// The inclusive scan.
llvm::Value* SubgroupOpEmitter::scan_lanes(llvm::Value* value, const SubgroupIntrinsic& how) {
  auto* neutral = identity(how, value->getType());
  for (unsigned distance = 1; distance < plan_.width; distance *= 2)
    value = combine(builder_, how, shift_lanes(value, distance, neutral), value);
  return value;
}

// A butterfly reduction whose distances stop at the size of the cluster.
llvm::Value* SubgroupOpEmitter::reduce_clusters(llvm::Value* value, llvm::Value* size,
                                                const SubgroupIntrinsic& how) {
  for (unsigned distance = 1; distance < plan_.width; distance *= 2) {
    llvm::SmallVector<int, 64> order;
    for (unsigned i = 0; i < plan_.width; ++i)
      order.push_back(static_cast<int>(i ^ distance));
    auto* both = combine(builder_, how, value, builder_.CreateShuffleVector(value, order));
    auto* is_within =
        builder_.CreateICmpUGT(size, llvm::ConstantInt::get(size->getType(), distance));
    value = builder_.CreateSelect(is_within, both, value);
  }
  return value;
}

} // namespace heddle::compiler
