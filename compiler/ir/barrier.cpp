// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/barrier.h"

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kBarrier = "heddle.barrier";
constexpr llvm::StringLiteral kYield = "heddle.yield";

llvm::Function& declare(llvm::Module& module, llvm::StringRef name) {
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false);
  auto& function = *llvm::cast<llvm::Function>(module.getOrInsertFunction(name, type).getCallee());
  function.addFnAttr(llvm::Attribute::NoUnwind);
  return function;
}

const llvm::Function* callee_of(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call != nullptr ? call->getCalledFunction() : nullptr;
}

} // namespace

llvm::Function& declare_barrier(llvm::Module& module) {
  auto& function = declare(module, kBarrier);
  function.addFnAttr(llvm::Attribute::Convergent);
  function.addFnAttr(llvm::Attribute::NoDuplicate);
  return function;
}

llvm::Function& declare_yield(llvm::Module& module) {
  auto& function = declare(module, kYield);
  function.addFnAttr(llvm::Attribute::WillReturn);
  return function;
}

llvm::Function* find_barrier(const llvm::Module& module) { return module.getFunction(kBarrier); }
llvm::Function* find_yield(const llvm::Module& module) { return module.getFunction(kYield); }

bool is_barrier(const llvm::Function& function) { return function.getName() == kBarrier; }
bool is_yield(const llvm::Function& function) { return function.getName() == kYield; }

bool is_barrier(const llvm::Instruction& instruction) {
  const auto* callee = callee_of(instruction);
  return callee != nullptr && is_barrier(*callee);
}

bool is_yield(const llvm::Instruction& instruction) {
  const auto* callee = callee_of(instruction);
  return callee != nullptr && is_yield(*callee);
}

} // namespace heddle::compiler
