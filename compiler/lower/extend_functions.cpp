// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/extend_functions.h"

#include "compiler/ir/work_item_params.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {
namespace {

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

// Calls the function with zeros for what was added behind the first `own` arguments.
void replace_call(llvm::CallInst& call, llvm::Function& function, unsigned own, unsigned added,
                  bool keeps_result) {
  const auto all = static_cast<unsigned>(call.arg_size());
  llvm::SmallVector<llvm::Value*, 16> arguments(
      llvm::make_range(call.arg_begin(), call.arg_begin() + own));
  for (unsigned i = own; i < own + added; ++i)
    arguments.push_back(llvm::Constant::getNullValue(function.getArg(i)->getType()));
  arguments.append(call.arg_begin() + own, call.arg_end());
  llvm::IRBuilder<> builder(&call);
  auto* made = builder.CreateCall(&function, arguments);
  made->setCallingConv(call.getCallingConv());
  made->setAttributes(
      attributes_with(call.getAttributes(), call.getContext(), own, added, all, keeps_result));
  made->copyMetadata(call);
  llvm::Value* value = made;
  if (!keeps_result)
    value = builder.CreateExtractValue(made, 0);
  value->takeName(&call);
  call.replaceAllUsesWith(value);
  call.eraseFromParent();
}

} // namespace

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

llvm::Function& extend_function(llvm::Function& old, llvm::ArrayRef<llvm::Type*> added_types,
                                llvm::ArrayRef<llvm::Type*> added_results) {
  auto& context = old.getContext();
  const auto own = own_parameters(old);
  const auto all = static_cast<unsigned>(old.arg_size());
  const auto added = static_cast<unsigned>(added_types.size());
  const bool keeps_result = added_results.empty();
  const auto parameters = old.getFunctionType()->params();
  llvm::SmallVector<llvm::Type*, 16> types(parameters.take_front(own));
  types.append(added_types.begin(), added_types.end());
  types.append(parameters.drop_front(own).begin(), parameters.end());
  auto* result = old.getReturnType();
  if (!keeps_result) {
    llvm::SmallVector<llvm::Type*, 4> results{result};
    results.append(added_results.begin(), added_results.end());
    result = llvm::StructType::get(context, results);
  }

  auto* function =
      llvm::Function::Create(llvm::FunctionType::get(result, types, false), old.getLinkage(),
                             old.getAddressSpace(), "", old.getParent());
  function->takeName(&old);
  function->copyAttributesFrom(&old);
  function->setAttributes(
      attributes_with(old.getAttributes(), context, own, added, all, keeps_result));
  function->copyMetadata(&old, 0);
  function->splice(function->begin(), &old);
  for (auto& argument : old.args()) {
    const auto i = argument.getArgNo();
    auto* replacement = function->getArg(i < own ? i : i + added);
    argument.replaceAllUsesWith(replacement);
    replacement->takeName(&argument);
  }
  for (auto* user : llvm::make_early_inc_range(old.users()))
    replace_call(*llvm::cast<llvm::CallInst>(user), *function, own, added, keeps_result);
  old.eraseFromParent();
  return *function;
}

void complete_return(llvm::ReturnInst& end, llvm::ArrayRef<llvm::Value*> added) {
  llvm::IRBuilder<> builder(&end);
  llvm::Value* all = llvm::PoisonValue::get(end.getFunction()->getReturnType());
  all = builder.CreateInsertValue(all, end.getReturnValue(), 0);
  for (unsigned i = 0; i < added.size(); ++i)
    all = builder.CreateInsertValue(all, added[i], i + 1);
  end.setOperand(0, all);
}

} // namespace heddle::compiler
