#include "compiler/passes/split_at_barriers.h"

#include "compiler/passes/carried_values.h"
#include "compiler/passes/lower_barriers.h"
#include "compiler/passes/work_item_state.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace heddle::compiler {
namespace {

constexpr auto kStepNumber = "heddle.step";
// Copies of the code for each step are worth it up to this many instructions, times lanes.
constexpr std::size_t kMostInstructionsApart = 32'000;
constexpr unsigned kMostStepsApart = 64;

class Splitter {
 public:
  explicit Splitter(llvm::Function& old)
      : function_(with_step(old)), layout_(function_.getParent()->getDataLayout()), frame_(layout_),
        step_(function_.getArg(static_cast<unsigned>(function_.arg_size()) - 2)),
        memory_(function_.getArg(static_cast<unsigned>(function_.arg_size()) - 1)) {}

  llvm::Function* run() {
    cut();
    place_variables();
    CarriedValues carried(function_, frame_, *memory_, suspensions_);
    dispatch();
    carried.carry();
    return &function_;
  }
  std::uint64_t frame_bytes() const { return frame_.bytes(); }

  // What each step comes to: one number, or nothing if there are several; by step.
  std::vector<std::pair<unsigned, std::optional<unsigned>>> next_steps() {
    std::vector<std::pair<unsigned, std::optional<unsigned>>> found{{0, next_from(first_)}};
    for (const auto& suspension : suspensions_)
      found.emplace_back(suspension.number, next_from(suspension.after));
    return found;
  }

  // Instructions of all steps, each with everything it may come to before it ends.
  std::size_t size_apart() {
    auto count = size_from(first_);
    for (const auto& suspension : suspensions_)
      count += size_from(suspension.after);
    return count;
  }

 private:
  static std::size_t size_from(llvm::BasicBlock* block) {
    std::size_t count = 0;
    for (auto* reached : llvm::depth_first(block))
      count += reached->size();
    return count;
  }

  static std::optional<unsigned> next_from(llvm::BasicBlock* block) {
    std::optional<unsigned> next;
    for (auto* reached : llvm::depth_first(block)) {
      const auto* leave = llvm::dyn_cast<llvm::ReturnInst>(reached->getTerminator());
      if (leave == nullptr)
        continue;
      const auto number = static_cast<unsigned>(
          llvm::cast<llvm::ConstantInt>(leave->getReturnValue())->getZExtValue());
      if (next && *next != number)
        return std::nullopt;
      next = number;
    }
    return next;
  }

  static unsigned number_of(const llvm::CallInst& barrier) {
    const auto* number = barrier.getMetadata(kStepNumber)->getOperand(0).get();
    return static_cast<unsigned>(llvm::mdconst::extract<llvm::ConstantInt>(number)->getZExtValue());
  }

  static llvm::Function& with_step(llvm::Function& old) {
    auto& context = old.getContext();
    llvm::SmallVector<llvm::Type*, 16> types(old.getFunctionType()->params());
    auto* step = llvm::Type::getInt32Ty(context);
    types.append({step, llvm::PointerType::get(context, 0)});
    auto* made = llvm::Function::Create(llvm::FunctionType::get(step, types, false),
                                        llvm::GlobalValue::InternalLinkage, "", old.getParent());
    made->takeName(&old);
    made->copyAttributesFrom(&old);
    made->copyMetadata(&old, 0);
    made->addFnAttr(kStepAttribute);
    made->splice(made->begin(), &old);
    for (auto& argument : old.args()) {
      auto* replacement = made->getArg(argument.getArgNo());
      argument.replaceAllUsesWith(replacement);
      replacement->takeName(&argument);
    }
    made->getArg(old.arg_size())->setName("step");
    auto* frame = made->getArg(static_cast<unsigned>(old.arg_size()) + 1);
    frame->setName("frame");
    frame->addAttr(llvm::Attribute::NoAlias);
    frame->addAttr(llvm::Attribute::getWithAlignment(context, kFrameAlign));
    old.eraseFromParent();
    return *made;
  }

