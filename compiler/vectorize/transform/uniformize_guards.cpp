#include "compiler/vectorize/transform/uniformize_guards.h"

#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/analysis/affine_id.h"
#include "compiler/vectorize/analysis/group_strided_loop.h"
#include "compiler/vectorize/analysis/uniform_bound.h"
#include "compiler/vectorize/analysis/vectorization_plan.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kMostChecks = 4;
constexpr unsigned kDeepest = 6; // of nested conditions

using llvm::PatternMatch::m_LogicalAnd;
using llvm::PatternMatch::m_LogicalOr;
using llvm::PatternMatch::m_Not;
using llvm::PatternMatch::m_Value;
using llvm::PatternMatch::match;

std::optional<UniformBound> limit_of(llvm::Value& condition, bool is_met,
                                     const LaneShapes& shapes) {
  const auto found = UniformBound::find(condition, is_met, shapes);
  if (!found || found->stride == 0)
    return std::nullopt;
  if (llvm::ICmpInst::isEquality(found->predicate) &&
      (found->predicate == llvm::ICmpInst::ICMP_EQ || found->stride != 1))
    return std::nullopt;
  return found;
}

bool is_decidable(llvm::Value& condition, bool is_met, const LaneShapes& shapes,
                  unsigned depth = 0) {
  if (shapes.is_uniform(condition))
    return true;
  llvm::Value *a = nullptr, *b = nullptr;
  if (depth > kDeepest)
    return false;
  if (match(&condition, m_Not(m_Value(a))))
    return is_decidable(*a, !is_met, shapes, depth + 1);
  if (is_met ? match(&condition, m_LogicalAnd(m_Value(a), m_Value(b)))
             : match(&condition, m_LogicalOr(m_Value(a), m_Value(b))))
    return is_decidable(*a, is_met, shapes, depth + 1) &&
           is_decidable(*b, is_met, shapes, depth + 1);
  return limit_of(condition, is_met, shapes).has_value();
}

// Whether the block leads to the return without any other instruction.
bool is_the_end(const llvm::BasicBlock* block) {
  for (unsigned i = 0; i < 4 && block != nullptr && block->size() == 1; ++i) {
    if (llvm::isa<llvm::ReturnInst>(block->getTerminator()))
      return true;
    block = block->getSingleSuccessor();
  }
  return false;
}

llvm::Function& lane_function_of(llvm::Module& module, llvm::StringRef name,
                                 llvm::FunctionType* type) {
  auto& function = *llvm::cast<llvm::Function>(module.getOrInsertFunction(name, type).getCallee());
  function.setDoesNotThrow();
  function.setWillReturn();
  return function;
}

class Decision {
 public:
  Decision(llvm::Function& kernel, unsigned width, const LaneShapes& shapes)
      : kernel_(kernel), module_(*kernel.getParent()), state_(work_item_params(kernel)),
        width_(width), shapes_(shapes) {}

  void decide(const Guard& check) {
    auto& context = module_.getContext();
    auto* branch = llvm::cast<llvm::BranchInst>(check.block->getTerminator());
    auto* inside = branch->getSuccessor(check.inside);
    auto* outside = branch->getSuccessor(1 - check.inside);
    auto* end = is_the_end(outside) ? outside : the_end();
    auto& condition = *branch->getCondition();
    auto* some = llvm::BasicBlock::Create(context, "some.outside", &kernel_, end);
    auto* again = llvm::BasicBlock::Create(context, "again", &kernel_, end);
    llvm::IRBuilder<> builder(branch);
    none_ = nullptr;
    auto* all = of_all(builder, condition, check.inside == 0);
    builder.CreateCondBr(all, inside, some);
    llvm::IRBuilder<> otherwise(some);
    otherwise.SetCurrentDebugLocation(branch->getDebugLoc());
    if (none_ != nullptr && end == outside)
      otherwise.CreateCondBr(none_, end, again);
    else
      otherwise.CreateBr(again);
    otherwise.SetInsertPoint(again);
    otherwise.CreateCall(
        &lane_function_of(module_, "__heddle_lane_again",
                          llvm::FunctionType::get(llvm::Type::getVoidTy(context), false)));
    otherwise.CreateBr(end);
    if (end != outside || none_ == nullptr)
      outside->removePredecessor(check.block);
    branch->eraseFromParent();
  }

