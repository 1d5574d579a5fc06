// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/shadow_values.h"

#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/work_item_params.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {
namespace {

using llvm::Intrinsic::ID;

bool is_zero(const llvm::Value* shadow) {
  const auto* constant = llvm::dyn_cast_or_null<llvm::Constant>(shadow);
  return shadow == nullptr || (constant != nullptr && constant->isNullValue());
}

unsigned elements(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector != nullptr ? vector->getNumElements() : 1;
}

// The same operation on the lanes' shadows: those that are moved move, what is combined has the
// bits of all. Null: the result depends on no operand.
llvm::FunctionCallee of_lanes(const llvm::CallInst& call, const SubgroupIntrinsic& intrinsic,
                              llvm::IntegerType& type) {
  using Kind = SubgroupIntrinsic::Kind;
  auto* callee = call.getCalledFunction();
  if (intrinsic.kind == Kind::ballot)
    return callee;
  if (intrinsic.kind != Kind::read && intrinsic.kind != Kind::shuffle &&
      intrinsic.combine == SubgroupIntrinsic::Combine::none)
    return {};
  auto name = callee->getName().rsplit('_').first;
  const bool combines = intrinsic.combine != SubgroupIntrinsic::Combine::none;
  if (combines)
    name = name.rsplit('_').first;
  const auto* of_type = type.getBitWidth() == 8    ? "char"
                        : type.getBitWidth() == 16 ? "short"
                        : type.getBitWidth() == 32 ? "int"
                                                   : "long";
  llvm::SmallVector<llvm::Type*, 2> parameters(callee->getFunctionType()->params());
  parameters[0] = &type;
  return callee->getParent()->getOrInsertFunction(
      (name + (combines ? "_or_" : "_") + of_type).str(),
      llvm::FunctionType::get(&type, parameters, false), callee->getAttributes());
}

// Whether a function's result depends on nothing but its arguments and these are no memory. Calls
// that exchange values between work-items are convergent.
bool is_function_of_values(const llvm::CallInst& call) {
  const auto* callee = call.getCalledFunction();
  return callee != nullptr && call.doesNotAccessMemory() && !call.isConvergent() &&
         !callee->isConvergent() && !has_work_item_params(*callee) &&
         llvm::none_of(call.args(),
                       [](const llvm::Use& use) { return use->getType()->isPtrOrPtrVectorTy(); });
}

} // namespace

llvm::Type* ShadowValues::type_of(llvm::Type* type) const {
  auto& context = type->getContext();
  if (type->isIntegerTy())
    return type;
  if (type->isPointerTy())
    return layout_.getIntPtrType(type);
  if (type->isHalfTy() || type->isBFloatTy() || type->isFloatTy() || type->isDoubleTy())
    return llvm::IntegerType::get(context, type->getPrimitiveSizeInBits().getFixedValue());
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    auto* element = type_of(vector->getElementType());
    return element != nullptr ? llvm::FixedVectorType::get(element, vector->getNumElements())
                              : nullptr;
  }
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    auto* element = type_of(array->getElementType());
    return element != nullptr ? llvm::ArrayType::get(element, array->getNumElements()) : nullptr;
  }
  if (auto* members = llvm::dyn_cast<llvm::StructType>(type)) {
    llvm::SmallVector<llvm::Type*, 8> shadows;
    for (auto* member : members->elements())
      shadows.push_back(type_of(member));
    return llvm::is_contained(shadows, nullptr)
               ? nullptr
               : llvm::StructType::get(context, shadows, members->isPacked());
  }
  return nullptr;
}

llvm::Value* ShadowValues::of(const llvm::Value& value) const {
  if (llvm::isa<llvm::UndefValue>(value) && !llvm::isa<llvm::PoisonValue>(value) &&
      value.getType()->isPointerTy())
    return llvm::Constant::getAllOnesValue(type_of(value.getType()));
  return shadows_.lookup(&value);
}

void ShadowValues::set(const llvm::Value& value, llvm::Value* shadow) {
  if (!is_zero(shadow))
    shadows_[&value] = shadow;
}

llvm::Value* ShadowValues::shadow_or_zero(llvm::Value& value) const {
  auto* shadow = of(value);
  return shadow != nullptr ? shadow : llvm::Constant::getNullValue(type_of(value.getType()));
}

llvm::Value* ShadowValues::combine(llvm::Value* a, llvm::Value* b,
                                   llvm::IRBuilderBase& builder) const {
  return is_zero(a) ? b : is_zero(b) ? a : builder.CreateOr(a, b);
}

