// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/shadowed_functions.h"

#include "compiler/lower/extend_functions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

// Of memory that the caller has, and of values that are passed in no other way.
bool is_in_memory(const llvm::Argument& argument) {
  return argument.hasPassPointeeByValueCopyAttr() || argument.hasStructRetAttr();
}

} // namespace

bool has_program_code(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    return instruction.hasMetadata(kProgram);
  });
}

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
  llvm::SmallVector<llvm::Type*, 16> parameters, results;
  for (const auto& [i, shadow] : llvm::enumerate(signature.shadows))
    if (shadow != 0)
      parameters.push_back(values.type_of(old.getArg(static_cast<unsigned>(i))->getType()));
  if (signature.has_result)
    results.push_back(values.type_of(old.getReturnType()));
  auto& function = extend_function(old, parameters, results);
  for (const auto& [i, shadow] : llvm::enumerate(signature.shadows))
    if (shadow != 0)
      function.getArg(shadow)->setName(function.getArg(static_cast<unsigned>(i))->getName() +
                                       ".shadow");
  signatures_[&function] = signature;
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
  complete_return(end, shadow);
}

} // namespace heddle::compiler
