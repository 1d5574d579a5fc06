// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/optimize/keep_interleaved.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kMaxComponents = 16;
constexpr unsigned kMaxOperations = 256; // of one recurrence

using llvm::Instruction;
using llvm::Value;

// A component of interleaved vectors: every `components`-th element, from `component` on.
struct Component {
  Value* vector = nullptr;
  unsigned components = 0;
  unsigned component = 0;
};

std::optional<Component> component_of(const Value& value) {
  const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&value);
  if (shuffle == nullptr)
    return std::nullopt;
  const auto mask = shuffle->getShuffleMask();
  const auto* source = llvm::dyn_cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType());
  if (source == nullptr || mask.size() < 2 || mask[0] < 0 || mask[1] <= mask[0])
    return std::nullopt;
  const auto components = static_cast<unsigned>(mask[1] - mask[0]);
  const auto component = static_cast<unsigned>(mask[0]);
  if (components < 2 || components > kMaxComponents || component >= components ||
      source->getNumElements() != components * mask.size())
    return std::nullopt;
  for (std::size_t lane = 0; lane < mask.size(); ++lane)
    if (mask[lane] != static_cast<int>(lane * components + component))
      return std::nullopt;
  return Component{shuffle->getOperand(0), components, component};
}

// An operation on each element by itself: no cast that joins or divides elements.
bool is_elementwise(const Instruction& instruction) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
  const auto has_as_many = [&](const Value* operand) {
    const auto* of_operand = llvm::dyn_cast<llvm::FixedVectorType>(operand->getType());
    return of_operand != nullptr && of_operand->getNumElements() == type->getNumElements();
  };
  if (type == nullptr)
    return false;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return llvm::isTriviallyVectorizable(call->getIntrinsicID()) &&
           llvm::all_of(call->args(), has_as_many);
  return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst>(instruction) &&
         llvm::all_of(instruction.operands(), has_as_many);
}

// The same in all lanes.
struct Splat {
  Value* value = nullptr;
  std::optional<int> element; // of a vector, as of an OpenCL vector that all lanes have
};

std::optional<Splat> splat_of(const Value& vector) {
  if (auto* scalar = llvm::getSplatValue(&vector))
    return Splat{scalar, std::nullopt};
  const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&vector);
  if (shuffle == nullptr || !llvm::all_equal(shuffle->getShuffleMask()))
    return std::nullopt;
  const auto element = shuffle->getMaskValue(0);
  const auto count = static_cast<int>(
      llvm::cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements());
  if (element < 0 || element >= count)
    return std::nullopt;
  return Splat{shuffle->getOperand(0), element};
}

// What one value is in several components.
using Bundle = llvm::SmallVector<Value*, kMaxComponents>;

unsigned operand_count(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call != nullptr ? call->arg_size() : instruction.getNumOperands();
}

bool is_same_operation(const Instruction& a, const Instruction& b) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&a);
  return a.isSameOperationAs(&b) && a.getParent() == b.getParent() &&
         (call == nullptr ||
          call->getCalledOperand() == llvm::cast<llvm::CallBase>(b).getCalledOperand());
}

Bundle operands_of(const Bundle& bundle, unsigned operand) {
  Bundle operands;
  for (auto* value : bundle)
    operands.push_back(llvm::cast<Instruction>(value)->getOperand(operand));
  return operands;
}

Bundle incoming_values(const Bundle& phis, const llvm::BasicBlock& from) {
  Bundle values;
  for (auto* phi : phis)
    values.push_back(llvm::cast<llvm::PHINode>(phi)->getIncomingValueForBlock(&from));
  return values;
}

// Phis of a loop's header, one for each component, and how they get their next values.
class Recurrence {
 public:
  // `numbers`: which of `components` components the phis are.
  Recurrence(const llvm::Loop& loop, Bundle phis, unsigned components,
             llvm::ArrayRef<unsigned> numbers)
      : loop_(loop), phis_(std::move(phis)), next_(incoming_values(phis_, *loop.getLoopLatch())),
        components_(components), numbers_(numbers) {}

