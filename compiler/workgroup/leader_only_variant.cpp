#include "compiler/workgroup/leader_only_variant.h"

#include "compiler/async_copy/local_buffer_forwarding.h"
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

// The sub-groups behind the first, in a group of one row.
class Others {
 public:
  explicit Others(llvm::Function& form) : form_(form), x_(work_item_params(form).local_id[0]) {
    const llvm::DominatorTree dominators(form);
    for (const auto& block : form) {
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
      if (branch == nullptr || !branch->isConditional())
        continue;
      const auto condition = condition_for_others(*branch->getCondition());
      if (!condition)
        continue;
      const llvm::BasicBlockEdge edge(&block, branch->getSuccessor(*condition ? 1 : 0));
      for (const auto& other : form)
        if (dominators.dominates(edge, &other))
          without_.insert(&other);
    }
  }

  bool do_nothing() const {
    for (const auto& block : form_)
      for (const auto& instruction : block)
        // Barriers order what others see of atomics as well.
        if (instruction.isAtomic() || (!without_.contains(&block) && does_something(instruction)))
          return false;
    return true;
  }

 private:
  // Where local id x is not zero; nothing if it is not sure.
  std::optional<bool> condition_for_others(const llvm::Value& condition) const {
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
    const auto first = condition_for_others(*a), second = condition_for_others(*b);
    if (first == std::optional(false) || second == std::optional(false))
      return false;
    return first && second ? std::optional(true) : std::nullopt;
  }

  static bool does_something(const llvm::Instruction& instruction) {
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic())
      return false;
    return instruction.mayHaveSideEffects() && !is_barrier(instruction) &&
           !is_leader_query(instruction);
  }

  const llvm::Function& form_;
  const llvm::Value* x_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> without_; // that the others do not come to
};

// Copies that are left out in launches that read their tiles in place, and may be made in others.
class CopiesInPlace {
 public:
  explicit CopiesInPlace(llvm::Function& form) : form_(form), group_(work_item_params(form).group) {
    for (auto& instruction : llvm::instructions(form))
      if (auto* condition = left_out(instruction); condition != nullptr && is_of_launch(*condition))
        conditions_.insert(condition);
  }

  // Makes the form one for launches in which all these are left out.
  llvm::Function* leave_out() {
    if (conditions_.empty())
      return nullptr;
    auto& context = form_.getContext();
    auto* when = llvm::Function::Create(
        llvm::FunctionType::get(llvm::Type::getInt1Ty(context), form_.getFunctionType()->params(),
                                false),
        llvm::GlobalValue::InternalLinkage, form_.getName() + ".when", form_.getParent());
    when->addFnAttr(llvm::Attribute::AlwaysInline);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", when));
    llvm::ValueToValueMapTy made;
    for (auto& parameter : form_.args())
      made[&parameter] = when->getArg(parameter.getArgNo());
    llvm::Value* all = builder.getTrue();
    for (auto* condition : conditions_)
      all = builder.CreateAnd(all, again(builder, *condition, made));
    builder.CreateRet(all);
    for (auto* condition : conditions_)
      condition->replaceAllUsesWith(llvm::ConstantInt::getTrue(context));
    return when;
  }

 private:
  static llvm::Instruction* left_out(const llvm::Instruction& instruction) {
    return callee_of(instruction) == kCopyUnlessInPlace
               ? llvm::dyn_cast<llvm::Instruction>(instruction.getOperand(3))
               : nullptr;
  }

  // Made of arguments and of words of the group and the launch, by what may be done in any case.
  bool is_of_launch(const llvm::Value& value) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (instruction == nullptr)
      return true;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction))
      return is_word(*load);
    return !llvm::isa<llvm::PHINode, llvm::CallBase>(instruction) &&
           llvm::isSafeToSpeculativelyExecute(instruction) &&
           llvm::all_of(instruction->operands(),
                        [&](const llvm::Use& operand) { return is_of_launch(*operand); });
  }

  bool is_word(const llvm::LoadInst& load) const {
    const auto* base = load.getPointerOperand()->stripInBoundsConstantOffsets();
    const auto* launch = llvm::dyn_cast<llvm::LoadInst>(base);
    return load.isSimple() &&
           (base == group_ || (launch != nullptr && launch->getPointerOperand() == group_));
  }

  static llvm::Value* again(llvm::IRBuilder<>& builder, llvm::Value& value,
                            llvm::ValueToValueMapTy& made) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (const auto found = made.find(&value); found != made.end())
      return found->second;
    if (instruction == nullptr)
      return &value;
    auto* copy = instruction->clone();
    copy->setDebugLoc(llvm::DebugLoc());
    copy->dropPoisonGeneratingAnnotations(); // the program may not come to it
    for (auto& operand : copy->operands())
      operand = again(builder, *operand, made);
    builder.Insert(copy);
    made[&value] = copy;
    return copy;
  }

  llvm::Function& form_;
  const llvm::Value* group_;
  llvm::SmallSetVector<llvm::Instruction*, 4> conditions_;
};

} // namespace

void make_leader_only_variant(Kernel& kernel) {
  auto& form = *kernel.variant(VariantKind::whole);
  if (!Others(form).do_nothing())
    return;
  llvm::ValueToValueMapTy values;
  auto* alone = llvm::CloneFunction(&form, values);
  alone->setName(form.getName() + ".alone");
  alone->setLinkage(llvm::GlobalValue::InternalLinkage);
  // Registers are for its loops alone, and not for the other forms around a call of it.
  alone->removeFnAttr(llvm::Attribute::AlwaysInline);
  alone->addFnAttr(llvm::Attribute::NoInline);
  for (auto* id : work_item_params(*alone).local_id) // of the first sub-group's first work-item
    id->replaceAllUsesWith(llvm::ConstantInt::get(id->getType(), 0));
  const llvm::DominatorTree dominators(*alone);
  const llvm::LoopInfo loops(dominators);
  for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(*alone))) {
    if (is_leader_query(instruction)) {
      instruction.replaceAllUsesWith(llvm::ConstantInt::getTrue(instruction.getContext()));
      instruction.eraseFromParent();
      continue;
    }
    if (!is_barrier(instruction))
      continue;
    // What the round between two barriers does is not made larger.
    for (auto* loop = loops.getLoopFor(instruction.getParent()); loop != nullptr;
         loop = loop->getParentLoop())
      llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.disable", 1);
    instruction.eraseFromParent();
  }
  kernel.variants.set(VariantKind::leader, alone);
  kernel.regions.leader_condition = CopiesInPlace(*alone).leave_out();
}

} // namespace heddle::compiler
