// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/optimize/expand_half.h"

#include "compiler/optimize/float_phis.h"
#include "compiler/optimize/half_conversions.h"
#include "compiler/target/instructions.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {
namespace {

using llvm::Intrinsic::ID;

bool is_half(const llvm::Value& value) { return value.getType()->getScalarType()->isHalfTy(); }

bool touches_half(const llvm::Instruction& instruction) {
  return is_half(instruction) ||
         llvm::any_of(instruction.operands(), [](const auto& use) { return is_half(*use); });
}

class Expander {
 public:
  Expander(llvm::Function& function, const TargetInfo& target)
      : function_(function), builder_(function.getContext()),
        has_conversions_(target.has_half_conversions), has_rounding_fma_(target.has_rounding_fma) {}

  bool run() {
    llvm::SmallVector<llvm::Instruction*, 32> found;
    // Definitions before uses, which use the float that a definition was computed as.
    for (auto* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_))
      for (auto& instruction : *block)
        if (touches_half(instruction))
          found.push_back(&instruction);
    bool changed = false;
    for (auto* instruction : found) {
      builder_.SetInsertPoint(instruction);
      auto* value = expanded(*instruction);
      if (value == nullptr)
        continue;
      changed = true;
      if (llvm::isa<llvm::Instruction>(value) && !value->hasName())
        value->takeName(instruction);
      instruction->replaceAllUsesWith(value);
      if (const auto wide = floats_.find(instruction); wide != floats_.end()) {
        auto* found_float = wide->second;
        floats_.erase(wide);
        floats_.try_emplace(value, found_float);
      }
      instruction->eraseFromParent();
    }
    changed |= widen_phis(
        function_, floats_, builder_, [&](llvm::Value* value) { return to_float(value); },
        has_conversions_);
    return changed;
  }

 private:
  // Null if the CPU does it: moves, bitwise operations, conversions.
  llvm::Value* expanded(llvm::Instruction& instruction) {
    if (llvm::isa<llvm::BinaryOperator>(instruction))
      return instruction.getOpcode() == llvm::Instruction::FRem ? nullptr : arithmetic(instruction);
    if (auto* comparison = llvm::dyn_cast<llvm::FCmpInst>(&instruction))
      return builder_.CreateFCmp(comparison->getPredicate(), to_float(instruction.getOperand(0)),
                                 to_float(instruction.getOperand(1)));
    if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
      return converted(*cast);
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
      return called(*call);
    return nullptr;
  }

  llvm::Value* arithmetic(llvm::Instruction& instruction) {
    return rounded(builder_.CreateBinOp(
        static_cast<llvm::Instruction::BinaryOps>(instruction.getOpcode()),
        to_float(instruction.getOperand(0)), to_float(instruction.getOperand(1))));
  }

  llvm::Value* converted(llvm::CastInst& cast) {
    auto* from = cast.getOperand(0);
    switch (cast.getOpcode()) {
    case llvm::Instruction::FPExt:
      return cast.getType()->getScalarType()->isFloatTy()
                 ? to_float(from)
                 : builder_.CreateFPExt(to_float(from), cast.getType());
    case llvm::Instruction::FPTrunc:
      if (from->getType()->getScalarType()->isDoubleTy())
        return rounded(double_to_odd_float(builder_, from));
      return has_conversions_ ? nullptr : rounded(from);
    case llvm::Instruction::FPToSI:
    case llvm::Instruction::FPToUI:
      return builder_.CreateCast(cast.getOpcode(), to_float(from), cast.getType());
    // Rounding to float changes only integers beyond 2^24, all of which are infinite as halves.
    case llvm::Instruction::SIToFP:
    case llvm::Instruction::UIToFP:
      return rounded(builder_.CreateCast(cast.getOpcode(), from,
                                         with_element(cast.getType(), builder_.getFloatTy())));
    default:
      return nullptr;
    }
  }

