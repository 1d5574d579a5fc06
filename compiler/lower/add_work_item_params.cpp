// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/add_work_item_params.h"

#include "compiler/analysis/polling_loops.h"
#include "compiler/interface/kernel_abi.h"
#include "compiler/ir/address_space.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/checked_objects.h"
#include "compiler/lower/extend_functions.h"
#include "compiler/lower/link_builtins.h"
#include "compiler/lower/lower_program_scope.h"
#include "compiler/lower/shadowed_functions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ReplaceConstant.h"

namespace heddle::compiler {
namespace {

using FunctionSet = llvm::SetVector<llvm::Function*>;

void add_users(llvm::Value& value, FunctionSet& functions) {
  for (auto* user : value.users())
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
      functions.insert(instruction->getFunction());
}

FunctionSet functions_that_need_params(llvm::Module& module, const Compilation& compilation,
                                       llvm::FunctionAnalysisManager& analyses) {
  FunctionSet functions;
  for (const auto& kernel : compilation.kernels)
    functions.insert(kernel.body);
  for (auto& function : module)
    if (is_lowered_by_compiler(function.getName()))
      add_users(function, functions);
  // MarkPollingLoopsPass calls the worker in functions that are not inlined.
  for (auto& function : module)
    if (!function.isDeclaration() && !function.getName().starts_with("__heddle_") &&
        !find_polling_loops(function, analyses).empty())
      functions.insert(&function);
  // Reports name the work-item.
  if (compilation.checks_uninitialized())
    for (auto& function : module)
      if (!function.isDeclaration() && has_program_code(function))
        functions.insert(&function);
  if (compilation.checks_memory())
    for (auto& function : module)
      if (!function.isDeclaration() && has_checked_objects(function) &&
          is_only_called_directly(function))
        functions.insert(&function);
  llvm::SmallVector<llvm::Constant*, 16> variables;
  for (auto& variable : module.globals())
    if (variable.getAddressSpace() == kLocal || variable.hasAttribute(kProgramScopeAttribute))
      variables.push_back(&variable);
  llvm::convertUsersOfConstantsToInstructions(variables);
  for (auto* variable : variables)
    add_users(*variable, functions);
  // The set grows while callers are added.
  for (std::size_t i = 0; i < functions.size(); ++i)
    add_users(*functions[i], functions);
  return functions;
}

llvm::Function* add_params(llvm::Function& old) {
  auto& context = old.getContext();
  llvm::SmallVector<llvm::Type*, 12> types(old.getFunctionType()->params());
  types.push_back(llvm::PointerType::get(context, 0));
  types.append(3, llvm::Type::getInt64Ty(context));
  auto* function = llvm::Function::Create(
      llvm::FunctionType::get(old.getReturnType(), types, false),
      llvm::GlobalValue::InternalLinkage, old.getAddressSpace(), "", old.getParent());
  function->takeName(&old);
  function->copyAttributesFrom(&old);
  function->copyMetadata(&old, 0);
  function->setLinkage(llvm::GlobalValue::InternalLinkage);
  // Attributes of calls of work-item functions do not hold for the loads that replace them.
  function->removeFnAttr(llvm::Attribute::Memory);
  function->removeFnAttr(llvm::Attribute::Speculatable);
  function->addFnAttr(kWorkItemParamsAttribute);
  function->splice(function->begin(), &old);
  for (auto& argument : old.args()) {
    auto* replacement = function->getArg(argument.getArgNo());
    argument.replaceAllUsesWith(replacement);
    replacement->takeName(&argument);
  }
  const auto state = work_item_params(*function);
  state.group->setName("group");
  constexpr const char* kNames[] = {"local_x", "local_y", "local_z"};
  for (unsigned i = 0; i < 3; ++i)
    state.local_id[i]->setName(kNames[i]);
  // No code of a kernel writes to the group or captures its address.
  for (const auto kind : {llvm::Attribute::NoAlias, llvm::Attribute::ReadOnly,
                          llvm::Attribute::NonNull, llvm::Attribute::NoUndef})
    state.group->addAttr(kind);
  state.group->addAttr(llvm::Attribute::getWithCaptureInfo(context, llvm::CaptureInfo::none()));
  state.group->addAttr(llvm::Attribute::getWithDereferenceableBytes(context, sizeof(abi::Group)));
  state.group->addAttr(llvm::Attribute::getWithAlignment(context, llvm::Align(8)));
  return function;
}

void pass_params(llvm::CallBase& call, llvm::Function& callee) {
  const auto state = work_item_params(*call.getFunction());
  llvm::SmallVector<llvm::Value*, 12> arguments(call.args());
  arguments.push_back(state.group);
  for (auto* id : state.local_id)
    arguments.push_back(id);
  llvm::IRBuilder<> builder(&call);
  auto* replacement = builder.CreateCall(&callee, arguments);
  replacement->setCallingConv(call.getCallingConv());
  replacement->setAttributes(call.getAttributes());
  replacement->removeFnAttr(llvm::Attribute::Memory);
  replacement->removeFnAttr(llvm::Attribute::Speculatable);
  replacement->copyMetadata(call);
  call.replaceAllUsesWith(replacement);
  replacement->takeName(&call);
  call.eraseFromParent();
}

} // namespace

static void add_work_item_params(llvm::Module& module, Compilation& compilation,
                                 llvm::FunctionAnalysisManager& analyses) {
  const auto functions = functions_that_need_params(module, compilation, analyses);
  llvm::DenseMap<llvm::Function*, llvm::Function*> replacements;
  for (auto* function : functions)
    replacements[function] = add_params(*function);
  for (const auto& [old, replacement] : replacements) {
    llvm::SmallVector<llvm::User*, 16> users(old->users());
    for (auto* user : users)
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user);
          call && call->getCalledOperand() == old)
        pass_params(*call, *replacement);
    // Remaining uses take the address without a call.
    old->replaceAllUsesWith(llvm::PoisonValue::get(old->getType()));
    old->eraseFromParent();
  }
  for (auto& kernel : compilation.kernels)
    kernel.body = replacements.lookup(kernel.body);
}

llvm::PreservedAnalyses AddWorkItemParamsPass::run(llvm::Module& module,
                                                   llvm::ModuleAnalysisManager& analyses) {
  add_work_item_params(
      module, compilation_,
      analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager());
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
