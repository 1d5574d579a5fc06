// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emit_calls.h"

#include "compiler/ir/bounds_check.h"
#include "compiler/lower/inline_policy.h"
#include "compiler/lower/lower_barriers.h"
#include "compiler/target/lower_target_math.h"
#include "compiler/vectorize/emit/vector_forms.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace heddle::compiler {
namespace {

// Elementwise, with a structure of two results: the value and the overflow flag.
bool is_with_overflow(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::uadd_with_overflow:
  case llvm::Intrinsic::sadd_with_overflow:
  case llvm::Intrinsic::usub_with_overflow:
  case llvm::Intrinsic::ssub_with_overflow:
  case llvm::Intrinsic::umul_with_overflow:
  case llvm::Intrinsic::smul_with_overflow:
    return true;
  default:
    return false;
  }
}

// Reductions of the components of an OpenCL vector whose order does not matter.
bool is_reduction(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::vector_reduce_and:
  case llvm::Intrinsic::vector_reduce_or:
  case llvm::Intrinsic::vector_reduce_xor:
  case llvm::Intrinsic::vector_reduce_add:
  case llvm::Intrinsic::vector_reduce_mul:
  case llvm::Intrinsic::vector_reduce_smin:
  case llvm::Intrinsic::vector_reduce_smax:
  case llvm::Intrinsic::vector_reduce_umin:
  case llvm::Intrinsic::vector_reduce_umax:
    return true;
  default:
    return false;
  }
}

// Whether the callee is one that is deliberately not inlined.
bool is_call_kept(const llvm::CallInst& call) {
  const auto* callee = call.getCalledFunction();
  return callee != nullptr && is_kept_out_of_line(*callee);
}

// The variant of a builtin function that is called once for all lanes, NAME_lanes: its parameters
// are those of NAME, the active lanes as a bit mask, and the address of the vector of results. Null
// if there is none.
llvm::Function* all_lanes_variant(const llvm::CallInst& call) {
  return is_call_kept(call)
             ? call.getModule()->getFunction((call.getCalledFunction()->getName() + "_lanes").str())
             : nullptr;
}

} // namespace

bool CallEmitter::is_dropped(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::assume:
  case llvm::Intrinsic::lifetime_start:
  case llvm::Intrinsic::lifetime_end:
  case llvm::Intrinsic::sideeffect:
    return true;
  default:
    return false;
  }
}

void CallEmitter::emit(const llvm::CallInst& call) {
  auto* callee = call.getCalledFunction();
  if (callee != nullptr && (is_barrier(*callee) || is_yield(*callee))) {
    clone_scalar(call, 0);
    return;
  }
  if (is_bounds_check(call))
    return bounds_.emit(call);
  if (const auto function = subgroup_intrinsic(call))
    return subgroup_ops_.emit(call, *function);
  if (callee != nullptr && is_called_once_per_subgroup(*callee))
    return emit_once_per_subgroup(call);
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
  if (intrinsic != nullptr && emit_intrinsic(*intrinsic))
    return;
  const bool has_uniform_operands = llvm::all_of(
      call.operands(), [&](const llvm::Use& use) { return shapes_.is_uniform(*use.get()); });
  // A memset or memcpy at a uniform address has the same effect in each lane.
  if (has_uniform_operands && (call.doesNotAccessMemory() || llvm::isa<llvm::MemIntrinsic>(call))) {
    if (!call.getType()->isVoidTy())
      return uniform_.emit_uniform(call);
    for (unsigned row = 0; row < plan_.rows; ++row)
      clone_scalar(call, row);
    return;
  }
  if (auto* all = has_uniform_operands ? all_lanes_variant(call) : nullptr)
    return emit_all_lanes_variant(call, *all);
  if (callee != nullptr && is_target_math(*callee))
    return emit_target_math(call, *callee);
  if (callee != nullptr && has_vector_form(*callee) &&
      (masks_.are_all_active() || returns_for_any_values(*callee)))
    return emit_vector_form(call, *callee);
  if (callee != nullptr && has_masked_form(*callee))
    return emit_masked_form(call, *callee);
  if (!is_call_kept(call))
    remark(call, "scalarized", "the called function has no vector variant");
  scalarized_.emit(call);
}