 private:
  // The kernel's only return, alone in its block.
  llvm::BasicBlock* the_end() {
    for (auto& block : kernel_)
      if (auto* leave = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
        return block.size() == 1 ? &block : llvm::SplitBlock(&block, leave);
    llvm_unreachable("a prepared kernel has a return");
  }

  // Emits whether the condition is true (or false) in all lanes of all rows.
  llvm::Value* of_all(llvm::IRBuilder<>& builder, llvm::Value& condition, bool is_met) {
    llvm::Value *a = nullptr, *b = nullptr;
    if (match(&condition, m_Not(m_Value(a))))
      return of_all(builder, *a, !is_met);
    if (is_met ? match(&condition, m_LogicalAnd(m_Value(a), m_Value(b)))
               : match(&condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
      auto* first = of_all(builder, *a, is_met);
      return builder.CreateLogicalAnd(first, of_all(builder, *b, is_met));
    }
    const bool is_by_row = shapes_.differs_by_row(condition);
    auto* outside = none_;
    llvm::Value* all = nullptr;
    if (!shapes_.is_uniform(condition))
      all = of_all_lanes(builder, *limit_of(condition, is_met, shapes_));
    else
      all = is_met ? &condition : builder.CreateNot(&condition);
    if (!is_by_row)
      return all;
    none_ = outside;
    return of_all_rows(builder, all);
  }

  llvm::Value* of_all_lanes(llvm::IRBuilder<>& builder, const UniformBound& found) {
    auto* type = found.number->getType();
    const auto bits = type->getIntegerBitWidth();
    const bool is_signed = llvm::ICmpInst::isSigned(found.predicate);
    const auto number = [&](const llvm::APInt& value) {
      return llvm::ConstantInt::get(type, value);
    };
    const llvm::APInt reach(bits, found.stride * (width_ - 1));
    const auto lowest =
        is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getZero(bits);
    const auto highest =
        is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getAllOnes(bits);
    auto* first = lane_0(builder, found.number);
    if (found.predicate == llvm::ICmpInst::ICMP_NE)
      return builder.CreateICmpUGT(builder.CreateSub(found.limit, first), number(reach), "inside");
    const auto no_higher = is_signed ? llvm::ICmpInst::ICMP_SLE : llvm::ICmpInst::ICMP_ULE;
    const auto no_lower = is_signed ? llvm::ICmpInst::ICMP_SGE : llvm::ICmpInst::ICMP_UGE;
    // Wrap flags of other affine values hold in active lanes only.
    const auto never_wraps = [&] {
      return !is_signed && is_plain_id(*found.number, state_)
                 ? static_cast<llvm::Value*>(builder.getTrue())
                 : builder.CreateICmp(no_higher, first, number(highest - reach));
    };
    if (!found.is_below())
      return builder.CreateAnd(builder.CreateICmp(found.predicate, first, found.limit),
                               never_wraps());
    // If limit - reach does not wrap around, lanes that are all below the limit do not either.
    auto* has_room = builder.CreateICmp(no_lower, found.limit, number(lowest + reach));
    auto* is_below =
        builder.CreateICmp(found.predicate, first, builder.CreateSub(found.limit, number(reach)));
    auto* is_above = builder.CreateICmp(llvm::ICmpInst::getInversePredicate(found.predicate), first,
                                        found.limit);
    auto* outside = builder.CreateAnd(is_above, never_wraps());
    none_ = none_ == nullptr ? outside : builder.CreateLogicalOr(none_, outside);
    return builder.CreateAnd(has_room, is_below, "inside");
  }

  llvm::Value* of_all_rows(llvm::IRBuilder<>& builder, llvm::Value* condition) {
    auto* type = builder.getInt1Ty();
    auto& rows = lane_function_of(module_, "__heddle_lane_rows",
                                  llvm::FunctionType::get(type, {type}, false));
    rows.setDoesNotAccessMemory();
    return builder.CreateCall(&rows, {condition}, "all_rows");
  }

  llvm::Function& kernel_;
  llvm::Module& module_;
  const WorkItemParams state_;
  const unsigned width_;
  const LaneShapes& shapes_;
  llvm::Value* none_ = nullptr; // if true, all lanes fail the check
};

} // namespace

bool is_rare(const llvm::Value& condition, bool is_met) {
  const llvm::Value *a = nullptr, *b = nullptr;
  if (match(&condition, m_LogicalOr(m_Value(a), m_Value(b))))
    return is_met ? is_rare(*a, true) && is_rare(*b, true)
                  : is_rare(*a, false) || is_rare(*b, false);
  if (match(&condition, m_LogicalAnd(m_Value(a), m_Value(b))))
    return is_met ? is_rare(*a, true) || is_rare(*b, true)
                  : is_rare(*a, false) && is_rare(*b, false);
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&condition);
  return compare != nullptr &&
         compare->getPredicate() == (is_met ? llvm::ICmpInst::ICMP_EQ : llvm::ICmpInst::ICMP_NE);
}

