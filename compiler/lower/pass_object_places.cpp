// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/pass_object_places.h"

#include "compiler/ir/work_item_params.h"
#include "compiler/lower/checked_calls.h"
#include "compiler/lower/checked_objects.h"
#include "compiler/lower/extend_functions.h"
#include "compiler/lower/object_places.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

struct PlacedSignature {
  llvm::SmallVector<unsigned, 4> pointers; // parameters that have places
  unsigned first_added = 0;
  bool returns_pointer = false;
};

using PlacedSignatures = llvm::MapVector<llvm::Function*, PlacedSignature>;

PlacedSignature placed_signature_of(const llvm::Function& function) {
  PlacedSignature signature;
  signature.first_added = own_parameters(function);
  for (unsigned i = 0; i < signature.first_added; ++i) {
    const auto& argument = *function.getArg(i);
    if (argument.getType()->isPointerTy() && !argument.hasByValAttr())
      signature.pointers.push_back(i);
  }
  // Also beside its shadow (shadowed_functions.h).
  auto* result = function.getReturnType();
  while (result->isStructTy() && result->getStructNumElements() != 0)
    result = result->getStructElementType(0);
  signature.returns_pointer = result->isPointerTy();
  return signature;
}

llvm::Function& extend_with_places(llvm::Function& old, const PlacedSignature& signature) {
  auto* object = llvm::PointerType::getUnqual(old.getContext());
  auto* offset = llvm::Type::getInt64Ty(old.getContext());
  llvm::SmallVector<llvm::Type*, 8> parameters, results;
  for (unsigned i = 0; i < signature.pointers.size(); ++i)
    parameters.append({object, offset});
  if (signature.returns_pointer)
    results.append({object, offset});
  auto& function = extend_function(old, parameters, results);
  for (const auto& [i, number] : llvm::enumerate(signature.pointers)) {
    auto& pointer = *function.getArg(number);
    const auto at = signature.first_added + 2 * static_cast<unsigned>(i);
    function.getArg(at)->setName(pointer.getName() + ".object");
    function.getArg(at + 1)->setName(pointer.getName() + ".offset");
    set_places(pointer, at);
  }
  if (signature.returns_pointer)
    set_result_place(function);
  return function;
}

void pass_places(llvm::CallInst& call, const PlacedSignature& signature, ObjectPlaces& places) {
  for (const auto& [i, number] : llvm::enumerate(signature.pointers)) {
    const auto place = places.of(*call.getArgOperand(number)).value_or(places.any());
    const auto at = signature.first_added + 2 * static_cast<unsigned>(i);
    call.setArgOperand(at, place.object);
    call.setArgOperand(at + 1, place.offset);
  }
}

void pass_places(llvm::Function& function, const Kernel* kernel, const PlacedSignatures& signatures,
                 CheckCalls& calls) {
  ObjectPlaces places(function, kernel, calls);
  llvm::SmallVector<llvm::Instruction*, 64> instructions;
  for (auto& instruction : llvm::instructions(function))
    if (llvm::isa<llvm::CallInst, llvm::ReturnInst>(instruction))
      instructions.push_back(&instruction);
  for (auto* instruction : instructions) {
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(instruction)) {
      if (const auto found = signatures.find(call->getCalledFunction()); found != signatures.end())
        pass_places(*call, found->second, places);
    } else if (has_result_place(function)) {
      auto* end = llvm::cast<llvm::ReturnInst>(instruction);
      auto* pointer = end->getReturnValue();
      while (pointer != nullptr && !pointer->getType()->isPointerTy())
        pointer = llvm::FindInsertedValue(pointer, 0U);
      const auto place =
          (pointer != nullptr ? places.of(*pointer) : std::nullopt).value_or(places.any());
      complete_return(*end, {place.object, place.offset});
    }
  }
  places.remove_unused();
}

} // namespace

llvm::PreservedAnalyses PassObjectPlacesPass::run(llvm::Module& module,
                                                  llvm::ModuleAnalysisManager& /*analyses*/) {
  llvm::SmallVector<llvm::Function*, 8> functions;
  for (auto& function : module)
    if (!function.isDeclaration() && function.hasLocalLinkage() && !function.isVarArg() &&
        has_work_item_params(function) && has_checked_objects(function) &&
        compilation_.find_kernel(function) == nullptr && !function.use_empty() &&
        is_only_called_directly(function))
      functions.push_back(&function);
  PlacedSignatures signatures;
  for (auto* function : functions)
    if (auto signature = placed_signature_of(*function);
        signature.returns_pointer || !signature.pointers.empty()) {
      auto& extended = extend_with_places(*function, signature);
      signatures[&extended] = std::move(signature);
    }
  if (signatures.empty())
    return llvm::PreservedAnalyses::all();
  CheckCalls calls(module);
  for (auto& function : module)
    if (!function.isDeclaration() &&
        (has_work_item_params(function) || compilation_.find_kernel(function) != nullptr))
      pass_places(function, compilation_.find_kernel(function), signatures, calls);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