llvm::Value* ShadowValues::any(llvm::Value* shadow, llvm::IRBuilderBase& builder) {
  if (is_zero(shadow))
    return nullptr;
  auto* type = shadow->getType();
  if (type->isAggregateType()) {
    llvm::Value* found = nullptr;
    const auto count = type->isStructTy() ? type->getStructNumElements()
                                          : static_cast<unsigned>(type->getArrayNumElements());
    for (unsigned i = 0; i < count; ++i)
      if (auto* member = any(builder.CreateExtractValue(shadow, i), builder))
        found = found != nullptr ? builder.CreateOr(found, member) : member;
    return found;
  }
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    shadow = builder.CreateBitCast(
        shadow, builder.getIntNTy(vector->getNumElements() * vector->getScalarSizeInBits()));
  return shadow->getType()->isIntegerTy(1) ? shadow : builder.CreateIsNotNull(shadow);
}

llvm::Value* ShadowValues::spread(llvm::Value* any, llvm::Type* type,
                                  llvm::IRBuilderBase& builder) const {
  if (any == nullptr)
    return nullptr;
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return builder.CreateVectorSplat(vector->getNumElements(),
                                     spread(any, vector->getElementType(), builder));
  if (type->isIntegerTy())
    return builder.CreateSExt(any, type);
  llvm::Value* made = llvm::PoisonValue::get(type);
  const auto count = type->isStructTy() ? type->getStructNumElements()
                                        : static_cast<unsigned>(type->getArrayNumElements());
  for (unsigned i = 0; i < count; ++i)
    made = builder.CreateInsertValue(
        made, spread(any, llvm::ExtractValueInst::getIndexedType(type, i), builder), i);
  return made;
}

llvm::Value* ShadowValues::of_operands(llvm::ArrayRef<llvm::Value*> operands, llvm::Type* type,
                                       llvm::IRBuilderBase& builder) const {
  auto* wanted = type_of(type);
  if (wanted == nullptr)
    return nullptr;
  llvm::Value* result = nullptr;
  for (auto* operand : operands) {
    auto* shadow = of(*operand);
    if (shadow == nullptr)
      continue;
    auto* has = shadow->getType();
    if (has != wanted) {
      if (wanted->isVectorTy() && has->isVectorTy() && elements(has) == elements(wanted))
        shadow = builder.CreateSExt(builder.CreateIsNotNull(shadow), wanted);
      else
        shadow = spread(any(shadow, builder), wanted, builder);
    } else if (type->isFPOrFPVectorTy()) {
      shadow = builder.CreateSExt(builder.CreateIsNotNull(shadow), wanted);
    } else if (wanted->isAggregateType()) {
      return spread(any(shadow, builder), wanted, builder);
    }
    result = combine(result, shadow, builder);
  }
  return result;
}

void ShadowValues::compute(llvm::Instruction& instruction) {
  auto* type = type_of(instruction.getType());
  if (type == nullptr)
    return;
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
    auto* shadow = llvm::PHINode::Create(type, phi->getNumIncomingValues(),
                                         phi->getName() + ".shadow", phi->getIterator());
    phis_.emplace_back(phi, shadow);
    shadows_[phi] = shadow;
    return;
  }
  if (llvm::none_of(instruction.operands(),
                    [&](const llvm::Use& operand) { return of(*operand) != nullptr; }))
    return;
  llvm::IRBuilder<> builder(&instruction);
  set(instruction, make(instruction, builder));
}

void ShadowValues::finish_phis() {
  for (const auto& [phi, shadow] : phis_)
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
      shadow->addIncoming(shadow_or_zero(*phi->getIncomingValue(i)), phi->getIncomingBlock(i));
}

llvm::Value* ShadowValues::make(llvm::Instruction& instruction, llvm::IRBuilderBase& builder) {
  const auto operand = [&](unsigned i) -> llvm::Value& { return *instruction.getOperand(i); };
  if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    return make_binary(*operation, builder);
  if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
    return make_comparison(*comparison, builder);
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    return make_cast(*cast, builder);
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction))
    return make_select(*select, builder);
  if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction))
    return make_shuffle(*shuffle, builder);
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    return make_call(*call, builder);
  if (llvm::isa<llvm::FreezeInst>(instruction))
    return of(operand(0));
  if (llvm::isa<llvm::ExtractElementInst>(instruction)) {
    auto* all = of_operands({&operand(1)}, instruction.getType(), builder); // by a wrong index
    auto* element = of(operand(0));
    return element != nullptr
               ? combine(builder.CreateExtractElement(element, &operand(1)), all, builder)
               : all;
  }
  if (llvm::isa<llvm::InsertElementInst>(instruction))
    return combine(builder.CreateInsertElement(shadow_or_zero(operand(0)),
                                               shadow_or_zero(operand(1)), &operand(2)),
                   of_operands({&operand(2)}, instruction.getType(), builder), builder);
  if (auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction))
    return builder.CreateExtractValue(of(operand(0)), extract->getIndices());
  if (auto* insert = llvm::dyn_cast<llvm::InsertValueInst>(&instruction))
    return builder.CreateInsertValue(shadow_or_zero(operand(0)), shadow_or_zero(operand(1)),
                                     insert->getIndices());
  return of_operands(llvm::SmallVector<llvm::Value*, 8>(instruction.operand_values()),
                     instruction.getType(), builder);
}

