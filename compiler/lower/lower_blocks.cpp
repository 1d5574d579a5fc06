// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/lower_blocks.h"

#include "compiler/ir/address_space.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <string>

namespace heddle::compiler {
namespace {

using Functions = llvm::SmallVector<llvm::Function*, 8>;

// A kernel of the program has no generic pointers for arguments.
bool is_block_kernel(const llvm::Function& function) {
  return function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL && !function.isDeclaration() &&
         !function.arg_empty() &&
         function.getArg(0)->getType() == llvm::PointerType::get(function.getContext(), kGeneric);
}

// Clang gives the kernel no debug information, and its instructions the places of the function that
// enqueues it. It gets the information of the function that it calls.
void add_lines(llvm::Function& kernel) {
  auto& context = kernel.getContext();
  llvm::DebugLoc place;
  for (const auto& instruction : kernel.getEntryBlock()) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const auto* callee = call != nullptr ? call->getCalledFunction() : nullptr;
    const auto* described = callee != nullptr ? callee->getSubprogram() : nullptr;
    if (described == nullptr)
      continue;
    auto* own = llvm::MDNode::replaceWithDistinct(described->clone());
    own->replaceRetainedNodes(llvm::MDTuple::get(context, {}));
    kernel.setSubprogram(own);
    place = llvm::DILocation::get(context, described->getLine(), 0, own);
    break;
  }
  for (auto& instruction : kernel.getEntryBlock())
    instruction.setDebugLoc(place);
}

void pass_literal_as_constant(llvm::Function& old) {
  auto& context = old.getContext();
  llvm::SmallVector<llvm::Type*, 4> types(old.getFunctionType()->params());
  types[0] = llvm::PointerType::get(context, kConstant);
  auto* kernel =
      llvm::Function::Create(llvm::FunctionType::get(old.getReturnType(), types, false),
                             old.getLinkage(), old.getAddressSpace(), "", old.getParent());
  kernel->takeName(&old);
  kernel->copyAttributesFrom(&old);
  kernel->copyMetadata(&old, 0);
  kernel->splice(kernel->begin(), &old);
  for (auto& argument : old.args())
    if (argument.getArgNo() != 0)
      argument.replaceAllUsesWith(kernel->getArg(argument.getArgNo()));
  auto* literal = kernel->getArg(0);
  literal->setName("literal");
  llvm::IRBuilder<> builder(&kernel->getEntryBlock(), kernel->getEntryBlock().begin());
  old.getArg(0)->replaceAllUsesWith(builder.CreateAddrSpaceCast(literal, old.getArg(0)->getType()));
  // The copy is the kernel's own.
  for (const auto kind : {llvm::Attribute::NoAlias, llvm::Attribute::ReadOnly,
                          llvm::Attribute::NonNull, llvm::Attribute::NoUndef})
    literal->addAttr(kind);
  literal->addAttr(llvm::Attribute::getWithAlignment(context, llvm::Align(8)));
  // Local arguments are aligned for every type.
  for (auto& argument : llvm::drop_begin(kernel->args()))
    argument.addAttr(llvm::Attribute::getWithAlignment(context, llvm::Align(128)));
  old.replaceAllUsesWith(kernel);
  old.eraseFromParent();
  add_lines(*kernel);
}

bool is_direct_call(const llvm::Use& use) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
  return call != nullptr && call->isCallee(&use);
}

// Literals contain the address of their function, but blocks are only called directly: OpenCL C has
// none that are chosen at run time (6.15.15.1).
void clear_addresses(llvm::Function& function) {
  auto* null = llvm::ConstantPointerNull::get(function.getType());
  function.replaceUsesWithIf(null, [](llvm::Use& use) { return !is_direct_call(use); });
}

} // namespace

bool prepare_blocks(llvm::Module& module) {
  Functions blocks;
  std::uint64_t index = 0;
  for (auto& function : module) {
    if (is_block_kernel(function))
      blocks.push_back(&function);
    else if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL &&
             !function.isDeclaration())
      ++index;
  }
  for (auto* block : blocks) {
    if (!block->hasFnAttribute(kBlockKernelAttribute))
      block->addFnAttr(kBlockKernelAttribute, std::to_string(index));
    ++index;
  }
  bool changed = !blocks.empty();
  for (auto& function : module)
    if (function.getName().contains("_block_invoke") &&
        function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL) {
      clear_addresses(function);
      changed = true;
    }
  return changed;
}

llvm::PreservedAnalyses LowerBlocksPass::run(llvm::Module& module,
                                             llvm::ModuleAnalysisManager& /*analyses*/) {
  const bool changed = prepare_blocks(module);
  Functions kernels;
  for (auto& function : module)
    if (is_block_kernel(function))
      kernels.push_back(&function);
  for (auto* kernel : kernels)
    pass_literal_as_constant(*kernel);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace heddle::compiler
