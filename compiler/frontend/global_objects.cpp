// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/global_objects.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

// One entry of llvm.global_ctors or llvm.global_dtors with fields of the types that it should have.
llvm::Constant* valid_entry(llvm::StructType* type, const llvm::Constant& entry) {
  llvm::SmallVector<llvm::Constant*, 3> fields;
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    auto* field = llvm::cast<llvm::Constant>(entry.getOperand(i));
    auto* wanted = type->getElementType(i);
    fields.push_back(field->getType() == wanted
                         ? field
                         : llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(field, wanted));
  }
  return llvm::ConstantStruct::get(type, fields);
}

void correct_list(llvm::GlobalVariable& list) {
  auto* entries = llvm::dyn_cast<llvm::ConstantArray>(list.getInitializer());
  if (entries == nullptr)
    return;
  llvm::SmallVector<llvm::Constant*, 8> valid;
  for (const auto& entry : entries->operands()) {
    const auto* fields = llvm::dyn_cast<llvm::ConstantStruct>(entry.get());
    if (fields == nullptr) // all zero
      continue;
    valid.push_back(valid_entry(fields->getType(), *fields));
    auto* function = llvm::dyn_cast<llvm::Function>(fields->getOperand(1)->stripPointerCasts());
    if (function == nullptr || function->getCallingConv() != llvm::CallingConv::SPIR_KERNEL)
      continue;
    function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    llvm::SmallVector<std::pair<unsigned, llvm::MDNode*>, 8> kinds;
    function->getAllMetadata(kinds);
    for (const auto& [kind, node] : kinds)
      if (kind != llvm::LLVMContext::MD_dbg)
        function->setMetadata(kind, nullptr);
  }
  auto* type = llvm::ArrayType::get(entries->getType()->getElementType(), valid.size());
  auto* corrected =
      new llvm::GlobalVariable(*list.getParent(), type, false, llvm::GlobalValue::AppendingLinkage,
                               llvm::ConstantArray::get(type, valid), "", &list,
                               llvm::GlobalValue::NotThreadLocal, list.getAddressSpace());
  corrected->takeName(&list);
  list.eraseFromParent();
}

// The call of the destructor in a function that is registered with atexit. An array's destructor
// knows its address: only the type of the null pointer is wrong.
void correct_destructor_call(llvm::CallInst& call, llvm::GlobalVariable* variable) {
  const auto* callee = call.getCalledFunction();
  if (callee == nullptr || call.arg_size() != 1 || callee->arg_size() != 1 ||
      call.getArgOperand(0)->getType() == callee->getArg(0)->getType())
    return;
  auto* wanted = callee->getArg(0)->getType();
  llvm::Constant* object = llvm::Constant::getNullValue(wanted);
  if (variable != nullptr && !callee->getName().starts_with("__cxx_global_array_dtor"))
    object = llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(variable, wanted);
  call.setArgOperand(0, object);
}

} // namespace

void correct_global_objects(llvm::Module& module) {
  for (const char* name : {"llvm.global_ctors", "llvm.global_dtors"})
    if (auto* list = module.getNamedGlobal(name); list != nullptr && list->hasInitializer())
      correct_list(*list);
  for (auto& function : module) {
    auto variable = function.getName();
    if (!variable.consume_front("__dtor_") || function.isDeclaration() || !function.arg_empty())
      continue;
    for (auto& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        correct_destructor_call(*call, module.getGlobalVariable(variable, true));
  }
}

} // namespace heddle::compiler