bool is_repeatable(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isSimple();
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return llvm::isa<llvm::IntrinsicInst>(call) && call->doesNotAccessMemory() &&
           !call->mayHaveSideEffects() && !call->isConvergent();
  return !instruction.mayReadOrWriteMemory() && !llvm::isa<llvm::AllocaInst>(instruction);
}

llvm::SmallVector<Guard, 4> find_guards(llvm::Function& kernel, const Analyses& now) {
  const auto& shapes = now.shapes;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 4> guards;
  for (auto* loop : now.loops.getLoopsInPreorder())
    if (const auto shared = GroupStridedLoop::find(*loop, shapes))
      guards.insert(shared->guard);
  const auto stays = [](const llvm::Instruction& instruction) {
    const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    return llvm::isa<llvm::AllocaInst>(instruction) || is_repeatable(instruction) ||
           (intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic());
  };
  const auto goes_on = [](const llvm::BasicBlock* inside) {
    return inside->getSinglePredecessor() != nullptr && !is_the_end(inside);
  };
  llvm::SmallVector<Guard, 4> found;
  for (auto* block = &kernel.getEntryBlock(); found.size() != kMostChecks;) {
    if (!llvm::all_of(*block, stays) || guards.contains(block))
      break;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (branch == nullptr)
      break;
    unsigned inside = 0;
    if (branch->isConditional()) {
      auto& condition = *branch->getCondition();
      if (is_the_end(branch->getSuccessor(0)) || is_rare(condition, true))
        inside = 1;
      else if (!is_the_end(branch->getSuccessor(1)) && !is_rare(condition, false))
        break;
      const bool is_open = !shapes.is_uniform(condition) || shapes.differs_by_row(condition);
      if (is_open && !is_decidable(condition, inside == 0, shapes))
        break;
      if (is_open && goes_on(branch->getSuccessor(inside)))
        found.push_back({block, inside});
    }
    auto* next = branch->getSuccessor(inside);
    if (!goes_on(next))
      break;
    block = next;
  }
  return found;
}

static void uniformize_guards(llvm::Function& kernel, const VectorPlan& plan) {
  const Analyses now(kernel, plan);
  const auto found = find_guards(kernel, now);
  Decision decision(kernel, plan.width, now.shapes);
  for (const auto& check : found)
    decision.decide(check);
  if (!found.empty())
    llvm::EliminateUnreachableBlocks(kernel);
}

llvm::PreservedAnalyses UniformizeGuardsPass::run(llvm::Function& body,
                                                  llvm::FunctionAnalysisManager& /*analyses*/) {
  auto& kernel = compilation_.kernel_of(body);
  if (kernel.plan->has_guards)
    uniformize_guards(body, body_plan(kernel));
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
