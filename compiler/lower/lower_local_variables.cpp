// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/lower_local_variables.h"

#include "compiler/analysis/call_graph.h"
#include "compiler/ir/address_space.h"
#include "compiler/ir/replace_global.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

constexpr std::uint64_t kLine = 64; // of the cache

constexpr llvm::StringLiteral kLocalVariable = "heddle.local_variable"; // (group, offset, bytes)

// Replaces the variable by a call that stands for its address.
void replace(llvm::GlobalVariable& variable, std::uint64_t offset, std::uint64_t bytes) {
  replace_global_uses(variable, [&](AbiBuilder& access, llvm::Value* group) {
    auto& builder = access.builder();
    auto* type = llvm::FunctionType::get(access.local_pointer(),
                                         {access.pointer(), access.word(), access.word()}, false);
    auto function = variable.getParent()->getOrInsertFunction(kLocalVariable, type);
    auto* declaration = llvm::cast<llvm::Function>(function.getCallee());
    declaration->setDoesNotAccessMemory();
    declaration->setDoesNotThrow();
    declaration->setWillReturn();
    declaration->addFnAttr(llvm::Attribute::Speculatable);
    return builder.CreateCall(function, {group, builder.getInt64(offset), builder.getInt64(bytes)});
  });
}

std::uint64_t number(const llvm::CallInst& variable, unsigned argument) {
  return llvm::cast<llvm::ConstantInt>(variable.getArgOperand(argument))->getZExtValue();
}

// Of a variable in a function: Clang's name is "FUNCTION.NAME" in C, and a mangled one in C++.
constexpr std::uint64_t kAlignment = 128; // of abi::Worker::local_memory

std::string source_name(const llvm::GlobalVariable& variable) {
  const auto name = variable.getName();
  if (!name.starts_with("_Z"))
    return name.split('.').second.str();
  const auto scoped = llvm::demangle(name);
  return scoped.substr(scoped.rfind(':') + 1);
}

// Returns the end of the variable, which determines local_bytes.
std::uint64_t place(llvm::GlobalVariable& variable, std::uint64_t end,
                    llvm::ArrayRef<Kernel*> kernels) {
  const auto& layout = variable.getParent()->getDataLayout();
  auto* type = variable.getValueType();
  const std::uint64_t bytes = layout.getTypeAllocSize(type);
  auto alignment = std::max(variable.getAlign().valueOrOne(), layout.getABITypeAlign(type));
  if (bytes >= kLine)
    alignment = std::max(alignment, llvm::Align(kLine)); // vectors of it are then in one line each
  const auto offset = llvm::alignTo(end, alignment);
  replace(variable, offset, bytes);
  if (!variable.getName().starts_with("heddle.")) // not the library's
    for (auto* kernel : kernels)
      kernel->metadata.variables.push_back({source_name(variable), offset, bytes, true});
  return offset + bytes;
}

} // namespace

static void allocate_local_variables(llvm::Module& module, Kernels& kernels) {
  llvm::SmallVector<llvm::GlobalVariable*, 8> variables;
  for (auto& variable : module.globals())
    if (variable.getAddressSpace() == kLocal)
      variables.push_back(&variable);
  if (variables.empty())
    return;

  // The kernels that use each variable, in the module's order, so that layouts are reproducible.
  llvm::DenseMap<llvm::GlobalVariable*, llvm::SmallVector<Kernel*, 2>> users;
  for (auto& kernel : kernels) {
    const auto functions = reachable_functions(*kernel.body);
    for (auto* variable : variables)
      if (llvm::any_of(variable->users(), [&](llvm::User* user) {
            auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
            return instruction != nullptr && functions.contains(instruction->getFunction());
          }))
        users[variable].push_back(&kernel);
  }
  std::uint64_t shared_end = 0;
  for (auto* variable : variables)
    if (users[variable].size() > 1)
      shared_end = place(*variable, shared_end, users[variable]);
  for (auto* variable : variables) {
    const auto& reaching = users[variable];
    if (reaching.size() > 1) {
      for (auto* kernel : reaching)
        kernel->metadata.local_bytes = shared_end;
    }
  }
  for (auto* variable : variables)
    if (const auto& reaching = users[variable]; reaching.size() == 1) {
      auto& bytes = reaching.front()->metadata.local_bytes;
      bytes = place(*variable, bytes, reaching);
    }
  for (auto* variable : variables) {
    variable->replaceAllUsesWith(llvm::PoisonValue::get(variable->getType()));
    variable->eraseFromParent();
  }
}

bool is_local_variable(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call != nullptr && call->getCalledFunction() != nullptr &&
         call->getCalledFunction()->getName() == kLocalVariable;
}

llvm::SmallVector<llvm::CallInst*, 4> local_variables(llvm::Function& function) {
  llvm::MapVector<std::uint64_t, llvm::CallInst*> variables; // by offset
  for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!is_local_variable(instruction))
      continue;
    auto* call = llvm::cast<llvm::CallInst>(&instruction);
    auto& first = variables[number(*call, 1)];
    if (first != nullptr) {
      call->replaceAllUsesWith(first);
      call->eraseFromParent();
      continue;
    }
    first = call;
    call->moveBefore(function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  }
  return llvm::to_vector<4>(llvm::make_second_range(variables));
}

std::uint64_t local_variable_bytes(const llvm::CallInst& variable) { return number(variable, 2); }

static void lower_local_variables(llvm::Module& module) {
  auto* function = module.getFunction(kLocalVariable);
  if (function == nullptr)
    return;
  for (auto* user : llvm::make_early_inc_range(function->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> builder(call);
    AbiBuilder access(builder);
    auto* base = access.load(call->getArgOperand(0), offsetof(abi::Group, local_memory),
                             access.local_pointer());
    llvm::cast<llvm::LoadInst>(base)->setMetadata(
        llvm::LLVMContext::MD_align,
        llvm::MDNode::get(builder.getContext(),
                          llvm::ConstantAsMetadata::get(builder.getInt64(kAlignment))));
    auto* place = access.field(base, number(*call, 1));
    place->takeName(call);
    call->replaceAllUsesWith(place);
    call->eraseFromParent();
  }
  function->eraseFromParent();
}

llvm::PreservedAnalyses AllocateLocalVariablesPass::run(llvm::Module& module,
                                                        llvm::ModuleAnalysisManager& /*analyses*/) {
  allocate_local_variables(module, compilation_.kernels);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses LowerLocalVariablesPass::run(llvm::Module& module,
                                                     llvm::ModuleAnalysisManager& /*analyses*/) {
  lower_local_variables(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
