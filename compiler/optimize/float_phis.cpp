// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/optimize/float_phis.h"

#include "compiler/optimize/half_conversions.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

namespace heddle::compiler {
namespace {

using Phis = llvm::SmallSetVector<llvm::PHINode*, 8>;

class PhiFinder {
 public:
  PhiFinder(llvm::Function& function, const KnownFloats& known) : known_(known) {
    // A phi with one incoming value (as behind loops) need not be used as a float.
    for (auto& block : function)
      for (auto& phi : block.phis())
        if (phi.getType()->getScalarType()->isHalfTy() &&
            (known.contains(&phi) || phi.getNumIncomingValues() == 1))
          phis_.insert(&phi);
    if (phis_.empty())
      return;
    const llvm::DominatorTree tree(function);
    const llvm::LoopInfo loops(tree);
    for (bool changed = true; changed;)
      changed = phis_.remove_if([&](llvm::PHINode* phi) { return !may_be_wide(*phi, loops); });
  }
  Phis phis() { return std::move(phis_); }

  // Whether a half is needed, beside floats and other phis.
  static bool is_other_use(const llvm::Use& use, const Phis& phis, const KnownFloats& known) {
    auto* user = llvm::dyn_cast<llvm::PHINode>(use.getUser());
    return use.getUser() != known.lookup(use.get()) && (user == nullptr || !phis.contains(user));
  }

 private:
  bool is_free(llvm::Value* value) const {
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(value))
      return phis_.contains(phi);
    return llvm::isa<llvm::Constant>(value) || known_.contains(value);
  }

  // If a value has to be converted, not more often than the phi, nor beside it.
  bool may_be_wide(llvm::PHINode& phi, const llvm::LoopInfo& loops) const {
    if (llvm::all_of(phi.incoming_values(), [&](llvm::Value* value) { return is_free(value); }))
      return true;
    const auto depth = loops.getLoopDepth(phi.getParent());
    return phi.getNumIncomingValues() > 1 &&
           llvm::none_of(phi.uses(),
                         [&](llvm::Use& use) { return is_other_use(use, phis_, known_); }) &&
           llvm::all_of(phi.incoming_values(), [&](llvm::Value* value) {
             auto* definition = llvm::dyn_cast<llvm::Instruction>(value);
             return is_free(value) || (definition != nullptr && !llvm::isa<llvm::PHINode>(value) &&
                                       loops.getLoopDepth(definition->getParent()) <= depth &&
                                       definition->getInsertionPointAfterDef());
           });
  }

  const KnownFloats& known_;
  Phis phis_;
};

} // namespace

bool widen_phis(llvm::Function& function, KnownFloats& known, llvm::IRBuilder<>& builder,
                llvm::function_ref<llvm::Value*(llvm::Value*)> to_float, bool has_conversions) {
  const auto phis = PhiFinder(function, known).phis();
  llvm::DenseMap<llvm::Value*, llvm::PHINode*> wide;
  for (auto* phi : phis) {
    builder.SetInsertPoint(phi);
    wide[phi] = builder.CreatePHI(with_element(phi->getType(), builder.getFloatTy()),
                                  phi->getNumIncomingValues(), phi->getName());
  }
  for (auto* phi : phis)
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      auto* value = phi->getIncomingValue(i);
      wide[phi]->addIncoming(wide.contains(value) ? wide[value] : to_float(value),
                             phi->getIncomingBlock(i));
    }
  for (auto* phi : phis)
    if (auto* conversion = known.lookup(phi))
      conversion->replaceAllUsesWith(wide[phi]);
  llvm::SmallVector<llvm::WeakTrackingVH, 16> unused;
  for (auto* phi : phis) {
    const auto is_other_use = [&](llvm::Use& use) {
      return PhiFinder::is_other_use(use, phis, known);
    };
    if (llvm::any_of(phi->uses(), is_other_use)) {
      builder.SetInsertPoint(phi->getParent(), phi->getParent()->getFirstInsertionPt());
      phi->replaceUsesWithIf(float_to_half(builder, wide[phi], has_conversions), is_other_use);
    }
    for (auto& value : phi->incoming_values())
      unused.emplace_back(value);
    if (auto* conversion = known.lookup(phi))
      unused.emplace_back(conversion);
  }
  for (auto* phi : phis)
    phi->replaceAllUsesWith(llvm::PoisonValue::get(phi->getType()));
  for (auto* phi : phis)
    phi->eraseFromParent();
  for (auto& value : unused)
    if (value != nullptr)
      llvm::RecursivelyDeleteTriviallyDeadInstructions(value);
  return !phis.empty();
}

} // namespace heddle::compiler
