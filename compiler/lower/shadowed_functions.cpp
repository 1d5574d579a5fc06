// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/shadowed_functions.h"

#include "compiler/ir/work_item_params.h"
#include "compiler/lower/insert_initialization_checks.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

bool is_only_called_directly(const llvm::Function& function) {
  return llvm::all_of(function.uses(), [&](const llvm::Use& use) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
    return call != nullptr && call->isCallee(&use) &&
           call->getFunctionType() == function.getFunctionType();
  });
}

unsigned own_parameters(const llvm::Function& function) {
  return static_cast<unsigned>(function.arg_size()) -
         (has_work_item_params(function) ? kWorkItemParams : 0);
}

// Of memory that the caller has, and of values that are passed in no other way.
bool is_in_memory(const llvm::Argument& argument) {
  return argument.hasPassPointeeByValueCopyAttr() || argument.hasStructRetAttr();
}

// The function's attributes with none for the result, `added` parameters without any behind the
// first `own`, and nothing that holds for values alone.
llvm::AttributeList attributes_with(const llvm::AttributeList& old, llvm::LLVMContext& context,
                                    unsigned own, unsigned added, unsigned all, bool keeps_result) {
  llvm::SmallVector<llvm::AttributeSet, 16> parameters;
  for (unsigned i = 0; i < all; ++i) {
    if (i == own)
      parameters.append(added, {});
    parameters.push_back(old.getParamAttrs(i).removeAttribute(context, llvm::Attribute::NoUndef));
  }
  if (own == all)
    parameters.append(added, {});
  return llvm::AttributeList::get(context,
                                  old.getFnAttrs()
                                      .removeAttribute(context, llvm::Attribute::Memory)
                                      .removeAttribute(context, llvm::Attribute::Speculatable),
                                  keeps_result ? old.getRetAttrs() : llvm::AttributeSet(),
                                  parameters);
}

} // namespace

ShadowedFunctions::ShadowedFunctions(llvm::Module& module, Compilation& compilation) {
  const ShadowValues values(module.getDataLayout());
  llvm::SmallVector<llvm::Function*, 8> functions;
  for (auto& function : module)
    if (!function.isDeclaration() && function.hasLocalLinkage() && !function.isVarArg() &&
        has_program_code(function) && compilation.find_kernel(function) == nullptr &&
        !function.use_empty() && is_only_called_directly(function))
      functions.push_back(&function);
  for (auto* function : functions)
    if (const auto signature = signature_of(*function, values);
        signature.has_result || llvm::any_of(signature.shadows, [](unsigned i) { return i != 0; }))
      replace(*function, signature, values);
}

ShadowedFunctions::Signature ShadowedFunctions::signature_of(const llvm::Function& function,
                                                             const ShadowValues& values) {
  Signature signature;
  auto next = own_parameters(function);
  for (unsigned i = 0, own = next; i < own; ++i) {
    const auto& argument = *function.getArg(i);
    const bool has = !is_in_memory(argument) && values.type_of(argument.getType()) != nullptr;
    signature.shadows.push_back(has ? next++ : 0);
  }
  auto* result = function.getReturnType();
  signature.has_result = !result->isVoidTy() && values.type_of(result) != nullptr;
  return signature;
}

