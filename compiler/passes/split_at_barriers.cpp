#include "compiler/passes/split_at_barriers.h"

#include "compiler/passes/lower_barriers.h"
#include "compiler/passes/work_item_state.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

namespace heddle::compiler {
namespace {

const llvm::Align kFrameAlign{64};
constexpr auto kStepNumber = "heddle.step";
// Copies of the code for each step are worth it up to this many instructions, times lanes.
constexpr std::size_t kMostInstructionsApart = 32'000;
constexpr unsigned kMostStepsApart = 64;
// A value is computed again behind a barrier rather than kept if that takes so many instructions.
constexpr unsigned kCheapest = 6;

class Frame {
 public:
  explicit Frame(const llvm::DataLayout& layout) : layout_(layout) {}

  std::uint64_t add(llvm::Type* type, llvm::Align align) {
    end_ = llvm::alignTo(end_, std::min(align, kFrameAlign));
    const auto at = end_;
    end_ += layout_.getTypeAllocSize(type).getFixedValue();
    return at;
  }
  std::uint64_t bytes() const { return llvm::alignTo(end_, kFrameAlign); }

 private:
  const llvm::DataLayout& layout_;
  std::uint64_t end_ = 8; // the next step stands first (make_entry_points)
};

struct Suspension {
  unsigned number;          // of the step that comes next
  llvm::BasicBlock* before; // ends with the return
  llvm::BasicBlock* after;  // where the next step begins
};

class Splitter {
 public:
  explicit Splitter(llvm::Function& old)
      : function_(with_step(old)), layout_(function_.getParent()->getDataLayout()), frame_(layout_),
        step_(function_.getArg(static_cast<unsigned>(function_.arg_size()) - 2)),
        memory_(function_.getArg(static_cast<unsigned>(function_.arg_size()) - 1)) {}

  llvm::Function* run() {
    cut();
    place_variables();
    find_crossing();
    dispatch();
    for (auto& crossing : crossing_)
      carry(crossing);
    load_late();
    return &function_;
  }
  std::uint64_t frame_bytes() const { return frame_.bytes(); }

  // Instructions of all steps, each with everything it may come to before it ends.
  std::size_t size_apart() {
    auto count = size_from(first_);
    for (const auto& suspension : suspensions_)
      count += size_from(suspension.after);
    return count;
  }

 private:
  struct Crossing {
    llvm::Instruction* value;
    llvm::SmallVector<unsigned, 4> suspensions;
  };

  struct Place { // in the frame
    llvm::Type* type;
    std::uint64_t offset;
    llvm::SmallVector<const llvm::Instruction*, 2> values;
    llvm::SmallVector<unsigned, 4> suspensions;
  };

  static std::size_t size_from(llvm::BasicBlock* block) {
    std::size_t count = 0;
    for (auto* reached : llvm::depth_first(block))
      count += reached->size();
    return count;
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
    for (auto& instruction : llvm::make_early_inc_range(entry)) {
      auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (variable == nullptr || stays_in_step(*variable))
        continue;
      for (auto* user : llvm::make_early_inc_range(variable->users()))
        if (auto* marker = llvm::dyn_cast<llvm::LifetimeIntrinsic>(user))
          marker->eraseFromParent();
      builder.SetInsertPoint(variable);
      auto* place =
          address(builder, frame_.add(variable->getAllocatedType(), variable->getAlign()));
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

  llvm::Value* address(llvm::IRBuilder<>& builder, std::uint64_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), memory_, offset);
  }

  // Blocks that the value is live at the start of.
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> live_blocks(llvm::Instruction& value) {
    llvm::SmallPtrSet<llvm::BasicBlock*, 16> live;
    llvm::SmallVector<llvm::BasicBlock*, 16> work;
    const auto need = [&](llvm::BasicBlock* block) {
      if (block != value.getParent() && live.insert(block).second)
        work.push_back(block);
    };
    for (const auto& use : value.uses()) {
      auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user))
        need(phi->getIncomingBlock(use));
      else
        need(user->getParent());
    }
    while (!work.empty())
      for (auto* predecessor : llvm::predecessors(work.pop_back_val()))
        need(predecessor);
    return live;
  }

