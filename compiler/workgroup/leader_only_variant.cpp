// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/workgroup/leader_only_variant.h"

#include "compiler/async_copy/conditional_copy.h"
#include "compiler/async_copy/local_buffer_uses.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/lower_barriers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace heddle::compiler {
namespace {

using namespace llvm::PatternMatch;

// The sub-groups after the first one of a group of one row.
class OtherSubGroups {
 public:
  explicit OtherSubGroups(llvm::Function& variant)
      : variant_(variant), x_(work_item_params(variant).local_id[0]) {
    const llvm::DominatorTree dominators(variant);
    for (const auto& block : variant) {
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
      if (branch == nullptr || !branch->isConditional())
        continue;
      const auto condition = evaluate(*branch->getCondition());
      if (!condition)
        continue;
      const llvm::BasicBlockEdge edge(&block, branch->getSuccessor(*condition ? 1 : 0));
      for (const auto& other : variant)
        if (dominators.dominates(edge, &other))
          skipped_.insert(&other);
    }
  }

  bool have_no_effect() const {
    for (const auto& block : variant_)
      for (const auto& instruction : block)
        // Barriers also order atomics for other groups.
        if (instruction.isAtomic() || (!skipped_.contains(&block) && has_effect(instruction)))
          return false;
    return true;
  }

 private:
  // The value of a branch condition where local id x is not zero; nothing if it is not known.
  std::optional<bool> evaluate(const llvm::Value& condition) const {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&condition))
      return constant->isOne();
    if (is_leader_query(condition))
      return false;
    if (const auto* compared = llvm::dyn_cast<llvm::ICmpInst>(&condition))
      return compared->getPredicate() == llvm::ICmpInst::ICMP_NE && compared->getOperand(0) == x_ &&
                     match(compared->getOperand(1), m_Zero())
                 ? std::optional(true)
                 : std::nullopt;
    const llvm::Value *a = nullptr, *b = nullptr;
    if (!match(&condition, m_LogicalAnd(m_Value(a), m_Value(b))))
      return std::nullopt;
    const auto first = evaluate(*a), second = evaluate(*b);
    if (first == std::optional(false) || second == std::optional(false))
      return false;
    return first && second ? std::optional(true) : std::nullopt;
  }

  static bool has_effect(const llvm::Instruction& instruction) {
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic())
      return false;
    return instruction.mayHaveSideEffects() && !is_barrier(instruction) &&
           !is_leader_query(instruction);
  }

  const llvm::Function& variant_;
  const llvm::Value* x_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> skipped_; // blocks that they do not reach
};

// Copies that elide_local_copies elides under a condition that is the same for the whole launch.
class ElidedCopies {
 public:
  explicit ElidedCopies(llvm::Function& variant)
      : variant_(variant), group_(work_item_params(variant).group) {
    for (auto& instruction : llvm::instructions(variant))
      if (auto* condition = condition_of(instruction);
          condition != nullptr && is_launch_constant(*condition))
        conditions_.insert(condition);
  }

  // Makes the variant one for launches that elide all these copies. Returns the function that tells
  // whether a launch does; null if there are no such copies.
  llvm::Function* assume_elided() {
    if (conditions_.empty())
      return nullptr;
    auto& context = variant_.getContext();
    auto* test =
        llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getInt1Ty(context),
                                                       variant_.getFunctionType()->params(), false),
                               llvm::GlobalValue::InternalLinkage,
                               variant_.getName() + ".condition", variant_.getParent());
    test->addFnAttr(llvm::Attribute::AlwaysInline);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", test));
    llvm::ValueToValueMapTy made;
    for (auto& parameter : variant_.args())
      made[&parameter] = test->getArg(parameter.getArgNo());
    llvm::Value* all = builder.getTrue();
    for (auto* condition : conditions_)
      all = builder.CreateAnd(all, rematerialize(builder, *condition, made));
    builder.CreateRet(all);
    for (auto* condition : conditions_)
      condition->replaceAllUsesWith(llvm::ConstantInt::getTrue(context));
    return test;
  }

 private:
  static llvm::Instruction* condition_of(const llvm::Instruction& instruction) {
    return callee_name(instruction) == kCopyUnlessElided
               ? llvm::dyn_cast<llvm::Instruction>(instruction.getOperand(3))
               : nullptr;
  }

  // Whether the value is computed from arguments and loads from the group and the launch, by
  // instructions that may be speculated.
  bool is_launch_constant(const llvm::Value& value) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (instruction == nullptr)
      return true;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction))
      return is_abi_load(*load);
    return !llvm::isa<llvm::PHINode, llvm::CallBase>(instruction) &&
           llvm::isSafeToSpeculativelyExecute(instruction) &&
           llvm::all_of(instruction->operands(),
                        [&](const llvm::Use& operand) { return is_launch_constant(*operand); });
  }

  bool is_abi_load(const llvm::LoadInst& load) const {
    const auto* base = load.getPointerOperand()->stripInBoundsConstantOffsets();
    const auto* launch = llvm::dyn_cast<llvm::LoadInst>(base);
    return load.isSimple() &&
           (base == group_ || (launch != nullptr && launch->getPointerOperand() == group_));
  }

  static llvm::Value* rematerialize(llvm::IRBuilder<>& builder, llvm::Value& value,
                                    llvm::ValueToValueMapTy& made) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (const auto found = made.find(&value); found != made.end())
      return found->second;
    if (instruction == nullptr)
      return &value;
    auto* copy = instruction->clone();
    copy->setDebugLoc(llvm::DebugLoc());
    copy->dropPoisonGeneratingAnnotations(); // the program may not reach it
    for (auto& operand : copy->operands())
      operand = rematerialize(builder, *operand, made);
    builder.Insert(copy);
    made[&value] = copy;
    return copy;
  }

  llvm::Function& variant_;
  const llvm::Value* group_;
  llvm::SmallSetVector<llvm::Instruction*, 4> conditions_;
};

} // namespace

void make_leader_only_variant(Kernel& kernel) {
  auto& whole = *kernel.variant(VariantKind::whole);
  if (!OtherSubGroups(whole).have_no_effect())
    return;
  llvm::ValueToValueMapTy values;
  auto* leader = llvm::CloneFunction(&whole, values);
  leader->setName(whole.getName() + ".leader");
  leader->setLinkage(llvm::GlobalValue::InternalLinkage);
  leader->removeFnAttr(llvm::Attribute::AlwaysInline);
  leader->addFnAttr(llvm::Attribute::NoInline);
  for (auto* id : work_item_params(*leader).local_id) // of the first sub-group's first work-item
    id->replaceAllUsesWith(llvm::ConstantInt::get(id->getType(), 0));
  const llvm::DominatorTree dominators(*leader);
  const llvm::LoopInfo loops(dominators);
  for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(*leader))) {
    if (is_leader_query(instruction)) {
      instruction.replaceAllUsesWith(llvm::ConstantInt::getTrue(instruction.getContext()));
      instruction.eraseFromParent();
      continue;
    }
    if (!is_barrier(instruction))
      continue;
    // Barriers kept these loops from being unrolled; they stay rolled.
    for (auto* loop = loops.getLoopFor(instruction.getParent()); loop != nullptr;
         loop = loop->getParentLoop())
      llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.disable", 1);
    instruction.eraseFromParent();
  }
  kernel.variants.set(VariantKind::leader, leader);
  kernel.regions.leader_condition = ElidedCopies(*leader).assume_elided();
}

} // namespace heddle::compiler
