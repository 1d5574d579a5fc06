// Operations between the lanes of a sub-group.
#include "compiler/ir/abi_builder.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/emit/emitter.h"
#include "llvm/IR/Intrinsics.h"

namespace heddle::compiler {
namespace {

using Kind = SubgroupIntrinsic::Kind;
using Combine = SubgroupIntrinsic::Combine;

llvm::Intrinsic::ID reduction(const SubgroupIntrinsic& how, bool real) {
  const auto pick = [&](llvm::Intrinsic::ID of_real, llvm::Intrinsic::ID of_unsigned,
                        llvm::Intrinsic::ID of_signed) {
    return real ? of_real : (how.is_unsigned ? of_unsigned : of_signed);
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

// One bit for each active lane, or of those the ones in `which`.
llvm::Value* Emitter::mask_bits(llvm::Value* which) {
  auto* active = mask_or_all(0);
  if (which != nullptr)
    active = builder_.CreateSelect(active, which, llvm::Constant::getNullValue(which->getType()));
  return builder_.CreateZExtOrTrunc(builder_.CreateBitCast(active, builder_.getIntNTy(plan_.width)),
                                    builder_.getInt64Ty());
}

// The linear local id of lane 0.
llvm::Value* Emitter::first_linear_id() {
  const auto state = work_item_params(*made_);
  if (plan_.mapping == LaneMapping::linear)
    return state.local_id[0];
  AbiBuilder access(builder_);
  const auto size = [&](unsigned d) {
    return access.group_word(state.group, offsetof(abi::Group, local_size), d);
  };
  auto* line =
      builder_.CreateAdd(builder_.CreateMul(state.local_id[2], size(1)), state.local_id[1]);
  return builder_.CreateAdd(builder_.CreateMul(line, size(0)), state.local_id[0]);
}

llvm::Value* Emitter::lane_0(const llvm::Value& value, unsigned row) {
  if (shapes_.is_uniform(value) || shapes_.stride(value))
    return scalar(value, row);
  return builder_.CreateExtractElement(lanes(value, row), std::uint64_t{0});
}

// A kernel that calls these has one row (vectorize.cpp), but for what peel_masked_remainder()
// needs.
void Emitter::emit_lane_function(const llvm::CallInst& call, const SubgroupIntrinsic& function) {
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
    // The lanes' instructions are in step; what is left is not to be reordered.
    builder_.CreateFence(llvm::AtomicOrdering::AcquireRelease);
    return;
  case Kind::id:
    made = builder_.getInt32(0); // of lane 0
    break;
  case Kind::count:
    made = builder_.getInt32(plan_.width);
    break;
  case Kind::base:
    made = builder_.CreateTrunc(first_linear_id(), type);
    break;
  case Kind::leads: // of lane 0, as lower_subgroup_intrinsics has it
    made = builder_.CreateCall(call.getCalledFunction());
    break;
  case Kind::ballot:
    made = mask_bits(argument(0));
    break;
  case Kind::read:
    made = read_lane(*call.getArgOperand(0), of_active_lane(*call.getArgOperand(1)));
    break;
  case Kind::again:
    remark(call, "bounds check",
           "sub-groups of which all work-items pass it run without masks, others in a form of "
           "their own");
    start_again_masked();
    return;
  case Kind::rows: {
    const auto& asked = *call.getArgOperand(0);
    for (unsigned row = 0; row < rows_of(asked); ++row)
      made = row == 0 ? scalar(asked, 0) : builder_.CreateAnd(made, scalar(asked, row));
    break;
  }
  case Kind::first: {
    auto& firsts = define(call, VectorValue::Kind::uniform);
    for (unsigned row = 0; row < rows_of(call); ++row)
      firsts.at(row) = lane_0(*call.getArgOperand(0), row);
    return;
  }
  case Kind::shuffle: {
    const auto& index = *call.getArgOperand(1);
    if (!shapes_.is_uniform(index) && !shapes_.is_uniform(call)) {
      made = shuffle_lanes(argument(0), argument(1));
      break;
    }
    made = read_lane(*call.getArgOperand(0), of_active_lane(index));
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
    if (type->isFloatingPointTy() && function.combine == Combine::add) // -0.0 is not zero's name
      made = builder_.CreateFAdd(made, llvm::Constant::getNullValue(made->getType()));
    break;
  }
  case Kind::cluster:
    made = reduce_clusters(active_or_identity(), of_active_lane(*call.getArgOperand(1)), function);
    break;
  }
  const auto kind = function.kind == Kind::id  ? VectorValue::Kind::line
                    : shapes_.is_uniform(call) ? VectorValue::Kind::uniform
                                               : VectorValue::Kind::lanes;
  define(call, kind).at(0) = made;
}

// Number of the first active lane.
llvm::Value* Emitter::active_lane() {
  if (mask(0) == nullptr)
    return builder_.getInt64(0);
  return builder_.CreateIntrinsic(llvm::Intrinsic::cttz, {builder_.getInt64Ty()},
                                  {mask_bits(), builder_.getTrue()});
}

// A value that is the same in all active lanes, if only for what the program promises.
llvm::Value* Emitter::of_active_lane(const llvm::Value& value) {
  return shapes_.is_uniform(value) ? scalar(value, 0)
                                   : builder_.CreateExtractElement(lanes(value, 0), active_lane());
}

llvm::Value* Emitter::read_lane(const llvm::Value& value, llvm::Value* lane) {
  if (shapes_.is_uniform(value))
    return scalar(value, 0);
  // In range, whatever the program says.
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

// Each lane's choice of a lane. Code generation knows the pattern of the general case, and makes
// one instruction of it where the CPU has that.
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
  const bool real = element->isFloatingPointTy();
  if (real && (how.combine == Combine::add || how.combine == Combine::mul)) {
    auto* made = how.combine == Combine::add
                     ? builder_.CreateFAddReduce(identity(how, element), value)
                     : builder_.CreateFMulReduce(identity(how, element), value);
    made->setHasAllowReassoc(true); // OpenCL C 6.15.16 leaves the order open
    return made;
  }
  return builder_.CreateIntrinsic(reduction(how, real), {value->getType()}, {value});
}

// Lane i gets what lane i - distance has; the first ones get `fill`.
llvm::Value* Emitter::shift_lanes(llvm::Value* value, unsigned distance, llvm::Value* fill) {
  llvm::SmallVector<int, 64> order;
  for (unsigned i = 0; i < plan_.width; ++i)
    order.push_back(static_cast<int>(i < distance ? plan_.width + i : i - distance));
  return builder_.CreateShuffleVector(value, fill, order);
}

llvm::Value* Emitter::scan_lanes(llvm::Value* value, const SubgroupIntrinsic& how) {
  auto* none = identity(how, value->getType());
  for (unsigned distance = 1; distance < plan_.width; distance *= 2)
    value = combine(builder_, how, shift_lanes(value, distance, none), value);
  return value;
}

// In steps of twice the distance, as far as the cluster goes.
llvm::Value* Emitter::reduce_clusters(llvm::Value* value, llvm::Value* size,
                                      const SubgroupIntrinsic& how) {
  for (unsigned distance = 1; distance < plan_.width; distance *= 2) {
    llvm::SmallVector<int, 64> order;
    for (unsigned i = 0; i < plan_.width; ++i)
      order.push_back(static_cast<int>(i ^ distance));
    auto* both = combine(builder_, how, value, builder_.CreateShuffleVector(value, order));
    auto* inside = builder_.CreateICmpUGT(size, llvm::ConstantInt::get(size->getType(), distance));
    value = builder_.CreateSelect(inside, both, value);
  }
  return value;
}

} // namespace heddle::compiler
