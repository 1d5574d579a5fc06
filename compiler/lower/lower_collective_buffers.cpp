// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/lower_collective_buffers.h"

#include "compiler/analysis/call_graph.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kBufferIndex = "__heddle_group_turn";

void replace(llvm::CallInst& call, llvm::Value* turn) {
  call.replaceAllUsesWith(turn);
  call.eraseFromParent();
}

void count_in_variable(llvm::Function& kernel, llvm::ArrayRef<llvm::CallInst*> calls) {
  auto& entry = kernel.getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.begin());
  auto* variable = builder.CreateAlloca(builder.getInt32Ty(), nullptr, "turn");
  builder.CreateStore(builder.getInt32(0), variable);
  for (auto* call : calls) {
    builder.SetInsertPoint(call);
    auto* turn = builder.CreateLoad(builder.getInt32Ty(), variable);
    builder.CreateStore(builder.CreateXor(turn, 1), variable);
    replace(*call, turn);
  }
}

// It starts with the value that it had before the group's first call.
void count_in_memory(llvm::CallInst& call) {
  llvm::IRBuilder<> builder(&call);
  auto* count = call.getArgOperand(0);
  auto* before =
      builder.CreateAnd(builder.CreateAlignedLoad(builder.getInt64Ty(), count, llvm::Align(8)), 1);
  auto* turn =
      builder.CreateXor(before, builder.CreateZExt(call.getArgOperand(1), builder.getInt64Ty()));
  builder.CreateAlignedStore(turn, count, llvm::Align(8));
  replace(call, builder.CreateTrunc(turn, call.getType()));
}

} // namespace

bool is_collective_buffer_index(llvm::StringRef name) { return name == kBufferIndex; }

static void lower_collective_buffers(llvm::Module& module, Kernels& kernels) {
  auto* function = module.getFunction(kBufferIndex);
  if (function == nullptr)
    return;
  const auto calls_in = [&](const llvm::Function& caller) {
    llvm::SmallVector<llvm::CallInst*, 8> calls;
    for (auto* user : function->users())
      if (auto* call = llvm::cast<llvm::CallInst>(user); call->getFunction() == &caller)
        calls.push_back(call);
    return calls;
  };
  for (auto& kernel : kernels) {
    const auto reachable = reachable_functions(*kernel.body);
    if (llvm::all_of(llvm::drop_begin(reachable),
                     [&](const llvm::Function* callee) { return calls_in(*callee).empty(); }))
      if (const auto own = calls_in(*kernel.body); !own.empty())
        count_in_variable(*kernel.body, own);
  }
  for (auto* user : llvm::make_early_inc_range(function->users()))
    count_in_memory(*llvm::cast<llvm::CallInst>(user));
  function->eraseFromParent();
}

llvm::PreservedAnalyses LowerCollectiveBuffersPass::run(llvm::Module& module,
                                                        llvm::ModuleAnalysisManager& /*analyses*/) {
  lower_collective_buffers(module, compilation_.kernels);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