  // Finds what it consists of; false: the components differ in more than their numbers, or nothing
  // is computed.
  bool find() { return find_values(next_) && has_components_ && operations_of_.contains(next_[0]); }

  // In the loop nothing else uses the values. Behind it only phis of exits that are entered from
  // the loop alone do.
  bool has_only_own_uses() const {
    const auto is_own = [&](const Instruction& user) {
      return llvm::is_contained(phis_, &user) ||
             llvm::any_of(operations_,
                          [&](const Bundle& bundle) { return llvm::is_contained(bundle, &user); });
    };
    const auto is_final = [&](Value* value) {
      return llvm::is_contained(phis_, value) || llvm::is_contained(next_, value);
    };
    const auto has_own_uses = [&](Value* value) {
      return llvm::all_of(value->users(), [&](const llvm::User* user) {
        const auto* instruction = llvm::cast<Instruction>(user);
        return loop_.contains(instruction) ? is_own(*instruction)
                                           : is_final(value) && is_in_exit(*instruction);
      });
    };
    return llvm::all_of(phis_, has_own_uses) &&
           llvm::all_of(operations_,
                        [&](const Bundle& bundle) { return llvm::all_of(bundle, has_own_uses); });
  }

  // Of all components.
  void rewrite() {
    auto* preheader = loop_.getLoopPreheader();
    llvm::IRBuilder<> builder(loop_.getHeader(), loop_.getHeader()->begin());
    auto* phi = builder.CreatePHI(widened(phis_[0]->getType()), 2);
    wide_[phis_[0]] = phi;
    for (const auto& bundle : operations_)
      rewrite(bundle);
    builder.SetInsertPoint(preheader->getTerminator());
    phi->addIncoming(interleave(builder, incoming_values(phis_, *preheader)), preheader);
    phi->addIncoming(wide_.lookup(next_[0]), loop_.getLoopLatch());
    separate_behind_loop(phis_);
    separate_behind_loop(next_);
    erase(phis_);
    for (const auto& bundle : llvm::reverse(operations_))
      erase(bundle);
  }

 private:
  llvm::FixedVectorType* widened(llvm::Type* type) const {
    auto* vector = llvm::cast<llvm::FixedVectorType>(type);
    return llvm::FixedVectorType::get(vector->getElementType(),
                                      vector->getNumElements() * components_);
  }

  bool find_values(const Bundle& values) {
    if (values == phis_)
      return true;
    if (const auto known = operations_of_.find(values[0]); known != operations_of_.end())
      return operations_[known->second] == values;
    if (is_interleaved(values)) {
      has_components_ = true;
      return true;
    }
    if (is_splat(values) || is_invariant(values))
      return true;
    auto* first = llvm::dyn_cast<Instruction>(values[0]);
    if (first == nullptr || !is_elementwise(*first) || !loop_.contains(first) ||
        operations_.size() == kMaxOperations)
      return false;
    for (auto* value : values) {
      const auto* other = llvm::dyn_cast<Instruction>(value);
      if (other == nullptr || !is_same_operation(*other, *first))
        return false;
    }
    for (unsigned i = 0; i < operand_count(*first); ++i)
      if (!find_values(operands_of(values, i)))
        return false;
    // Each operation is of one component, and once.
    for (auto* value : values)
      if (!members_.insert(value).second)
        return false;
    operations_of_[values[0]] = operations_.size();
    operations_.push_back(values);
    return true;
  }