// False: the intrinsic is emitted as any other call.
bool CallEmitter::emit_intrinsic(const llvm::IntrinsicInst& call) {
  const auto id = call.getIntrinsicID();
  if (llvm::isa<llvm::DbgInfoIntrinsic>(call) || is_dropped(id))
    return true;
  if (const auto* declaration = llvm::dyn_cast<llvm::NoAliasScopeDeclInst>(&call)) {
    // The scope is another one in each iteration: LLVM has to know when it unrolls the loop.
    if (loops_.getLoopFor(call.getParent()) != nullptr)
      builder_.CreateNoAliasScopeDeclaration(declaration->getScopeList());
    return true;
  }
  if (id == llvm::Intrinsic::readcyclecounter) {
    uniform_.emit_uniform(call);
    return true;
  }
  if (shapes_.is_uniform(call))
    return false;
  if (llvm::isTriviallyVectorizable(id) || is_with_overflow(id)) {
    emit_vectorizable(call);
    return true;
  }
  if (is_reduction(id)) {
    emit_component_reduction(call);
    return true;
  }
  return false;
}

void CallEmitter::emit_target_math(const llvm::CallInst& call, llvm::Function& callee) {
  auto wide = define(call, VectorValue::Kind::lanes);
  auto* function = vector_target_math(callee, plan_.width);
  for (unsigned row = 0; row < (wide.by_row ? plan_.rows : 1); ++row) {
    llvm::SmallVector<llvm::Value*, 2> arguments;
    for (const auto& argument : call.args())
      arguments.push_back(argument->getType()->isPointerTy() ? scalar(*argument.get(), row)
                                                             : lanes(*argument.get(), row));
    wide.at(row) = builder_.CreateCall(function, arguments);
  }
  values_[call] = std::move(wide);
}

// Inactive lanes pass ones, for which math functions take no rare path.
void CallEmitter::emit_vector_form(const llvm::CallInst& call, llvm::Function& callee) {
  auto wide = define(call, VectorValue::Kind::lanes);
  auto* function = vector_form(callee, plan_.width);
  const auto rows = wide.by_row ? plan_.rows : 1;
  for (unsigned row = 0; row < rows; ++row) {
    // The lanes that are active in a row that the call is for.
    auto* active = mask(row);
    for (unsigned other = 1; rows == 1 && active != nullptr && other < plan_.rows; ++other)
      active = mask(other) != nullptr ? builder_.CreateOr(active, mask(other)) : nullptr;
    llvm::SmallVector<llvm::Value*, 2> arguments;
    for (const auto& argument : call.args()) {
      auto* value = lanes(*argument.get(), row);
      auto* type = value->getType();
      auto* one = type->isFPOrFPVectorTy() ? llvm::ConstantFP::get(type, 1)
                                           : llvm::ConstantInt::get(type, 1);
      arguments.push_back(active != nullptr ? builder_.CreateSelect(active, value, one) : value);
    }
    auto* made = builder_.CreateCall(function, arguments);
    wide.at(row) = made;
  }
  values_[call] = std::move(wide);
}

// The form that takes the arguments as this call has them.
llvm::Function* CallEmitter::find_masked_form(const llvm::CallInst& call, llvm::Function& callee,
                                              bool masked, FormShape& shape) {
  shape.width = plan_.width;
  shape.masked = masked;
  for (const auto& argument : call.args()) {
    const auto* value = values_.find(*argument.get());
    const auto bits = argument->getType()->getScalarSizeInBits();
    FormArgument how;
    if (value == nullptr || value->kind == VectorValue::Kind::uniform)
      how.kind = FormArgument::Kind::uniform;
    else if (value->kind == VectorValue::Kind::affine &&
             (argument->getType()->isPointerTy() || bits >= 32))
      how = {FormArgument::Kind::strided, value->stride};
    shape.arguments.push_back(how);
  }
  return masked_form(callee, shape);
}

llvm::SmallVector<llvm::Value*, 8>
CallEmitter::form_arguments(const llvm::CallInst& call, const FormShape& shape, unsigned row) {
  llvm::SmallVector<llvm::Value*, 8> arguments;
  for (const auto& argument : call.args()) {
    if (shape.arguments[argument.getOperandNo()].kind != FormArgument::Kind::lanes) {
      arguments.push_back(scalar(*argument.get(), row));
      continue;
    }
    for (unsigned c = 0; c < component_count(argument->getType()); ++c)
      arguments.push_back(lanes(*argument.get(), row, c));
  }
  if (shape.masked)
    arguments.push_back(mask_or_all(row));
  return arguments;
}

