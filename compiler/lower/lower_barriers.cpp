// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/lower_barriers.h"

#include "compiler/analysis/call_graph.h"
#include "compiler/ir/abi_builder.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/work_item_params.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kBarriers[] = {
    "_Z7barrierj",
    "_Z18work_group_barrierj",
    "_Z18work_group_barrierj12memory_scope",
};

// Calls the function whose address is at this offset of the worker.
void lower(llvm::CallInst& call, std::uint64_t offset) {
  auto& function = *call.getFunction();
  const auto state = work_item_params(function);
  llvm::IRBuilder<> builder(&call);
  AbiBuilder access(builder);
  auto* worker = access.worker_of(state.group);
  auto* called = access.load_invariant(worker, offset, access.pointer());
  builder.CreateCall(llvm::FunctionType::get(builder.getVoidTy(), {access.pointer()}, false),
                     called, {worker});
  // Other fibers have run and changed the index.
  auto* index = builder.CreateAdd(
      builder.CreateMul(
          builder.CreateAdd(
              builder.CreateMul(
                  state.local_id[2],
                  access.group_word(state.group, offsetof(abi::Group, local_size), 1)),
              state.local_id[1]),
          access.group_word(state.group, offsetof(abi::Group, local_size), 0)),
      state.local_id[0]);
  builder.CreateStore(index, access.field(worker, offsetof(abi::Worker, current_item)), true);
  call.eraseFromParent();
}

void lower_calls(llvm::Function* function, std::uint64_t offset) {
  if (function == nullptr)
    return;
  llvm::SmallVector<llvm::User*, 32> users(function->users());
  for (auto* user : users)
    lower(*llvm::cast<llvm::CallInst>(user), offset);
  function->eraseFromParent();
}

} // namespace

bool is_barrier(llvm::StringRef name) { return llvm::is_contained(kBarriers, name); }

void weaken_restrict(Kernel& kernel) {
  for (unsigned i = 0; i < kernel.metadata.arguments.size(); ++i) {
    constexpr std::uint64_t kConst = 1; // CL_KERNEL_ARG_TYPE_CONST
    if ((kernel.metadata.arguments[i].type_qualifier & kConst) == 0)
      kernel.body->removeParamAttr(i, llvm::Attribute::NoAlias);
  }
}

static void mark_barriers(llvm::Module& module, Kernels& kernels) {
  llvm::SmallPtrSet<const llvm::Function*, 8> with_barrier;
  for (const auto name : kBarriers) {
    auto* function = module.getFunction(name);
    if (function == nullptr)
      continue;
    auto& barrier = declare_barrier(module);
    llvm::SmallVector<llvm::User*, 32> users(function->users());
    for (auto* user : users)
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) {
        with_barrier.insert(call->getFunction());
        llvm::IRBuilder<> builder(call);
        builder.CreateCall(&barrier);
        call->eraseFromParent();
      }
    if (function->use_empty())
      function->eraseFromParent();
  }
  // After a sub-group barrier, too, stores of other work-items are visible.
  auto with_any = with_barrier;
  for (auto& function : module)
    if (const auto known = subgroup_intrinsic(function.getName());
        known && known->kind == SubgroupIntrinsic::Kind::barrier)
      for (auto* user : function.users())
        if (auto* call = llvm::dyn_cast<llvm::CallInst>(user))
          with_any.insert(call->getFunction());
  if (with_any.empty())
    return;
  for (auto& kernel : kernels) {
    bool crosses_any = false;
    for (const auto* function : reachable_functions(*kernel.body)) {
      kernel.metadata.has_barrier |= with_barrier.contains(function);
      crosses_any |= with_any.contains(function);
    }
    if (crosses_any)
      weaken_restrict(kernel);
  }
  // The same for restrict parameters of other functions that contain a barrier or are called after
  // one.
  for (auto& function : module) {
    if (function.isDeclaration() ||
        llvm::any_of(kernels, [&](const Kernel& k) { return k.body == &function; }))
      continue;
    if (llvm::any_of(reachable_functions(function),
                     [&](const auto* f) { return with_any.contains(f); }))
      for (auto& argument : function.args())
        if (argument.getType()->isPointerTy() && argument.getArgNo() + 4 < function.arg_size())
          function.removeParamAttr(argument.getArgNo(), llvm::Attribute::NoAlias);
  }
}

static void lower_barriers(llvm::Module& module) {
  auto* yield = find_yield(module);
  // Where others may have reached the barrier in any order, they are counted.
  lower_calls(find_barrier(module), yield == nullptr ? offsetof(abi::Worker, barrier)
                                                     : offsetof(abi::Worker, counting_barrier));
  lower_calls(yield, offsetof(abi::Worker, yield));
}

llvm::PreservedAnalyses MarkBarriersPass::run(llvm::Module& module,
                                              llvm::ModuleAnalysisManager& /*analyses*/) {
  mark_barriers(module, compilation_.kernels);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses LowerBarriersPass::run(llvm::Module& module,
                                               llvm::ModuleAnalysisManager& /*analyses*/) {
  lower_barriers(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