void ShadowedFunctions::replace(llvm::Function& old, const Signature& signature,
                                const ShadowValues& values) {
  auto& context = old.getContext();
  const auto own = own_parameters(old);
  const auto all = static_cast<unsigned>(old.arg_size());
  const auto parameters = old.getFunctionType()->params();
  llvm::SmallVector<llvm::Type*, 16> types(parameters.take_front(own));
  for (unsigned i = 0; i < own; ++i)
    if (signature.shadows[i] != 0)
      types.push_back(values.type_of(parameters[i]));
  const auto added = static_cast<unsigned>(types.size()) - own;
  types.append(parameters.drop_front(own).begin(), parameters.end());
  auto* result = old.getReturnType();
  if (signature.has_result)
    result = llvm::StructType::get(context, {result, values.type_of(result)});

  auto* function =
      llvm::Function::Create(llvm::FunctionType::get(result, types, false), old.getLinkage(),
                             old.getAddressSpace(), "", old.getParent());
  function->takeName(&old);
  function->copyAttributesFrom(&old);
  function->setAttributes(
      attributes_with(old.getAttributes(), context, own, added, all, !signature.has_result));
  function->copyMetadata(&old, 0);
  function->splice(function->begin(), &old);
  const auto place = [&](unsigned i) { return i < own ? i : i + added; };
  for (auto& argument : old.args()) {
    auto* replacement = function->getArg(place(argument.getArgNo()));
    argument.replaceAllUsesWith(replacement);
    replacement->takeName(&argument);
  }
  for (unsigned i = 0; i < own; ++i)
    if (signature.shadows[i] != 0)
      function->getArg(signature.shadows[i])->setName(function->getArg(i)->getName() + ".shadow");

  for (auto* user : llvm::make_early_inc_range(old.users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    llvm::SmallVector<llvm::Value*, 16> arguments(
        llvm::make_range(call->arg_begin(), call->arg_begin() + own));
    for (unsigned i = own; i < own + added; ++i)
      arguments.push_back(llvm::Constant::getNullValue(types[i]));
    arguments.append(call->arg_begin() + own, call->arg_end());
    llvm::IRBuilder<> builder(call);
    auto* made = builder.CreateCall(function, arguments);
    made->setCallingConv(call->getCallingConv());
    made->setAttributes(
        attributes_with(call->getAttributes(), context, own, added, all, !signature.has_result));
    made->copyMetadata(*call);
    llvm::Value* value = made;
    if (signature.has_result)
      value = builder.CreateExtractValue(made, 0);
    value->takeName(call);
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
  old.eraseFromParent();
  signatures_[function] = signature;
}

void ShadowedFunctions::add_arguments(llvm::Function& function, ShadowValues& values) const {
  const auto found = signatures_.find(&function);
  if (found == signatures_.end())
    return;
  for (const auto& [i, shadow] : llvm::enumerate(found->second.shadows))
    if (shadow != 0)
      values.set(*function.getArg(static_cast<unsigned>(i)), function.getArg(shadow));
}

bool ShadowedFunctions::pass(llvm::CallInst& call, ShadowValues& values) const {
  const auto found = signatures_.find(call.getCalledFunction());
  if (found == signatures_.end())
    return false;
  for (const auto& [i, shadow] : llvm::enumerate(found->second.shadows))
    if (shadow != 0)
      if (auto* of = values.of(*call.getArgOperand(static_cast<unsigned>(i))))
        call.setArgOperand(shadow, of);
  if (found->second.has_result) {
    llvm::IRBuilder<> builder(call.getNextNode());
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    auto* of_all = llvm::Constant::getNullValue(values.type_of(call.getType()));
    values.set(call, builder.CreateInsertValue(of_all, builder.CreateExtractValue(&call, 1), 0));
  }
  return true;
}

void ShadowedFunctions::complete(llvm::ReturnInst& end, const ShadowValues& values) const {
  const auto found = signatures_.find(end.getFunction());
  if (found == signatures_.end() || !found->second.has_result)
    return;
  auto* value = end.getReturnValue();
  auto* shadow = values.of(*value);
  if (shadow == nullptr)
    shadow = llvm::Constant::getNullValue(values.type_of(value->getType()));
  llvm::IRBuilder<> builder(&end);
  llvm::Value* both = llvm::PoisonValue::get(end.getFunction()->getReturnType());
  both = builder.CreateInsertValue(both, value, 0);
  end.setOperand(0, builder.CreateInsertValue(both, shadow, 1));
}

} // namespace heddle::compiler
