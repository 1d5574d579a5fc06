// Sub-group operations: the intrinsics of ir/subgroup_intrinsics.h on the lanes of a vector.
#include "compiler/ir/abi_builder.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/emit/emitter.h"
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

// A bit mask (i64) of the active lanes, or of those of them that are in `which`.
llvm::Value* Emitter::active_bits(llvm::Value* which) {
  auto* active = mask_or_all(0);
  if (which != nullptr)
    active = builder_.CreateSelect(active, which, llvm::Constant::getNullValue(which->getType()));
  return builder_.CreateZExtOrTrunc(builder_.CreateBitCast(active, builder_.getIntNTy(plan_.width)),
                                    builder_.getInt64Ty());
}

// The linear local id of lane 0.
llvm::Value* Emitter::lane_0_linear_id() {
  const auto state = work_item_params(*function_);
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
llvm::Value* Emitter::lane_0_value(const llvm::Value& value, unsigned row) {
  if (shapes_.is_uniform(value) || shapes_.stride(value))
    return scalar(value, row);
  return builder_.CreateExtractElement(lanes(value, row), std::uint64_t{0});
}

// A kernel that calls these has one row (vectorize.cpp), except for calls that
// peel_masked_remainder() inserts.
void Emitter::emit_subgroup_intrinsic(const llvm::CallInst& call,
                                      const SubgroupIntrinsic& function) {
  auto* type = call.getType();
  const auto argument = [&](unsigned i) { return lanes(*call.getArgOperand(i), 0); };
  const auto active_or_identity = [&] {
    auto* value = argument(0);
    return mask(0) == nullptr
               ? value
               : builder_.CreateSelect(mask(0), value, identity(function, value->getType()));
  };
  llvm::Value* made = nullptr;
  switch (function.kind) {
  case Kind::barrier:
    // Lanes execute in lockstep; only the order of memory accesses has to be kept.
    builder_.CreateFence(llvm::AtomicOrdering::AcquireRelease);
    return;
  case Kind::id:
    made = builder_.getInt32(0); // affine: lane 0's
    break;
  case Kind::count:
    made = builder_.getInt32(plan_.width);
    break;
  case Kind::base:
    made = builder_.CreateTrunc(lane_0_linear_id(), type);
    break;
  case Kind::leads: // left to lower_subgroup_intrinsics, for lane 0
    made = builder_.CreateCall(call.getCalledFunction());
    break;
  case Kind::ballot:
    made = active_bits(argument(0));
    break;
  case Kind::read:
    made = read_lane(*call.getArgOperand(0), active_lane_value(*call.getArgOperand(1)));
    break;
  case Kind::again:
    remark(call, "bounds check",
           "sub-groups of which all work-items pass it run without masks, others in the masked "
           "variant");
    call_fallback();
    return;
  case Kind::rows: {
    const auto& condition = *call.getArgOperand(0);
    for (unsigned row = 0; row < row_count(condition); ++row)
      made = row == 0 ? scalar(condition, 0) : builder_.CreateAnd(made, scalar(condition, row));
    break;
  }
  case Kind::first: {
    auto& firsts = define(call, VectorValue::Kind::uniform);
    for (unsigned row = 0; row < row_count(call); ++row)
      firsts.at(row) = lane_0_value(*call.getArgOperand(0), row);
    return;
  }
  case Kind::shuffle: {
    const auto& index = *call.getArgOperand(1);
    if (!shapes_.is_uniform(index) && !shapes_.is_uniform(call)) {
      made = shuffle_lanes(argument(0), argument(1));
      break;
    }
    made = read_lane(*call.getArgOperand(0), active_lane_value(index));
    if (!shapes_.is_uniform(call))
      made = splat(made);
    break;
  }
  case Kind::reduce:
    made = reduce_lanes(active_or_identity(), function);
    break;
  case Kind::scan:
    made = scan_lanes(active_or_identity(), function);
    break;
  case Kind::before: {
    auto* value = active_or_identity();
    made = scan_lanes(shift_lanes(value, 1, identity(function, value->getType())), function);
    if (type->isFloatingPointTy() && function.combine == Combine::add) // -0.0 becomes 0.0
      made = builder_.CreateFAdd(made, llvm::Constant::getNullValue(made->getType()));
    break;
  }
  case Kind::cluster:
    made =
        reduce_clusters(active_or_identity(), active_lane_value(*call.getArgOperand(1)), function);
    break;
  }
  const auto kind = function.kind == Kind::id  ? VectorValue::Kind::line
                    : shapes_.is_uniform(call) ? VectorValue::Kind::uniform
                                               : VectorValue::Kind::lanes;
  define(call, kind).at(0) = made;
}

// The number of the first active lane (i64).
llvm::Value* Emitter::first_active_lane() {
  if (mask(0) == nullptr)
    return builder_.getInt64(0);
  return builder_.CreateIntrinsic(llvm::Intrinsic::cttz, {builder_.getInt64Ty()},
                                  {active_bits(), builder_.getTrue()});
}

// A value that is the same in all active lanes, by analysis or by the rules of OpenCL C.
llvm::Value* Emitter::active_lane_value(const llvm::Value& value) {
  return shapes_.is_uniform(value)
             ? scalar(value, 0)
             : builder_.CreateExtractElement(lanes(value, 0), first_active_lane());
}

// The value of lane `lane`, a scalar.
llvm::Value* Emitter::read_lane(const llvm::Value& value, llvm::Value* lane) {
  if (shapes_.is_uniform(value))
    return scalar(value, 0);
  // In range even if the program passes another number.
  lane = builder_.CreateAnd(lane, llvm::ConstantInt::get(lane->getType(), plan_.width - 1));
  const auto found = values_.find(&value);
  if (found != values_.end() && found->second.kind == VectorValue::Kind::line &&
      value.getType()->isIntegerTy()) {
    auto* number = builder_.CreateZExtOrTrunc(lane, value.getType());
    auto* stride = llvm::ConstantInt::getSigned(value.getType(), found->second.stride, true);
    return builder_.CreateAdd(found->second.at(0), builder_.CreateMul(number, stride));
  }
  return builder_.CreateExtractElement(lanes(value, 0), lane);
}

// For each lane the value of the lane that its index names. Code generation matches the general
// pattern and selects a variable permutation where the CPU has one.
llvm::Value* Emitter::shuffle_lanes(llvm::Value* value, llvm::Value* index) {
  auto* last = llvm::ConstantInt::get(index->getType(), plan_.width - 1);
  index = builder_.CreateAnd(index, last);
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(index)) {
    llvm::SmallVector<int, 64> order;
    for (unsigned i = 0; i < plan_.width; ++i) {
      const auto* number =
          llvm::dyn_cast_or_null<llvm::ConstantInt>(constant->getAggregateElement(i));
      order.push_back(number != nullptr ? static_cast<int>(number->getZExtValue())
                                        : llvm::PoisonMaskElem);
    }
    return builder_.CreateShuffleVector(value, order);
  }
  llvm::Value* result = llvm::PoisonValue::get(value->getType());
  for (unsigned i = 0; i < plan_.width; ++i)
    result = builder_.CreateInsertElement(
        result, builder_.CreateExtractElement(value, builder_.CreateExtractElement(index, i)), i);
  return result;
}

llvm::Value* Emitter::reduce_lanes(llvm::Value* value, const SubgroupIntrinsic& how) {
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
llvm::Value* Emitter::shift_lanes(llvm::Value* value, unsigned distance, llvm::Value* fill) {
  llvm::SmallVector<int, 64> order;
  for (unsigned i = 0; i < plan_.width; ++i)
    order.push_back(static_cast<int>(i < distance ? plan_.width + i : i - distance));
  return builder_.CreateShuffleVector(value, fill, order);
}

// The inclusive scan.
llvm::Value* Emitter::scan_lanes(llvm::Value* value, const SubgroupIntrinsic& how) {
  auto* neutral = identity(how, value->getType());
  for (unsigned distance = 1; distance < plan_.width; distance *= 2)
    value = combine(builder_, how, shift_lanes(value, distance, neutral), value);
  return value;
}

// A butterfly reduction whose distances stop at the size of the cluster.
llvm::Value* Emitter::reduce_clusters(llvm::Value* value, llvm::Value* size,
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