  void find_crossing() {
    for (auto& instruction : llvm::instructions(function_)) {
      if (instruction.getType()->isVoidTy() || instruction.use_empty())
        continue;
      if (llvm::isa<llvm::AllocaInst>(instruction))
        continue; // moved to the new entry
      const bool is_local = llvm::all_of(instruction.users(), [&](llvm::User* user) {
        return llvm::cast<llvm::Instruction>(user)->getParent() == instruction.getParent() &&
               !llvm::isa<llvm::PHINode>(user);
      });
      if (is_local)
        continue;
      const auto live = live_blocks(instruction);
      Crossing crossing{&instruction, {}};
      for (unsigned i = 0; i < suspensions_.size(); ++i)
        if (live.contains(suspensions_[i].after))
          crossing.suspensions.push_back(i);
      if (!crossing.suspensions.empty())
        crossing_.push_back(std::move(crossing));
    }
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
    new llvm::UnreachableInst(context, nowhere);
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

  // Whether the value can be had again from parameters alone; counts the instructions.
  bool is_cheap(const llvm::Value& value, unsigned& count) const {
    if (llvm::isa<llvm::Constant, llvm::Argument>(value))
      return true;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (instruction == nullptr || ++count > kCheapest ||
        llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) || instruction->isTerminator())
      return false;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
      // The group's and the launch's words do not change.
      if (load->isVolatile() || !is_of_launch(*load))
        return false;
    } else if (instruction->mayReadOrWriteMemory() || instruction->mayHaveSideEffects() ||
               llvm::isa<llvm::CallBase>(instruction)) {
      return false;
    }
    return llvm::all_of(instruction->operands(),
                        [&](const llvm::Use& use) { return is_cheap(*use.get(), count); });
  }

  bool is_of_launch(const llvm::LoadInst& load) const {
    if (load.hasMetadata(llvm::LLVMContext::MD_invariant_load))
      return true;
    return load.getPointerOperand()->stripInBoundsConstantOffsets() ==
           work_item_state(function_).group;
  }

  llvm::Value* again(llvm::IRBuilder<>& builder, llvm::Value& value,
                     llvm::DenseMap<llvm::Value*, llvm::Value*>& made) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (instruction == nullptr)
      return &value;
    if (auto* known = made.lookup(&value))
      return known;
    auto* copy = instruction->clone();
    for (auto& operand : copy->operands())
      operand.set(again(builder, *operand.get(), made));
    builder.Insert(copy, instruction->getName());
    made[&value] = copy;
    return copy;
  }

  static bool is_handed_on(const llvm::Value& from, const llvm::Value& to) {
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(&to);
    return phi != nullptr && llvm::is_contained(phi->incoming_values(), &from);
  }

  // A value and the phi that it is handed on to, as loops do, have one place if no barrier is
  // crossed by both: handing it on then costs nothing.
  std::uint64_t place_of(const Crossing& crossing, llvm::Type* type) {
    for (auto& place : places_) {
      const bool is_related = llvm::any_of(place.values, [&](const llvm::Instruction* other) {
        return is_handed_on(*other, *crossing.value) || is_handed_on(*crossing.value, *other);
      });
      const bool is_taken = llvm::any_of(crossing.suspensions, [&](unsigned number) {
        return llvm::is_contained(place.suspensions, number);
      });
      if (!is_related || is_taken || place.type != type)
        continue;
      place.values.push_back(crossing.value);
      place.suspensions.append(crossing.suspensions);
      return place.offset;
    }
    places_.push_back(
        {type, frame_.add(type, align_of(type)), {crossing.value}, crossing.suspensions});
    return places_.back().offset;
  }

  void carry(const Crossing& crossing) {
    auto& value = *crossing.value;
    auto* type = value.getType();
    unsigned cost = 0;
    const bool is_recomputed = is_cheap(value, cost);
    // Flags are not addressable.
    auto* kept = type->getScalarType()->isIntegerTy(1)
                     ? llvm::IntegerType::get(type->getContext(), elements_of(type))
                     : type;
    const auto place = is_recomputed ? 0 : place_of(crossing, kept);
    llvm::SmallVector<llvm::Use*, 16> uses;
    for (auto& use : value.uses())
      uses.push_back(&use);
    llvm::SSAUpdater updater;
    updater.Initialize(type, value.getName());
    updater.AddAvailableValue(value.getParent(), &value);
    for (const auto number : crossing.suspensions) {
      auto* after = suspensions_[number].after;
      llvm::IRBuilder<> builder(after, after->getFirstInsertionPt());
      builder.SetCurrentDebugLocation(after->getTerminator()->getDebugLoc());
      llvm::Value* found = nullptr;
      if (is_recomputed) {
        llvm::DenseMap<llvm::Value*, llvm::Value*> made;
        found = again(builder, value, made);
      } else {
        found = builder.CreateAlignedLoad(kept, address(builder, place), align_of(kept));
        if (kept != type)
          found = builder.CreateBitCast(found, type);
      }
      after_[after].push_back({&value, found});
      // In the block of the definition itself the definition comes later and is what leaves it.
      if (after != value.getParent())
        updater.AddAvailableValue(after, found);
    }
    const auto reaching = [&](llvm::BasicBlock* block) -> llvm::Value* {
      if (block == value.getParent())
        return &value;
      for (const auto& [of, found] : after_.lookup(block))
        if (of == &value)
          return found;
      return updater.GetValueInMiddleOfBlock(block);
    };
    if (!is_recomputed)
      for (const auto number : crossing.suspensions) {
        auto* before = suspensions_[number].before;
        auto* current = updater.GetValueAtEndOfBlock(before);
        llvm::IRBuilder<> builder(before->getTerminator());
        if (kept != type)
          current = builder.CreateBitCast(current, kept);
        builder.CreateAlignedStore(current, address(builder, place), align_of(kept));
      }
    for (auto* use : uses) {
      auto* user = llvm::cast<llvm::Instruction>(use->getUser());
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) {
        use->set(updater.GetValueAtEndOfBlock(phi->getIncomingBlock(*use)));
        continue;
      }
      if (user->getParent() != value.getParent())
        use->set(reaching(user->getParent()));
    }
  }

  // What a step takes from the frame it loads where it is used first, not all of it at the
  // beginning: there are not as many registers. Nothing is stored to the frame before a step's end.
  void load_late() {
    for (auto& [block, values] : after_)
      for (auto& [of, found] : values) {
        auto* load = llvm::dyn_cast<llvm::LoadInst>(found);
        if (load == nullptr || load->use_empty() ||
            llvm::any_of(load->users(), [&](const llvm::User* user) {
              const auto* instruction = llvm::cast<llvm::Instruction>(user);
              return instruction->getParent() != block || llvm::isa<llvm::PHINode>(instruction);
            }))
          continue;
        auto* first = llvm::cast<llvm::Instruction>(*load->user_begin());
        for (auto* user : load->users())
          if (auto* other = llvm::cast<llvm::Instruction>(user); other->comesBefore(first))
            first = other;
        load->moveBefore(first->getIterator());
      }
  }

  static unsigned elements_of(llvm::Type* type) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    return vector != nullptr ? vector->getNumElements() : 1;
  }
  llvm::Align align_of(llvm::Type* type) const {
    return std::min(layout_.getPrefTypeAlign(type), kFrameAlign);
  }

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  Frame frame_;
  llvm::Argument* step_;
  llvm::BasicBlock* first_ = nullptr; // of the first step
  llvm::Argument* memory_;
  llvm::SmallVector<Suspension, 16> suspensions_;
  std::vector<Crossing> crossing_;
  std::vector<Place> places_;
  // What each value is again at the start of a step.
  llvm::DenseMap<llvm::BasicBlock*,
                 llvm::SmallVector<std::pair<llvm::Instruction*, llvm::Value*>, 8>>
      after_;
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
  }
}

} // namespace heddle::compiler
