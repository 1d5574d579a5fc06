// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/expand_vector_builtins.h"

#include "compiler/ir/mangled_name.h"
#include "compiler/lower/widen_vector_builtins.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler {
namespace {

// Mangled letters of the integer types that are narrower than a register, with their extension.
llvm::Attribute::AttrKind extension(const MangledType& type) {
  if (type.kind != MangledType::Kind::scalar)
    return llvm::Attribute::None;
  if (type.text == "c" || type.text == "s" || type.text == "a")
    return llvm::Attribute::SExt;
  if (type.text == "h" || type.text == "t" || type.text == "b")
    return llvm::Attribute::ZExt;
  return llvm::Attribute::None;
}

class Expander {
 public:
  Expander(llvm::Function& function, const MangledName& name, const MangledName& scalar)
      : function_(function), name_(name), scalar_(scalar) {}

  // False if the types are not those of the function's name.
  bool expand() {
    if (function_.isVarArg() || function_.arg_size() != name_.parameters.size() || !find_lanes())
      return false;
    const auto callee = declare_scalar();
    function_.setLinkage(llvm::GlobalValue::InternalLinkage);
    function_.setVisibility(llvm::GlobalValue::DefaultVisibility);
    function_.setDSOLocal(true);
    function_.removeFnAttr(llvm::Attribute::NoInline);
    function_.addFnAttr(llvm::Attribute::AlwaysInline);
    function_.addFnAttr(kExpandedAttribute);
    auto& context = function_.getContext();
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", &function_));
    llvm::Value* result = nullptr;
    if (!function_.getReturnType()->isVoidTy())
      result = llvm::PoisonValue::get(function_.getReturnType());
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      llvm::SmallVector<llvm::Value*, 4> arguments;
      for (unsigned i = 0; i < function_.arg_size(); ++i)
        arguments.push_back(component(builder, i, lane));
      auto* call = builder.CreateCall(callee, arguments);
      call->setCallingConv(function_.getCallingConv());
      for (unsigned i = 0; i < arguments.size(); ++i)
        if (const auto kind = extension(*scalar_.parameters[i]); kind != llvm::Attribute::None)
          call->addParamAttr(i, kind);
      if (result != nullptr)
        result = builder.CreateInsertElement(result, call, lane);
    }
    if (result != nullptr)
      builder.CreateRet(result);
    else
      builder.CreateRetVoid();
    return true;
  }

 private:
  bool find_lanes() {
    for (const auto& parameter : name_.parameters) {
      const auto lanes = vector_lanes(*parameter);
      if (lanes != 0 && lanes_ != 0 && lanes != lanes_)
        return false;
      lanes_ = std::max(lanes_, lanes);
    }
    for (unsigned i = 0; i < function_.arg_size(); ++i) {
      const bool is_vector = name_.parameters[i]->kind == MangledType::Kind::vector;
      if (function_.getArg(i)->getType()->isVectorTy() != is_vector)
        return false;
    }
    auto* result = function_.getReturnType();
    if (result->isVoidTy())
      return true;
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(result);
    return vector != nullptr && vector->getNumElements() == lanes_;
  }

  llvm::FunctionCallee declare_scalar() {
    llvm::SmallVector<llvm::Type*, 4> types;
    for (const auto& argument : function_.args())
      types.push_back(argument.getType()->getScalarType());
    auto callee = function_.getParent()->getOrInsertFunction(
        scalar_.mangle(),
        llvm::FunctionType::get(function_.getReturnType()->getScalarType(), types, false));
    if (auto* scalar = llvm::dyn_cast<llvm::Function>(callee.getCallee());
        scalar->isDeclaration()) {
      scalar->setCallingConv(function_.getCallingConv());
      scalar->setAttributes(llvm::AttributeList().addFnAttributes(
          function_.getContext(),
          llvm::AttrBuilder(function_.getContext(), function_.getAttributes().getFnAttrs())));
      scalar->removeFnAttr(llvm::Attribute::AlwaysInline);
    }
    return callee;
  }

  llvm::Value* component(llvm::IRBuilder<>& builder, unsigned index, unsigned lane) {
    auto* argument = function_.getArg(index);
    const auto& type = *name_.parameters[index];
    if (type.kind == MangledType::Kind::vector)
      return builder.CreateExtractElement(argument, lane);
    if (lane == 0 || vector_lanes(type) == 0)
      return argument;
    return builder.CreateConstGEP1_64(component_type(type), argument, lane);
  }

  // For a pointer to a vector, the type of a component.
  llvm::Type* component_type(const MangledType& type) {
    const auto* inner = &type;
    while (inner->inner)
      inner = inner->inner.get();
    auto& context = function_.getContext();
    if (inner->text == "Dh")
      return llvm::Type::getHalfTy(context);
    switch (inner->text.empty() ? 'c' : inner->text.front()) {
    case 'f':
      return llvm::Type::getFloatTy(context);
    case 'd':
      return llvm::Type::getDoubleTy(context);
    case 's':
    case 't':
      return llvm::Type::getInt16Ty(context);
    case 'i':
    case 'j':
      return llvm::Type::getInt32Ty(context);
    case 'l':
    case 'm':
      return llvm::Type::getInt64Ty(context);
    default:
      return llvm::Type::getInt8Ty(context);
    }
  }

  llvm::Function& function_;
  const MangledName& name_;
  const MangledName& scalar_;
  unsigned lanes_ = 0;
};

} // namespace

void expand_vector_builtins(llvm::Module& module,
                            llvm::function_ref<bool(llvm::StringRef name)> is_in_library) {
  llvm::SmallVector<llvm::Function*, 16> declared;
  for (auto& function : module)
    if (function.isDeclaration() && function.getName().starts_with("_Z") && !function.use_empty() &&
        !is_in_library(function.getName()))
      declared.push_back(&function);
  for (auto* function : declared) {
    const auto name = MangledName::parse(function->getName());
    if (!name)
      continue;
    const auto scalar = scalar_overload(*name);
    if (scalar && is_in_library(scalar->mangle()))
      Expander(*function, *name, *scalar).expand();
  }
}

} // namespace heddle::compiler
