// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/fold_constant_powers.h"

#include "compiler/ir/mangled_name.h"
#include "compiler/lower/widen_vector_builtins.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <memory>

namespace heddle::compiler {
namespace {

// Above, pown calculates the logarithm.
constexpr int kMaxMultiplied = 8;

// The number that all components of the constant are, or null.
const llvm::ConstantFP* same_number(const llvm::Value& value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(&value);
  if (constant == nullptr)
    return nullptr;
  if (constant->getType()->isVectorTy())
    constant = constant->getSplatValue();
  return llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
}

// The function of this name and type, with the attributes of calls of `like`.
llvm::Function& declare(llvm::Module& module, const std::string& name, llvm::FunctionType* type,
                        const llvm::Function& like) {
  auto* function = llvm::cast<llvm::Function>(module.getOrInsertFunction(name, type).getCallee());
  if (function->isDeclaration()) {
    function->setCallingConv(like.getCallingConv());
    for (const auto kind : {llvm::Attribute::NoUnwind, llvm::Attribute::WillReturn})
      if (like.hasFnAttribute(kind))
        function->addFnAttr(kind);
  }
  return *function;
}

// A builtin for one number with the type `type`, or for vectors of these.
std::string name_of(const char* function, const MangledTypeRef& type, bool has_integer) {
  MangledName name{function, {type}};
  if (has_integer) {
    const MangledType integer{MangledType::Kind::scalar, "i", 0, nullptr};
    name.parameters.push_back(std::make_shared<const MangledType>(
        type->kind == MangledType::Kind::vector
            ? MangledType{MangledType::Kind::vector, "", type->lanes,
                          std::make_shared<const MangledType>(integer)}
            : integer));
  }
  return name.mangle();
}

llvm::CallInst* call(llvm::IRBuilder<>& builder, llvm::Function& function,
                     llvm::ArrayRef<llvm::Value*> arguments, const llvm::CallInst& old) {
  auto* made = builder.CreateCall(&function, arguments);
  made->setCallingConv(old.getCallingConv());
  made->copyFastMathFlags(&old);
  return made;
}

// The value of pow(x, exponent), or null if it is not replaced.
llvm::Value* fold(llvm::CallInst& power, const MangledTypeRef& type,
                  const llvm::APFloat& exponent) {
  auto& module = *power.getModule();
  auto* x = power.getArgOperand(0);
  const auto& pow = *power.getCalledFunction();
  llvm::IRBuilder<> builder(&power);
  llvm::APSInt n(32, false);
  bool is_exact = false;
  exponent.convertToInteger(n, llvm::APFloat::rmTowardZero, &is_exact);
  if (is_exact && n.abs().ule(kMaxMultiplied)) {
    llvm::Type* integer = builder.getInt32Ty();
    if (const auto* vector = llvm::dyn_cast<llvm::VectorType>(x->getType()))
      integer = llvm::VectorType::get(integer, vector->getElementCount());
    auto* pown_type = llvm::FunctionType::get(x->getType(), {x->getType(), integer}, false);
    auto& pown = declare(module, name_of("pown", type, true), pown_type, pow);
    return call(builder, pown, {x, llvm::ConstantInt::get(integer, n)}, power);
  }
  if (!exponent.isExactlyValue(0.5))
    return nullptr;
  auto* sqrt_type = llvm::FunctionType::get(x->getType(), {x->getType()}, false);
  auto& sqrt = declare(module, name_of("sqrt", type, false), sqrt_type, pow);
  builder.setFastMathFlags(power.getFastMathFlags());
  auto* root = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, call(builder, sqrt, {x}, power));
  auto* infinity = llvm::ConstantFP::getInfinity(x->getType());
  auto* is_lowest = builder.CreateFCmpOEQ(x, llvm::ConstantFP::getInfinity(x->getType(), true));
  return builder.CreateSelect(is_lowest, infinity, root);
}

} // namespace

llvm::PreservedAnalyses FoldConstantPowersPass::run(llvm::Module& module,
                                                    llvm::ModuleAnalysisManager& /*analyses*/) {
  bool changed = false;
  for (auto& function : llvm::make_early_inc_range(module)) {
    // Units find vector overloads expanded.
    if ((!function.isDeclaration() && !function.hasFnAttribute(kExpandedAttribute)) ||
        !function.getName().starts_with("_Z3pow"))
      continue;
    const auto name = MangledName::parse(function.getName());
    if (!name || name->function != "pow" || name->parameters.size() != 2)
      continue;
    for (auto* user : llvm::make_early_inc_range(function.users())) {
      auto* power = llvm::dyn_cast<llvm::CallInst>(user);
      if (power == nullptr || power->getCalledFunction() != &function)
        continue;
      const auto* exponent = same_number(*power->getArgOperand(1));
      auto* value = exponent ? fold(*power, name->parameters[0], exponent->getValueAPF()) : nullptr;
      if (value == nullptr)
        continue;
      power->replaceAllUsesWith(value);
      power->eraseFromParent();
      changed = true;
    }
    if (function.use_empty())
      function.eraseFromParent();
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace heddle::compiler