  // The components of one vector.
  bool is_interleaved(const Bundle& values) const {
    const auto first = component_of(*values[0]);
    if (!first || first->components != components_)
      return false;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto other = component_of(*values[i]);
      if (!other || other->vector != first->vector || other->components != components_ ||
          other->component != numbers_[i])
        return false;
    }
    return true;
  }

  static bool is_splat(const Bundle& values) {
    return llvm::all_equal(values) && splat_of(*values[0]).has_value();
  }

  bool is_invariant(const Bundle& values) const {
    return llvm::all_of(values, [&](Value* value) { return loop_.isLoopInvariant(value); });
  }

  // Whether the instruction is a phi whose value may be taken apart in its block.
  bool is_in_exit(const Instruction& user) const {
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(&user);
    return phi != nullptr && phi->hasConstantValue() != nullptr &&
           phi->getParent()->getFirstInsertionPt() != phi->getParent()->end() &&
           llvm::all_of(llvm::predecessors(phi->getParent()),
                        [&](const llvm::BasicBlock* block) { return loop_.contains(block); });
  }

  Value* interleave(llvm::IRBuilder<>& builder, const Bundle& parts) const {
    auto* type = llvm::cast<llvm::FixedVectorType>(parts[0]->getType());
    if (is_splat(parts)) {
      const auto splat = *splat_of(*parts[0]);
      const auto count = type->getNumElements() * components_;
      return splat.element ? builder.CreateShuffleVector(
                                 splat.value, llvm::SmallVector<int, 64>(count, *splat.element))
                           : builder.CreateVectorSplat(count, splat.value);
    }
    return builder.CreateShuffleVector(
        llvm::concatenateVectors(builder, parts),
        llvm::createInterleaveMask(type->getNumElements(), components_));
  }

  Value* wide(llvm::IRBuilder<>& builder, const Bundle& values) const {
    if (auto* known = wide_.lookup(values[0]))
      return known;
    if (is_interleaved(values))
      return component_of(*values[0])->vector;
    if (is_splat(values))
      return interleave(builder, values);
    llvm::IRBuilder<> before(loop_.getLoopPreheader()->getTerminator());
    return interleave(before, values);
  }

  void rewrite(const Bundle& bundle) {
    // Before the last one all operands are there.
    auto* first = llvm::cast<Instruction>(bundle[0]);
    auto* last = first;
    for (auto* value : bundle)
      if (auto* other = llvm::cast<Instruction>(value); last->comesBefore(other))
        last = other;
    llvm::IRBuilder<> builder(last);
    builder.SetCurrentDebugLocation(first->getDebugLoc());
    llvm::SmallVector<Value*, 4> operands;
    for (unsigned i = 0; i < operand_count(*first); ++i)
      operands.push_back(wide(builder, operands_of(bundle, i)));
    auto* type = widened(first->getType());
    Value* made = nullptr;
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(first))
      made = builder.CreateIntrinsic(type, call->getIntrinsicID(), operands);
    else if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(first))
      made = builder.CreateCast(cast->getOpcode(), operands[0], type);
    else
      made = builder.CreateNAryOp(first->getOpcode(), operands);
    if (auto* instruction = llvm::dyn_cast<Instruction>(made)) {
      instruction->copyIRFlags(first);
      for (auto* each : bundle)
        instruction->andIRFlags(each);
    }
    wide_[first] = made;
  }

  void separate_behind_loop(const Bundle& bundle) {
    auto* value = wide_.lookup(bundle[0]);
    const auto lanes = llvm::cast<llvm::FixedVectorType>(bundle[0]->getType())->getNumElements();
    llvm::DenseMap<llvm::BasicBlock*, llvm::PHINode*> exits;
    for (unsigned c = 0; c < components_; ++c)
      for (auto* user : llvm::make_early_inc_range(bundle[c]->users())) {
        auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
        if (phi == nullptr || loop_.contains(phi))
          continue;
        auto* block = phi->getParent();
        auto*& exit = exits[block];
        if (exit == nullptr) {
          exit = llvm::PHINode::Create(value->getType(), phi->getNumIncomingValues(), "",
                                       block->begin());
          for (auto* from : phi->blocks())
            exit->addIncoming(value, from);
        }
        llvm::IRBuilder<> builder(block, block->getFirstInsertionPt());
        phi->replaceAllUsesWith(
            builder.CreateShuffleVector(exit, llvm::createStrideMask(c, components_, lanes)));
        phi->eraseFromParent();
      }
  }

  // Values that only others of the recurrence use.
  static void erase(const Bundle& bundle) {
    for (auto* value : bundle) {
      value->replaceAllUsesWith(llvm::PoisonValue::get(value->getType()));
      llvm::cast<Instruction>(value)->eraseFromParent();
    }
  }

  const llvm::Loop& loop_;
  const Bundle phis_, next_;
  const unsigned components_;
  const llvm::SmallVector<unsigned, kMaxComponents> numbers_;
  llvm::SmallVector<Bundle, 16> operations_;          // operands before their users
  llvm::DenseMap<Value*, std::size_t> operations_of_; // by the first of a bundle
  llvm::SmallPtrSet<Value*, 32> members_;             // of the operations
  llvm::DenseMap<Value*, Value*> wide_;               // by the first of a bundle
  bool has_components_ = false;
};