llvm::Value* ShadowValues::make_binary(llvm::BinaryOperator& operation,
                                       llvm::IRBuilderBase& builder) const {
  auto* a = operation.getOperand(0);
  auto* b = operation.getOperand(1);
  auto* shadow_a = shadow_or_zero(*a);
  auto* shadow_b = shadow_or_zero(*b);
  const auto opcode = operation.getOpcode();
  switch (opcode) {
  case llvm::Instruction::And: // a zero that is known decides
    return builder.CreateAnd(
        builder.CreateOr(shadow_a, shadow_b),
        builder.CreateAnd(builder.CreateOr(a, shadow_a), builder.CreateOr(b, shadow_b)));
  case llvm::Instruction::Or: // a one that is known
    return builder.CreateAnd(builder.CreateOr(shadow_a, shadow_b),
                             builder.CreateAnd(builder.CreateOr(builder.CreateNot(a), shadow_a),
                                               builder.CreateOr(builder.CreateNot(b), shadow_b)));
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
  case llvm::Instruction::Xor:
  case llvm::Instruction::Mul:
    return combine(shadow_a, shadow_b, builder);
  case llvm::Instruction::Shl:
  case llvm::Instruction::LShr:
  case llvm::Instruction::AShr: {
    auto* all = builder.CreateSExt(builder.CreateIsNotNull(shadow_b), shadow_b->getType());
    return combine(builder.CreateBinOp(opcode, shadow_a, b), all, builder);
  }
  default: // of divisions, and of floating point: any bit changes all
    return combine(is_zero(shadow_a)
                       ? nullptr
                       : builder.CreateSExt(builder.CreateIsNotNull(shadow_a), shadow_a->getType()),
                   is_zero(shadow_b)
                       ? nullptr
                       : builder.CreateSExt(builder.CreateIsNotNull(shadow_b), shadow_b->getType()),
                   builder);
  }
}

// Unknown is what differs between the values that the operands may have.
llvm::Value* ShadowValues::make_comparison(llvm::ICmpInst& comparison,
                                           llvm::IRBuilderBase& builder) const {
  auto* a = comparison.getOperand(0);
  auto* b = comparison.getOperand(1);
  if (a->getType()->isPtrOrPtrVectorTy())
    return of_operands({a, b}, comparison.getType(), builder);
  auto* shadow_a = shadow_or_zero(*a);
  auto* shadow_b = shadow_or_zero(*b);
  if (comparison.isEquality()) {
    auto* unknown = combine(shadow_a, shadow_b, builder);
    auto* differs = builder.CreateAnd(builder.CreateXor(a, b), builder.CreateNot(unknown));
    return builder.CreateAnd(builder.CreateIsNotNull(unknown), builder.CreateIsNull(differs));
  }
  if (comparison.isSigned()) { // the same order, unsigned
    auto* sign = llvm::ConstantInt::get(
        a->getType(), llvm::APInt::getSignedMinValue(a->getType()->getScalarSizeInBits()));
    a = builder.CreateXor(a, sign);
    b = builder.CreateXor(b, sign);
  }
  const auto predicate = comparison.getUnsignedPredicate();
  const auto least = [&](llvm::Value* value, llvm::Value* shadow) {
    return is_zero(shadow) ? value : builder.CreateAnd(value, builder.CreateNot(shadow));
  };
  const auto most = [&](llvm::Value* value, llvm::Value* shadow) {
    return is_zero(shadow) ? value : builder.CreateOr(value, shadow);
  };
  return builder.CreateXor(builder.CreateICmp(predicate, least(a, shadow_a), most(b, shadow_b)),
                           builder.CreateICmp(predicate, most(a, shadow_a), least(b, shadow_b)));
}