  llvm::Value* called(llvm::IntrinsicInst& call) {
    switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::fma:
      return fused(call);
    case llvm::Intrinsic::fmuladd: {
      // Fused, as with AVX-512 FP16, where that takes less time than to round the product.
      if (has_rounding_fma_ && !call.hasAllowContract())
        return fused(call);
      // With contraction the sum may have any excess precision.
      auto* product = builder_.CreateFMul(operand(call, 0), operand(call, 1));
      if (!call.hasAllowContract())
        product = to_float(rounded(product));
      return rounded(builder_.CreateFAdd(product, operand(call, 2)));
    }
    case llvm::Intrinsic::vector_reduce_fadd:
      return folded(call, [&](auto* a, auto* b) { return builder_.CreateFAdd(a, b); });
    case llvm::Intrinsic::vector_reduce_fmul:
      return folded(call, [&](auto* a, auto* b) { return builder_.CreateFMul(a, b); });
    // The result is a half: it need not be converted for what uses it as a float.
    case llvm::Intrinsic::floor:
    case llvm::Intrinsic::ceil:
    case llvm::Intrinsic::trunc:
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::nearbyint:
    case llvm::Intrinsic::round:
    case llvm::Intrinsic::roundeven:
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::minimum:
    case llvm::Intrinsic::maximum:
    case llvm::Intrinsic::minimumnum:
    case llvm::Intrinsic::maximumnum:
    case llvm::Intrinsic::canonicalize:
      return exactly(call);
    // Float has enough precision.
    case llvm::Intrinsic::sqrt:
    case llvm::Intrinsic::ldexp:
    case llvm::Intrinsic::vector_reduce_fmin:
    case llvm::Intrinsic::vector_reduce_fmax:
    case llvm::Intrinsic::vector_reduce_fminimum:
    case llvm::Intrinsic::vector_reduce_fmaximum:
    case llvm::Intrinsic::lrint:
    case llvm::Intrinsic::llrint:
    case llvm::Intrinsic::lround:
    case llvm::Intrinsic::llround:
    case llvm::Intrinsic::fptosi_sat:
    case llvm::Intrinsic::fptoui_sat: {
      auto* result = same_on_floats(call);
      return is_half(call) ? rounded(result) : result;
    }
    default:
      return nullptr;
    }
  }

  llvm::Value* fused(llvm::IntrinsicInst& call) {
    auto *a = operand(call, 0), *b = operand(call, 1), *c = operand(call, 2);
    return rounded(has_rounding_fma_ ? target_instructions::odd_fma_of_halves(builder_, a, b, c)
                                     : odd_fma_of_halves(builder_, a, b, c));
  }

  // Users of the result as a float take the float itself.
  llvm::Value* exactly(llvm::IntrinsicInst& call) {
    auto* value = same_on_floats(call);
    floats_[&call] = value;
    return rounded(value);
  }

  llvm::Value* same_on_floats(llvm::IntrinsicInst& call) {
    llvm::SmallVector<llvm::Value*, 3> operands;
    for (auto& argument : call.args())
      operands.push_back(is_half(*argument) ? to_float(argument.get()) : argument.get());
    auto* type =
        is_half(call) ? with_element(call.getType(), builder_.getFloatTy()) : call.getType();
    auto* result = builder_.CreateIntrinsic(type, call.getIntrinsicID(), operands);
    if (auto* own = llvm::dyn_cast<llvm::Instruction>(result);
        own != nullptr && llvm::isa<llvm::FPMathOperator>(own) &&
        llvm::isa<llvm::FPMathOperator>(call)) {
      own->setHasNoNaNs(call.hasNoNaNs());
      own->setHasNoSignedZeros(call.hasNoSignedZeros());
    }
    return result;
  }

  // Every sum or product is rounded to half: in pairs if they may be reassociated, as with AVX-512
  // FP16, else one after the other.
  llvm::Value* folded(llvm::IntrinsicInst& call,
                      llvm::function_ref<llvm::Value*(llvm::Value*, llvm::Value*)> combine) {
    auto* vector = call.getArgOperand(1);
    auto* start = call.getArgOperand(0);
    const auto width = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
    const auto both = [&](llvm::Value* a, llvm::Value* b) {
      auto* first = to_float(a);
      return rounded(combine(first, to_float(b)));
    };
    if (call.hasAllowReassoc() && llvm::isPowerOf2_32(width)) {
      for (auto rest = width; rest > 1; rest /= 2) {
        llvm::SmallVector<int, 32> low, high;
        for (unsigned i = 0; i < rest / 2; ++i) {
          low.push_back(static_cast<int>(i));
          high.push_back(static_cast<int>(rest / 2 + i));
        }
        auto* first = builder_.CreateShuffleVector(vector, low);
        auto* second = builder_.CreateShuffleVector(vector, high);
        vector = both(first, second);
      }
      return both(start, builder_.CreateExtractElement(vector, std::uint64_t{0}));
    }
    for (unsigned i = 0; i < width; ++i)
      start = both(start, builder_.CreateExtractElement(vector, std::uint64_t{i}));
    return start;
  }

  llvm::Value* operand(llvm::IntrinsicInst& call, unsigned index) {
    return to_float(call.getArgOperand(index));
  }

  // Converted once, where it is defined: outside of a loop if the value is invariant.
  llvm::Value* to_float(llvm::Value* value) {
    if (llvm::isa<llvm::Constant>(value))
      return half_to_float(builder_, value, has_conversions_);
    if (auto* known = floats_.lookup(value))
      return known;
    const llvm::IRBuilderBase::InsertPointGuard guard(builder_);
    if (is_free(value)) {
      auto* wide = chosen_or_negated(*llvm::cast<llvm::Instruction>(value));
      floats_.try_emplace(value, wide);
      return wide;
    }
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(value)) {
      const auto after = instruction->getInsertionPointAfterDef();
      builder_.SetInsertPoint((*after)->getParent(), *after);
      builder_.SetCurrentDebugLocation(instruction->getDebugLoc());
    } else {
      builder_.SetInsertPoint(function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    }
    auto* wide = half_to_float(builder_, value, has_conversions_);
    floats_.try_emplace(value, wide);
    return wide;
  }

  // Whether the value is a constant, known as a float, or a choice or the negative of such.
  bool is_free(llvm::Value* value, unsigned depth = 0) const {
    constexpr unsigned kMaxDepth = 4;
    if (llvm::isa<llvm::Constant>(value) || floats_.contains(value))
      return true;
    if (depth == kMaxDepth)
      return false;
    if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(value))
      return is_free(choice->getTrueValue(), depth + 1) &&
             is_free(choice->getFalseValue(), depth + 1);
    auto* negative = llvm::dyn_cast<llvm::UnaryOperator>(value);
    return negative != nullptr && is_free(negative->getOperand(0), depth + 1);
  }

  // The float of a choice or negative that is free.
  llvm::Value* chosen_or_negated(llvm::Instruction& instruction) {
    if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
      auto *first = to_float(choice->getTrueValue()), *second = to_float(choice->getFalseValue());
      builder_.SetInsertPoint(choice);
      return builder_.CreateSelect(choice->getCondition(), first, second);
    }
    auto* operand = to_float(instruction.getOperand(0));
    builder_.SetInsertPoint(&instruction);
    return builder_.CreateFNeg(operand);
  }

  llvm::Value* rounded(llvm::Value* value) {
    return float_to_half(builder_, value, has_conversions_);
  }

  llvm::Function& function_;
  llvm::IRBuilder<> builder_;
  const bool has_conversions_;
  const bool has_rounding_fma_;
  KnownFloats floats_;
};

} // namespace

llvm::PreservedAnalyses ExpandHalfPass::run(llvm::Module& module,
                                            llvm::ModuleAnalysisManager& /*analyses*/) {
  bool changed = false;
  if (!target_.has_half_arithmetic)
    for (auto& function : module)
      if (!function.isDeclaration())
        changed |= Expander(function, target_).run();
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace heddle::compiler
