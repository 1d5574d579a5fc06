// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/lower_static_guards.h"

#include "compiler/interface/metadata.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

constexpr const char* kAcquire = "__cxa_guard_acquire";
constexpr const char* kRelease = "__cxa_guard_release";

// A guard has 8 bytes. The first one says that the object is initialized (Itanium C++ ABI 3.3.3).
constexpr std::uint64_t kInitialized = 1;

using Calls = llvm::SmallVector<llvm::CallInst*, 8>;

Calls guard_calls(llvm::Module& module, llvm::StringRef name) {
  Calls calls;
  if (auto* function = module.getFunction(name); function != nullptr && function->isDeclaration())
    for (auto* user : function->users())
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user);
          call != nullptr && call->arg_size() == 1)
        calls.push_back(call);
  return calls;
}

// The branch that depends on whether acquire returned 0; null if there is none of that form.
llvm::BranchInst* branch_after(llvm::CallInst& acquire) {
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(acquire.getParent()->getTerminator());
  if (branch == nullptr || !branch->isConditional() || !acquire.hasOneUse())
    return nullptr;
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  const bool is_not_zero = compare != nullptr && compare->hasOneUse() &&
                           compare->getPredicate() == llvm::CmpInst::ICMP_NE &&
                           compare->getOperand(0) == &acquire &&
                           llvm::cast<llvm::Constant>(compare->getOperand(1))->isNullValue();
  return is_not_zero ? branch : nullptr;
}

bool leads_to(const llvm::CallInst& release, const llvm::BasicBlock* end) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(release.getParent()->getTerminator());
  return branch != nullptr && branch->isUnconditional() && branch->getSuccessor(0) == end;
}

bool lower(llvm::CallInst& acquire, const Calls& releases) {
  auto* branch = branch_after(acquire);
  if (branch == nullptr)
    return false;
  auto* guard = acquire.getArgOperand(0);
  auto* initialize = branch->getSuccessor(0);
  auto* end = branch->getSuccessor(1);
  Calls own;
  for (auto* release : releases)
    if (release->getFunction() == acquire.getFunction() && release->getArgOperand(0) == guard) {
      if (!leads_to(*release, end))
        return false;
      own.push_back(release);
    }
  if (own.empty() || !end->phis().empty() || !initialize->phis().empty())
    return false;

  if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(guard->stripPointerCasts()))
    variable->addAttribute(kStaticGuardAttribute);
  auto* wait = acquire.getParent()->splitBasicBlock(&acquire, "init.wait");
  auto* attempt = wait->splitBasicBlock(&acquire, "init.attempt");
  llvm::IRBuilder<> builder(wait->getTerminator());
  auto* done = builder.CreateAlignedLoad(builder.getInt8Ty(), guard, llvm::Align(8));
  done->setAtomic(llvm::AtomicOrdering::Acquire);
  builder.CreateCondBr(builder.CreateIsNotNull(done), end, attempt);
  wait->getTerminator()->eraseFromParent();

  builder.SetInsertPoint(&acquire);
  auto* exchange = builder.CreateAtomicCmpXchg(
      guard, builder.getInt64(0), builder.getInt64(kGuardInProgress), llvm::Align(8),
      llvm::AtomicOrdering::AcquireRelease, llvm::AtomicOrdering::Acquire);
  auto* compare = llvm::cast<llvm::Instruction>(branch->getCondition());
  branch->setCondition(builder.CreateExtractValue(exchange, 1));
  branch->setSuccessor(1, wait);
  compare->eraseFromParent();
  acquire.eraseFromParent();
  for (auto* release : own) {
    builder.SetInsertPoint(release);
    builder.CreateAlignedStore(builder.getInt64(kInitialized), guard, llvm::Align(8))
        ->setAtomic(llvm::AtomicOrdering::Release);
    release->getParent()->getTerminator()->setSuccessor(0, wait);
    release->eraseFromParent();
  }
  return true;
}

} // namespace

llvm::PreservedAnalyses LowerStaticGuardsPass::run(llvm::Module& module,
                                                   llvm::ModuleAnalysisManager& /*analyses*/) {
  bool changed = false;
  for (auto* acquire : guard_calls(module, kAcquire))
    changed |= lower(*acquire, guard_calls(module, kRelease));
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace heddle::compiler