// A call once for the active lanes, of which there may be none.
void CallEmitter::emit_masked_form(const llvm::CallInst& call, llvm::Function& callee) {
  VectorValue wide;
  if (!call.getType()->isVoidTy()) {
    wide = define(call, VectorValue::Kind::lanes);
    wide.by_row = plan_.rows > 1;
    wide.parts.assign(plan_.rows * wide.components, nullptr);
  }
  for (unsigned row = 0; row < plan_.rows; ++row) {
    FormShape shape;
    auto* form = find_masked_form(call, callee, mask(row) != nullptr, shape);
    auto* made = builder_.CreateCall(form, form_arguments(call, shape, row));
    if (call.getType()->isVoidTy())
      continue;
    for (unsigned c = 0; c < wide.components; ++c)
      wide.at(row, c) = wide.components == 1 ? static_cast<llvm::Value*>(made)
                                             : builder_.CreateExtractValue(made, c);
  }
  if (!call.getType()->isVoidTy())
    values_[call] = std::move(wide);
}

// A call of a void function that is to be called once for the sub-group, with the arguments of an
// active lane.
void CallEmitter::emit_once_per_subgroup(const llvm::CallInst& call) {
  llvm::SmallVector<llvm::Value*, 9> arguments;
  for (const auto& argument : call.args())
    arguments.push_back(subgroup_ops_.active_lane_value(*argument.get()));
  auto* made = builder_.CreateCall(call.getCalledFunction(), arguments);
  made->setCallingConv(call.getCallingConv());
  made->setAttributes(call.getAttributes());
}

void CallEmitter::emit_all_lanes_variant(const llvm::CallInst& call, llvm::Function& all) {
  auto wide = define(call, VectorValue::Kind::lanes);
  wide.by_row = plan_.rows > 1;
  wide.parts.assign(plan_.rows, nullptr);
  for (unsigned row = 0; row < plan_.rows; ++row) {
    llvm::SmallVector<llvm::Value*, 6> arguments;
    for (const auto& argument : call.args())
      arguments.push_back(scalar(*argument.get(), row));
    arguments.push_back(masks_.active_bits(row));
    auto* results = create_entry_alloca(widened(call.getType()), "results");
    arguments.push_back(results);
    builder_.CreateCall(&all, arguments)->setCallingConv(all.getCallingConv());
    wide.at(row, 0) = builder_.CreateLoad(widened(call.getType()), results);
  }
  values_[call] = std::move(wide);
}

void CallEmitter::emit_vectorizable(const llvm::IntrinsicInst& call) {
  const auto id = call.getIntrinsicID();
  auto wide = define(call, VectorValue::Kind::lanes);
  const bool has_flag = is_with_overflow(id);
  const auto calls = has_flag ? component_count(call.getType()) / 2 : wide.components;
  for (unsigned row = 0; row < (wide.by_row ? plan_.rows : 1); ++row)
    for (unsigned c = 0; c < calls; ++c) {
      llvm::SmallVector<llvm::Type*, 4> types;
      llvm::SmallVector<llvm::Value*, 4> arguments;
      if (has_flag) {
        types.push_back(widened(component_type(call.getType(), c)));
      } else if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr)) {
        types.push_back(widened(component_type(call.getType(), c)));
      }
      for (unsigned i = 0; i < call.arg_size(); ++i) {
        const auto& argument = *call.getArgOperand(i);
        const bool is_scalar = llvm::isVectorIntrinsicWithScalarOpAtArg(id, i, nullptr);
        arguments.push_back(is_scalar ? scalar(argument, row) : lanes(argument, row, c));
        if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(i), nullptr))
          types.push_back(arguments.back()->getType());
      }
      auto* made = builder_.CreateIntrinsic(id, types, arguments);
      made->copyIRFlags(&call);
      if (has_flag) {
        wide.at(row, c) = builder_.CreateExtractValue(made, 0);
        wide.at(row, calls + c) = builder_.CreateExtractValue(made, 1);
      } else {
        wide.at(row, c) = made;
      }
    }
  values_[call] = std::move(wide);
}

// The reduction of each lane's components: elementwise, since each component is a vector of all
// lanes.
void CallEmitter::emit_component_reduction(const llvm::IntrinsicInst& call) {
  const auto id = call.getIntrinsicID();
  const auto& vector = *call.getArgOperand(0);
  const auto opcode = llvm::getArithmeticReductionInstruction(id);
  auto wide = define(call, VectorValue::Kind::lanes);
  for (unsigned row = 0; row < (wide.by_row ? plan_.rows : 1); ++row) {
    auto* all = lanes(vector, row, 0);
    for (unsigned c = 1; c < component_count(vector.getType()); ++c) {
      auto* next = lanes(vector, row, c);
      all =
          opcode == llvm::Instruction::ICmp
              ? builder_.CreateBinaryIntrinsic(llvm::getMinMaxReductionIntrinsicOp(id), all, next)
              : builder_.CreateBinOp(static_cast<llvm::Instruction::BinaryOps>(opcode), all, next);
    }
    wide.at(row) = all;
  }
  values_[call] = std::move(wide);
}

} // namespace heddle::compiler
