// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/lower_target_math.h"

#include "compiler/target/math_instructions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kPrefix = "__heddle_math_";
// Whether functions have instructions, which the library asks.
constexpr llvm::StringLiteral kQuestion = "__heddle_math_has_";

void answer_with_true(llvm::Function& question) {
  for (auto* user : llvm::make_early_inc_range(question.users()))
    user->replaceAllUsesWith(llvm::ConstantInt::getTrue(user->getType()));
}

// Elements `first` and following of a scalar or vector, as many as fill a register.
llvm::Value* part_of(llvm::Value* operand, unsigned first, unsigned each,
                     llvm::IRBuilder<>& builder) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(operand->getType());
  if (vector == nullptr)
    return builder.CreateInsertElement(
        llvm::Constant::getNullValue(llvm::FixedVectorType::get(operand->getType(), each)), operand,
        std::uint64_t{0});
  const unsigned width = vector->getNumElements();
  if (width == each)
    return operand;
  llvm::SmallVector<int, 16> picked;
  for (unsigned i = 0; i < each; ++i)
    picked.push_back(static_cast<int>(std::min(first + i, width - 1)));
  return builder.CreateShuffleVector(operand, picked);
}

llvm::Value* lowered(llvm::CallInst& call) {
  llvm::IRBuilder<> builder(&call);
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(call.getType());
  const auto name = call.getCalledFunction()->getName();
  const unsigned width = vector != nullptr ? vector->getNumElements() : 1;
  const unsigned each = math_instructions::elements_at_once(name, *call.getType());
  if (each == 0)
    return math_instructions::emit_scalar(call, builder);
  llvm::Value* result = nullptr;
  for (unsigned first = 0; first < width; first += each) {
    llvm::SmallVector<llvm::Value*, 3> operands;
    for (auto& argument : call.args())
      if (!argument->getType()->isPointerTy())
        operands.push_back(part_of(argument.get(), first, each, builder));
    auto* part = math_instructions::emit(call, operands, builder);
    if (vector == nullptr)
      return builder.CreateExtractElement(part, std::uint64_t{0});
    if (width == each)
      return part;
    // All parts have the same size: concatenates them by shuffles.
    llvm::SmallVector<int, 64> spread(width, -1);
    for (unsigned i = 0; i < each && first + i < width; ++i)
      spread[first + i] = static_cast<int>(i);
    auto* placed = builder.CreateShuffleVector(part, spread);
    if (result == nullptr) {
      result = placed;
      continue;
    }
    llvm::SmallVector<int, 64> joined;
    for (unsigned i = 0; i < width; ++i)
      joined.push_back(static_cast<int>(i < first ? i : width + i));
    result = builder.CreateShuffleVector(result, placed, joined);
  }
  return result;
}

} // namespace

static void mark_target_math(llvm::Module& module, const TargetInfo& target) {
  for (auto& function : module) {
    const auto name = function.getName();
    if (!name.starts_with(kPrefix) || !math_instructions::exist(name, target))
      continue;
    if (name.starts_with(kQuestion)) {
      answer_with_true(function);
      continue;
    }
    function.deleteBody();
    function.setLinkage(llvm::GlobalValue::ExternalLinkage);
    function.removeFnAttr(llvm::Attribute::AlwaysInline);
    function.setDoesNotAccessMemory();
    function.setDoesNotThrow();
    function.setWillReturn();
    function.addFnAttr(llvm::Attribute::Speculatable);
  }
}

bool is_target_math(const llvm::Function& function) {
  return function.isDeclaration() && math_instructions::are_known(function.getName());
}

llvm::Function* vector_target_math(llvm::Function& function, unsigned width) {
  auto* type = llvm::FixedVectorType::get(function.getReturnType(), width);
  llvm::SmallVector<llvm::Type*, 2> parameters;
  for (const auto& argument : function.args())
    parameters.push_back(argument.getType()->isPointerTy()
                             ? argument.getType()
                             : llvm::FixedVectorType::get(argument.getType(), width));
  auto callee = function.getParent()->getOrInsertFunction(
      (function.getName() + "_v" + llvm::Twine(width)).str(),
      llvm::FunctionType::get(type, parameters, false));
  auto* wide = llvm::cast<llvm::Function>(callee.getCallee());
  wide->addFnAttrs(llvm::AttrBuilder(function.getContext(), function.getAttributes().getFnAttrs()));
  return wide;
}

static void lower_target_math(llvm::Module& module) {
  for (auto& function : llvm::make_early_inc_range(module)) {
    if (!is_target_math(function))
      continue;
    for (auto* user : llvm::make_early_inc_range(function.users())) {
      auto& call = *llvm::cast<llvm::CallInst>(user);
      auto* value = lowered(call);
      value->takeName(&call);
      call.replaceAllUsesWith(value);
      call.eraseFromParent();
    }
    function.eraseFromParent();
  }
}

llvm::PreservedAnalyses MarkTargetMathPass::run(llvm::Module& module,
                                                llvm::ModuleAnalysisManager& /*analyses*/) {
  mark_target_math(module, target_);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses LowerTargetMathPass::run(llvm::Module& module,
                                                 llvm::ModuleAnalysisManager& /*analyses*/) {
  lower_target_math(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