// A component of a vector from which the value is computed.
std::optional<Component> added_component(const llvm::Loop& loop, Value& value) {
  llvm::SmallPtrSet<Value*, 16> seen{&value};
  llvm::SmallVector<Value*, 16> waiting{&value};
  while (!waiting.empty() && seen.size() < kMaxOperations) {
    auto* next = waiting.pop_back_val();
    if (const auto found = component_of(*next))
      return found;
    auto* instruction = llvm::dyn_cast<Instruction>(next);
    if (instruction == nullptr || !loop.contains(instruction) || !is_elementwise(*instruction))
      continue;
    for (auto& operand : instruction->operands())
      if (seen.insert(operand).second)
        waiting.push_back(operand);
  }
  return std::nullopt;
}

class Recurrences {
 public:
  explicit Recurrences(llvm::Loop& loop) : loop_(loop) {
    for (auto& phi : loop.getHeader()->phis())
      if (phi.getType()->isVectorTy())
        if (const auto found =
                added_component(loop, *phi.getIncomingValueForBlock(loop.getLoopLatch())))
          (found->component == 0 ? firsts_ : others_).push_back({&phi, *found});
  }

  bool may_have_some() const { return !firsts_.empty() && !others_.empty(); }

  bool rewrite() {
    bool changed = false;
    for (const auto& [first, component] : firsts_) {
      Bundle phis{first};
      llvm::SmallVector<unsigned, kMaxComponents> numbers{0};
      for (unsigned c = 1; c < component.components; ++c)
        if (auto* phi = find_other(*first, c, component.components)) {
          phis.push_back(phi);
          numbers.push_back(c);
        }
      if (phis.size() != component.components)
        continue;
      Recurrence recurrence(loop_, phis, component.components, numbers);
      if (!recurrence.find() || !recurrence.has_only_own_uses())
        continue;
      recurrence.rewrite();
      llvm::erase_if(others_, [&](const Sum& sum) { return llvm::is_contained(phis, sum.phi); });
      changed = true;
    }
    return changed;
  }

 private:
  struct Sum {
    llvm::PHINode* phi;
    Component component;
  };

  // Of the same recurrence as the first one, but for another component.
  llvm::PHINode* find_other(llvm::PHINode& first, unsigned number, unsigned components) const {
    for (const auto& [phi, component] : others_)
      if (component.component == number && component.components == components &&
          phi->getType() == first.getType() &&
          Recurrence(loop_, {&first, phi}, components, {0, number}).find())
        return phi;
    return nullptr;
  }

  llvm::Loop& loop_;
  llvm::SmallVector<Sum, 8> firsts_, others_;
};

} // namespace

llvm::PreservedAnalyses KeepInterleavedPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool changed = false;
  for (auto* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || loop->getLoopLatch() == nullptr ||
        !Recurrences(*loop).may_have_some())
      continue;
    changed |= llvm::simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
    changed |= llvm::formLCSSA(*loop, dominators, &loops, nullptr);
    if (loop->isLoopSimplifyForm())
      changed |= Recurrences(*loop).rewrite();
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace heddle::compiler