llvm::Value* ShadowValues::make_cast(llvm::CastInst& cast, llvm::IRBuilderBase& builder) const {
  auto* shadow = of(*cast.getOperand(0));
  auto* type = type_of(cast.getType());
  switch (cast.getOpcode()) {
  case llvm::Instruction::Trunc:
  case llvm::Instruction::ZExt:
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::IntToPtr:
  case llvm::Instruction::AddrSpaceCast:
    return builder.CreateZExtOrTrunc(shadow, type);
  case llvm::Instruction::SExt:
    return builder.CreateSExt(shadow, type);
  case llvm::Instruction::BitCast:
    return builder.CreateBitCast(shadow, type);
  default:
    return of_operands({cast.getOperand(0)}, cast.getType(), builder);
  }
}

llvm::Value* ShadowValues::make_select(llvm::SelectInst& select,
                                       llvm::IRBuilderBase& builder) const {
  auto* condition = select.getCondition();
  auto* a = select.getTrueValue();
  auto* b = select.getFalseValue();
  auto* shadow_a = shadow_or_zero(*a);
  auto* shadow_b = shadow_or_zero(*b);
  auto* shadow = builder.CreateSelect(condition, shadow_a, shadow_b);
  auto* unknown = of(*condition);
  if (unknown == nullptr)
    return shadow;
  auto* type = shadow->getType();
  if (type->isAggregateType())
    return spread(any(unknown, builder), type, builder);
  const auto bits = [&](llvm::Value* value) {
    return value->getType()->isPtrOrPtrVectorTy() ? builder.CreatePtrToInt(value, type)
                                                  : builder.CreateBitCast(value, type);
  };
  auto* either =
      builder.CreateOr(builder.CreateXor(bits(a), bits(b)), builder.CreateOr(shadow_a, shadow_b));
  return builder.CreateSelect(unknown, either, shadow);
}

// Elements that are taken from nowhere are never read.
llvm::Value* ShadowValues::make_shuffle(llvm::ShuffleVectorInst& shuffle,
                                        llvm::IRBuilderBase& builder) const {
  const auto mask = shuffle.getShuffleMask();
  auto* made = builder.CreateShuffleVector(shadow_or_zero(*shuffle.getOperand(0)),
                                           shadow_or_zero(*shuffle.getOperand(1)), mask);
  if (!llvm::is_contained(mask, llvm::PoisonMaskElem))
    return made;
  llvm::SmallVector<llvm::Constant*, 16> is_taken;
  for (const auto index : mask)
    is_taken.push_back(builder.getInt1(index != llvm::PoisonMaskElem));
  return builder.CreateSelect(llvm::ConstantVector::get(is_taken), made,
                              llvm::Constant::getNullValue(made->getType()));
}

llvm::Value* ShadowValues::make_of_lanes(llvm::CallInst& call, const SubgroupIntrinsic& intrinsic,
                                         llvm::IRBuilderBase& builder) const {
  auto* type = llvm::dyn_cast<llvm::IntegerType>(type_of(call.getType()));
  if (type == nullptr || call.arg_empty())
    return nullptr;
  auto function = of_lanes(call, intrinsic, *type);
  if (function.getCallee() == nullptr)
    return nullptr;
  llvm::SmallVector<llvm::Value*, 2> operands(call.args());
  operands[0] = shadow_or_zero(*operands[0]);
  llvm::Value* shadow = builder.CreateCall(function, operands);
  if (intrinsic.kind == SubgroupIntrinsic::Kind::ballot || call.getType()->isFloatingPointTy())
    shadow = spread(any(shadow, builder), type, builder);
  return operands.size() < 2
             ? shadow
             : combine(shadow, of_operands({call.getArgOperand(1)}, call.getType(), builder),
                       builder);
}

llvm::Value* ShadowValues::make_call(llvm::CallInst& call, llvm::IRBuilderBase& builder) const {
  if (const auto intrinsic = subgroup_intrinsic(call))
    return make_of_lanes(call, *intrinsic, builder);
  if (!is_function_of_values(call))
    return nullptr;
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::bswap:
  case llvm::Intrinsic::bitreverse:
    return builder.CreateUnaryIntrinsic(call.getIntrinsicID(), of(*call.getArgOperand(0)));
  case llvm::Intrinsic::fshl:
  case llvm::Intrinsic::fshr: {
    auto* amount = call.getArgOperand(2);
    return combine(builder.CreateIntrinsic(call.getIntrinsicID(), {call.getType()},
                                           {shadow_or_zero(*call.getArgOperand(0)),
                                            shadow_or_zero(*call.getArgOperand(1)), amount}),
                   of_operands({amount}, call.getType(), builder), builder);
  }
  case llvm::Intrinsic::is_constant:
  case llvm::Intrinsic::objectsize:
    return nullptr;
  default:
    return of_operands(llvm::SmallVector<llvm::Value*, 8>(call.args()), call.getType(), builder);
  }
}

} // namespace heddle::compiler
