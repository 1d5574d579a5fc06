// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/widen_vector_builtins.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {
namespace {

// What is longer computes more than it moves, and is better off in registers that are full.
constexpr unsigned kMaxInstructions = 10;
// Longer registers than this need not be full: the CPU executes as many operations at a time.
constexpr unsigned kFullBits = 256;

bool is_number(const llvm::Type* type) { return type->isIntegerTy() || type->isFloatingPointTy(); }

bool is_widenable(const llvm::Instruction& instruction) {
  if (!is_number(instruction.getType()))
    return false;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return llvm::isTriviallyVectorizable(call->getIntrinsicID());
  return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst,
                   llvm::SelectInst, llvm::FreezeInst>(instruction);
}

// Conversions between types of different sizes take several instructions.
unsigned instructions(const llvm::BasicBlock& block) {
  unsigned count = 0;
  for (const auto& instruction : block)
    count += llvm::isa<llvm::ReturnInst>(instruction) ? 0
             : llvm::isa<llvm::CastInst>(instruction) ? 2
                                                      : 1;
  return count;
}

bool is_widenable(const llvm::Function& scalar) {
  return !scalar.isDeclaration() && scalar.size() == 1 &&
         instructions(scalar.front()) <= kMaxInstructions &&
         llvm::isa<llvm::ReturnInst>(scalar.front().back()) && is_number(scalar.getReturnType()) &&
         llvm::all_of(llvm::drop_end(scalar.front()),
                      [](const llvm::Instruction& i) { return is_widenable(i); });
}

class Widener {
 public:
  Widener(llvm::Function& function, const llvm::Function& scalar)
      : function_(function), scalar_(scalar),
        lanes_(llvm::cast<llvm::FixedVectorType>(function.getReturnType())->getElementCount()),
        builder_(function.getContext()) {}

  void run() {
    function_.dropAllReferences(); // and the blocks
    builder_.SetInsertPoint(llvm::BasicBlock::Create(function_.getContext(), "entry", &function_));
    for (const auto& parameter : scalar_.args()) {
      auto* argument = function_.getArg(parameter.getArgNo());
      values_[&parameter] = argument->getType()->isVectorTy()
                                ? argument
                                : builder_.CreateVectorSplat(lanes_, argument);
    }
    for (const auto& instruction : llvm::drop_end(scalar_.front()))
      values_[&instruction] = widen(instruction);
    builder_.CreateRet(value(*scalar_.front().back().getOperand(0)));
  }

 private:
  llvm::Value* value(llvm::Value& scalar) const {
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(&scalar))
      return llvm::ConstantVector::getSplat(lanes_, constant);
    return values_.lookup(&scalar);
  }

  llvm::Value* widen(const llvm::Instruction& instruction) {
    auto* type = llvm::VectorType::get(instruction.getType(), lanes_);
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
      return widen_call(*call, type);
    auto* made = instruction.clone();
    for (auto& operand : made->operands())
      operand = value(*operand);
    made->mutateType(type);
    return builder_.Insert(made);
  }

  llvm::Value* widen_call(const llvm::IntrinsicInst& call, llvm::Type* type) {
    const auto id = call.getIntrinsicID();
    llvm::SmallVector<llvm::Type*, 2> types;
    if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr))
      types.push_back(type);
    llvm::SmallVector<llvm::Value*, 4> arguments;
    for (const auto& argument : llvm::enumerate(call.args())) {
      const auto index = static_cast<unsigned>(argument.index());
      const bool is_scalar = llvm::isVectorIntrinsicWithScalarOpAtArg(id, index, nullptr);
      arguments.push_back(is_scalar ? argument.value().get() : value(*argument.value()));
      if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(index), nullptr))
        types.push_back(arguments.back()->getType());
    }
    auto* made = builder_.CreateIntrinsic(id, types, arguments);
    made->copyIRFlags(&call);
    made->copyMetadata(call);
    return made;
  }

  llvm::Function& function_;
  const llvm::Function& scalar_;
  const llvm::ElementCount lanes_;
  llvm::IRBuilder<> builder_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> values_;
};

// The function that an expanded one calls for each component.
const llvm::Function* scalar_overload(const llvm::Function& function) {
  for (const auto& instruction : llvm::instructions(function))
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      return call->getCalledFunction();
  return nullptr;
}

} // namespace

void widen_vector_builtins(llvm::Module& module, unsigned register_bits) {
  const auto is_full = [&](const llvm::Type* type) {
    return type->isVectorTy() &&
           type->getPrimitiveSizeInBits() >= std::min(register_bits, kFullBits);
  };
  for (auto& function : module)
    if (function.hasFnAttribute(kExpandedAttribute)) {
      function.removeFnAttr(kExpandedAttribute);
      const auto* scalar = scalar_overload(function);
      if (is_full(function.getReturnType()) && scalar != nullptr && is_widenable(*scalar))
        Widener(function, *scalar).run();
    }
}

} // namespace heddle::compiler