  // Blocks end at the barriers; for now they still go on to the next.
  void cut() {
    llvm::SmallVector<llvm::CallInst*, 16> barriers;
    for (auto& instruction : llvm::instructions(function_)) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call != nullptr && call->getCalledFunction() != nullptr &&
          is_barrier(*call->getCalledFunction()))
        barriers.push_back(call);
    }
    for (auto* call : barriers) {
      auto* before = call->getParent();
      auto* after = llvm::SplitBlock(before, std::next(call->getIterator()));
      after->setName("step");
      suspensions_.push_back({number_of(*call), before, after});
      call->eraseFromParent();
    }
  }

  // Variables that a step leaves for the next live in the frame.
  void place_variables() {
    auto& entry = function_.getEntryBlock();
    llvm::IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
    llvm::SmallVector<llvm::AllocaInst*, 16> variables; // what marks their lives goes, too
    for (auto& instruction : entry)
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        variables.push_back(variable);
    for (auto* variable : variables) {
      if (stays_in_step(*variable))
        continue;
      for (auto* user : llvm::make_early_inc_range(variable->users()))
        if (auto* marker = llvm::dyn_cast<llvm::LifetimeIntrinsic>(user))
          marker->eraseFromParent();
      builder.SetInsertPoint(variable);
      auto* place = builder.CreateConstInBoundsGEP1_64(
          builder.getInt8Ty(), memory_,
          frame_.add(variable->getAllocatedType(), variable->getAlign()));
      variable->replaceAllUsesWith(place);
      place->takeName(variable);
      variable->eraseFromParent();
    }
  }

  // Used in one block, between two barriers.
  static bool stays_in_step(const llvm::AllocaInst& variable) {
    const llvm::BasicBlock* only = nullptr;
    for (const auto* user : variable.users()) {
      const auto* instruction = llvm::cast<llvm::Instruction>(user);
      if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction))
        return false;
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(instruction);
      if (store != nullptr && store->getValueOperand() == &variable)
        return false; // its address is kept somewhere
      if (only != nullptr && instruction->getParent() != only)
        return false;
      only = instruction->getParent();
    }
    return true;
  }

  void dispatch() {
    auto& context = function_.getContext();
    auto& first = function_.getEntryBlock();
    first_ = &first;
    auto* entry = llvm::BasicBlock::Create(context, "resume", &function_, &first);
    for (auto& instruction : llvm::make_early_inc_range(first))
      if (llvm::isa<llvm::AllocaInst>(instruction))
        instruction.moveBefore(*entry, entry->end());
    llvm::IRBuilder<> builder(entry);
    builder.SetCurrentDebugLocation(first.getTerminator()->getDebugLoc());
    // A step from nowhere cannot be.
    auto* nowhere = llvm::BasicBlock::Create(context, "nowhere", &function_);
    llvm::IRBuilder<>(nowhere).CreateUnreachable();
    auto* resume =
        builder.CreateSwitch(step_, nowhere, static_cast<unsigned>(suspensions_.size()) + 1);
    resume->addCase(builder.getInt32(0), &first);
    for (auto& block : function_)
      if (auto* leave = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
        builder.SetInsertPoint(leave);
        builder.SetCurrentDebugLocation(leave->getDebugLoc());
        builder.CreateRet(builder.getInt32(0));
        leave->eraseFromParent();
      }
    for (unsigned i = 0; i < suspensions_.size(); ++i) {
      auto* leave = suspensions_[i].before->getTerminator();
      builder.SetInsertPoint(leave);
      builder.SetCurrentDebugLocation(leave->getDebugLoc());
      auto* number = builder.getInt32(suspensions_[i].number);
      builder.CreateRet(number);
      leave->eraseFromParent();
      resume->addCase(number, suspensions_[i].after);
    }
  }

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  StepFrame frame_;
  llvm::Argument* step_;
  llvm::BasicBlock* first_ = nullptr; // of the first step
  llvm::Argument* memory_;
  llvm::SmallVector<Suspension, 16> suspensions_;
};

} // namespace

void number_barriers(Kernel& kernel) {
  auto& context = kernel.body->getContext();
  kernel.steps = 1;
  for (auto& instruction : llvm::instructions(*kernel.body)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call == nullptr || call->getCalledFunction() == nullptr ||
        !is_barrier(*call->getCalledFunction()))
      continue;
    auto* number = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), kernel.steps++);
    call->setMetadata(kStepNumber,
                      llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(number)));
  }
}

void split_at_barriers(Kernel& kernel) {
  kernel.steps_apart = kernel.steps <= kMostStepsApart;
  std::vector<llvm::SmallVector<std::optional<unsigned>, 4>> next(kernel.steps);
  for (auto** form : {&kernel.wide, &kernel.tail, &kernel.crossing, &kernel.block}) {
    if (*form == nullptr)
      continue;
    Splitter splitter(**form);
    *form = splitter.run();
    // A block has the frames of all its rows.
    const auto rows = form == &kernel.block ? kernel.block_rows : 1;
    kernel.metadata.frame_bytes = std::max(kernel.metadata.frame_bytes,
                                           llvm::alignTo(splitter.frame_bytes(), rows * 64) / rows);
    kernel.steps_apart &=
        splitter.size_apart() * kernel.metadata.vector_width <= kMostInstructionsApart;
    for (const auto& [step, following] : splitter.next_steps())
      next[step].push_back(following);
  }
  // Of all forms.
  for (const auto& found : next)
    kernel.next_steps.push_back(!found.empty() && llvm::all_equal(found) ? found.front()
                                                                         : std::nullopt);
}

} // namespace heddle::compiler
