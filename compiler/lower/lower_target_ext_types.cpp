// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/lower_target_ext_types.h"

#include "compiler/ir/address_space.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace heddle::compiler {
namespace {

bool mentions_opaque(llvm::Type* type) {
  if (llvm::isa<llvm::TargetExtType>(type))
    return true;
  return llvm::any_of(type->subtypes(), mentions_opaque);
}

// Images are pointers to their constant descriptors, samplers words
// (compiler/interface/image_abi.h), all others pointers.
llvm::Type* lowered(const llvm::TargetExtType& type) {
  auto& context = type.getContext();
  if (type.getName() == "spirv.Sampler")
    return llvm::Type::getInt64Ty(context);
  return llvm::PointerType::get(context, type.getName() == "spirv.Image" ? kConstant : 0);
}

class Remapper : public llvm::ValueMapTypeRemapper {
 public:
  llvm::Type* remapType(llvm::Type* type) override {
    if (!mentions_opaque(type))
      return type;
    if (const auto* opaque = llvm::dyn_cast<llvm::TargetExtType>(type))
      return lowered(*opaque);
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
      return llvm::ArrayType::get(remapType(array->getElementType()), array->getNumElements());
    if (auto* function = llvm::dyn_cast<llvm::FunctionType>(type)) {
      llvm::SmallVector<llvm::Type*, 8> parameters;
      for (auto* parameter : function->params())
        parameters.push_back(remapType(parameter));
      return llvm::FunctionType::get(remapType(function->getReturnType()), parameters,
                                     function->isVarArg());
    }
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
      llvm::SmallVector<llvm::Type*, 8> elements;
      for (auto* element : structure->elements())
        elements.push_back(remapType(element));
      return llvm::StructType::get(type->getContext(), elements, structure->isPacked());
    }
    return type;
  }
};

// CLK_NULL_RESERVE_ID is an integer that Clang casts to the opaque type; for a pointer this is an
// inttoptr.
class ConstantMaker : public llvm::ValueMaterializer {
 public:
  llvm::Value* materialize(llvm::Value* value) override {
    const auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(value);
    if (cast == nullptr || !cast->isCast() || !llvm::isa<llvm::TargetExtType>(cast->getType()) ||
        !cast->getOperand(0)->getType()->isIntegerTy())
      return nullptr;
    return llvm::ConstantExpr::getIntToPtr(cast->getOperand(0),
                                           llvm::PointerType::get(value->getContext(), 0));
  }
};

void remove_conversions(llvm::Module& module) {
  for (auto& function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || !is_image_conversion(function.getName()))
      continue;
    for (auto* user : llvm::make_early_inc_range(function.users()))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) {
        auto* value = call->getArgOperand(0);
        if (value->getType() != call->getType()) // Clang's word of a literal sampler
          value = llvm::IRBuilder<>(call).CreateZExt(value, call->getType());
        call->replaceAllUsesWith(value);
        call->eraseFromParent();
      }
    if (function.use_empty())
      function.eraseFromParent();
  }
}

bool mentions_opaque(const llvm::Function& function) {
  if (mentions_opaque(function.getFunctionType()))
    return true;
  for (const auto& instruction : llvm::instructions(function)) {
    if (mentions_opaque(instruction.getType()))
      return true;
    if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        alloca != nullptr && mentions_opaque(alloca->getAllocatedType()))
      return true;
    for (const auto& operand : instruction.operands())
      if (mentions_opaque(operand->getType()))
        return true;
  }
  return false;
}

} // namespace

bool is_image_conversion(llvm::StringRef name) {
  return name.contains("__heddle_image_descriptor") || name.contains("__heddle_sampler_word") ||
         name == "__translate_sampler_initializer";
}

static void lower_target_ext_types(llvm::Module& module) {
  llvm::SmallVector<llvm::Function*, 8> functions;
  for (auto& function : module)
    if (!function.isIntrinsic() && mentions_opaque(function))
      functions.push_back(&function);
  if (functions.empty())
    return;
  Remapper remapper;
  ConstantMaker constants;
  llvm::ValueToValueMapTy values;
  for (auto* old : functions) {
    auto* type = llvm::cast<llvm::FunctionType>(remapper.remapType(old->getFunctionType()));
    auto* made =
        llvm::Function::Create(type, old->getLinkage(), old->getAddressSpace(), "", &module);
    made->takeName(old);
    values[old] = made;
    for (auto& argument : old->args()) {
      auto* parameter = made->getArg(argument.getArgNo());
      parameter->takeName(&argument);
      values[&argument] = parameter;
    }
  }
  for (auto* old : functions) {
    auto* made = llvm::cast<llvm::Function>(values.lookup(old));
    if (old->isDeclaration()) {
      made->copyAttributesFrom(old);
      continue;
    }
    llvm::SmallVector<llvm::ReturnInst*, 4> returns;
    llvm::CloneFunctionInto(made, old, values, llvm::CloneFunctionChangeType::LocalChangesOnly,
                            returns, "", nullptr, &remapper, &constants);
    made->setLinkage(old->getLinkage());
    made->setCallingConv(old->getCallingConv());
  }
  for (auto* old : functions)
    old->deleteBody();
  for (auto* old : functions) {
    old->replaceAllUsesWith(values.lookup(old));
    old->eraseFromParent();
  }
  remove_conversions(module);
}

llvm::PreservedAnalyses LowerTargetExtTypesPass::run(llvm::Module& module,
                                                     llvm::ModuleAnalysisManager& /*analyses*/) {
  lower_target_ext_types(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
