#include "compiler/workgroup/spill_across_barriers.h"

#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/work_item_params.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

namespace heddle::compiler {
namespace {

// A value is computed again behind a barrier rather than kept if that takes so many instructions,
// besides so many that are the same for all sub-groups and are done once for the group.
constexpr unsigned kCheapest = 6;
constexpr unsigned kCheapestOfGroup = 24;

llvm::Value* address(llvm::IRBuilder<>& builder, llvm::Value& memory, std::uint64_t place) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &memory, place);
}

unsigned elements_of(llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector != nullptr ? vector->getNumElements() : 1;
}

} // namespace

void close_loops(llvm::Function& function, llvm::ArrayRef<SuspendPoint> suspensions) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  llvm::SmallVector<llvm::Loop*, 8> work(loops.begin(), loops.end());
  while (!work.empty()) {
    auto* loop = work.pop_back_val();
    if (llvm::any_of(suspensions, [&](const auto& at) { return loop->contains(at.before); }))
      work.append(loop->begin(), loop->end());
    else
      llvm::formLCSSARecursively(*loop, dominators, &loops, nullptr);
  }
}

BarrierSpiller::BarrierSpiller(llvm::Function& function, RegionFrame& frame, llvm::Value& memory,
                               llvm::ArrayRef<SuspendPoint> suspensions, const Common* common)
    : function_(function), layout_(function.getDataLayout()), frame_(frame), memory_(memory),
      suspensions_(suspensions), common_(common) {
  find();
  find_sharers();
}

void BarrierSpiller::carry() {
  for (const auto& carried : carried_)
    carry(carried);
  load_late();
}

// Blocks that the value is live at the start of.
llvm::SmallPtrSet<llvm::BasicBlock*, 16>
BarrierSpiller::live_blocks(llvm::Instruction& value) const {
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

void BarrierSpiller::find() {
  for (auto& instruction : llvm::instructions(function_)) {
    if (instruction.getType()->isVoidTy() || instruction.use_empty() ||
        llvm::isa<llvm::AllocaInst>(instruction))
      continue;
    const bool is_local = llvm::all_of(instruction.users(), [&](llvm::User* user) {
      return llvm::cast<llvm::Instruction>(user)->getParent() == instruction.getParent() &&
             !llvm::isa<llvm::PHINode>(user);
    });
    if (is_local)
      continue;
    const auto live = live_blocks(instruction);
    Carried carried{&instruction, {}};
    for (unsigned i = 0; i < suspensions_.size(); ++i)
      if (live.contains(suspensions_[i].after))
        carried.suspensions.push_back(i);
    if (!carried.suspensions.empty())
      carried_.push_back(std::move(carried));
  }
}

// --- Places -----------------------------------------------------------------------------------

void BarrierSpiller::find_sharers() {
  llvm::SmallPtrSet<const llvm::Instruction*, 16> taken;
  for (auto& carried : carried_) {
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(carried.value);
    if (phi == nullptr || taken.contains(phi))
      continue;
    for (const auto& next : carried_)
      if (llvm::is_contained(phi->incoming_values(), next.value) && next.value != phi &&
          !taken.contains(next.value) && next.handed_on_from == nullptr &&
          can_share(carried, next)) {
        carried.handed_on_from = next.value;
        taken.insert(next.value);
        break;
      }
  }
}

// The place holds `next` from where that is made, and the variable from where it gets its other
// values: neither may be wanted back when the other has taken its place.
bool BarrierSpiller::can_share(const Carried& variable, const Carried& next) const {
  if (is_cheap(*next.value) || is_common(variable) != is_common(next))
    return false;
  const auto& phi = *llvm::cast<llvm::PHINode>(variable.value);
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
    if (phi.getIncomingValue(i) != next.value &&
        phi.getIncomingBlock(i)->getSingleSuccessor() == nullptr)
      return false;
  auto* begin = variable.value->getParent();
  auto* made = next.value->getParent();
  return !reaches(made, begin, variable.suspensions) && !reaches(begin, made, next.suspensions);
}

// Whether one of the barriers can be come to from the block without coming to `stop`.
bool BarrierSpiller::reaches(llvm::BasicBlock* from, const llvm::BasicBlock* stop,
                             llvm::ArrayRef<unsigned> suspensions) const {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen{from};
  llvm::SmallVector<llvm::BasicBlock*, 16> work{from};
  while (!work.empty()) {
    auto* block = work.pop_back_val();
    if (llvm::any_of(suspensions, [&](unsigned i) { return suspensions_[i].before == block; }))
      return true;
    for (auto* next : llvm::successors(block))
      if (next != stop && seen.insert(next).second)
        work.push_back(next);
  }
  return false;
}

// Flags are not addressable.
llvm::Type* BarrierSpiller::kept_as(llvm::Type* type) const {
  return type->getScalarType()->isIntegerTy(1)
             ? llvm::IntegerType::get(type->getContext(), elements_of(type))
             : type;
}

llvm::Align BarrierSpiller::align_of(llvm::Type* type) const {
  return std::min(layout_.getPrefTypeAlign(type), kFrameAlign);
}

bool BarrierSpiller::is_common(const Carried& carried) const {
  return common_ != nullptr && common_->uniformity.is_common(*carried.value);
}

std::uint64_t BarrierSpiller::place_of(const Carried& carried, llvm::Type* kept) {
  const auto* sharer = carried.handed_on_from != nullptr ? carried.handed_on_from : carried.value;
  const auto [place, is_new] = places_.try_emplace(sharer);
  if (is_new)
    place->second = (is_common(carried) ? common_->frame : frame_).add(kept, align_of(kept));
  return place->second;
}

// --- Values that are made again ---------------------------------------------------------------

// Instructions that it takes to have a value again.
struct BarrierSpiller::Cost {
  unsigned own = 0;      // for each sub-group
  unsigned of_group = 0; // the same for all of them
  unsigned looked_at = 0;
};

bool BarrierSpiller::is_cheap(const llvm::Value& value) const {
  Cost cost;
  bool is_own = false;
  return is_cheap(value, cost, is_own);
}

// Whether the value can be had again from parameters alone. `is_own` becomes true if it differs
// between sub-groups.
bool BarrierSpiller::is_cheap(const llvm::Value& value, Cost& cost, bool& is_own) const {
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(&value)) {
    is_own |= argument->getArgNo() >= work_item_params(function_).local_id[0]->getArgNo();
    return true;
  }
  if (llvm::isa<llvm::Constant>(value))
    return true;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr || ++cost.looked_at > kCheapest + kCheapestOfGroup ||
      llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) || instruction->isTerminator())
    return false;
  bool has_own = is_leader_query(*instruction);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
    if (!is_invariant_load(*load))
      return false;
  } else if (instruction->mayReadOrWriteMemory() || instruction->mayHaveSideEffects() ||
             (llvm::isa<llvm::CallBase>(instruction) && !has_own)) {
    return false;
  }
  for (const auto& operand : instruction->operands())
    if (!is_cheap(*operand.get(), cost, has_own))
      return false;
  is_own |= has_own;
  ++(has_own ? cost.own : cost.of_group);
  return cost.own <= kCheapest && cost.of_group <= kCheapestOfGroup;
}

llvm::Value* BarrierSpiller::again(llvm::IRBuilder<>& builder, llvm::Value& value,
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

// --- Stores and loads -------------------------------------------------------------------------

void BarrierSpiller::store_at(llvm::Instruction* where, llvm::Value* value, const Carried& carried,
                              std::uint64_t place, llvm::Type* kept) {
  llvm::IRBuilder<> builder(where);
  if (value->getType() != kept)
    value = builder.CreateBitCast(value, kept);
  const bool is_for_all = is_common(carried);
  auto* made = builder.CreateAlignedStore(
      value, address(builder, is_for_all ? common_->after : memory_, place), align_of(kept));
  if (!is_for_all)
    stores_[place].push_back(made);
}

void BarrierSpiller::store(const Carried& carried, std::uint64_t place, llvm::Type* kept) {
  auto* phi = llvm::dyn_cast<llvm::PHINode>(carried.value);
  if (carried.handed_on_from == nullptr) {
    auto* block = carried.value->getParent();
    store_at(phi != nullptr ? &*block->getFirstInsertionPt() : carried.value->getNextNode(),
             carried.value, carried, place, kept);
    return;
  }
  for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
    auto* value = phi->getIncomingValue(i);
    // What stays itself stays where it is.
    if (value != carried.handed_on_from && value != phi && !llvm::isa<llvm::UndefValue>(value))
      store_at(phi->getIncomingBlock(i)->getTerminator(), value, carried, place, kept);
  }
}

void BarrierSpiller::carry(const Carried& carried) {
  auto& value = *carried.value;
  auto* type = value.getType();
  const bool is_recomputed = is_cheap(value);
  auto* kept = kept_as(type);
  const auto place = is_recomputed ? 0 : place_of(carried, kept);
  llvm::SmallVector<llvm::Use*, 16> uses;
  for (auto& use : value.uses())
    uses.push_back(&use);
  if (!is_recomputed)
    store(carried, place, kept);
  llvm::SSAUpdater updater;
  updater.Initialize(type, value.getName());
  updater.AddAvailableValue(value.getParent(), &value);
  llvm::DenseMap<const llvm::BasicBlock*, llvm::Value*> at_start;
  for (const auto number : carried.suspensions) {
    auto* after = suspensions_[number].after;
    llvm::IRBuilder<> builder(after, after->getFirstInsertionPt());
    builder.SetCurrentDebugLocation(after->getTerminator()->getDebugLoc());
    llvm::Value* found = nullptr;
    llvm::LoadInst* load = nullptr;
    if (is_recomputed) {
      llvm::DenseMap<llvm::Value*, llvm::Value*> made;
      found = again(builder, value, made);
    } else {
      auto* from = address(builder, is_common(carried) ? common_->before : memory_, place);
      found = load = builder.CreateAlignedLoad(kept, from, align_of(kept));
      if (kept != type)
        found = builder.CreateBitCast(found, type);
    }
    at_start_[after].push_back({&value, found, load, place});
    at_start[after] = found;
    updater.AddAvailableValue(after, found);
  }
  for (auto* use : uses) {
    auto* user = llvm::cast<llvm::Instruction>(use->getUser());
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) {
      use->set(updater.GetValueAtEndOfBlock(phi->getIncomingBlock(*use)));
      continue;
    }
    if (user->getParent() == value.getParent())
      continue;
    auto* found = at_start.lookup(user->getParent());
    use->set(found != nullptr ? found : updater.GetValueInMiddleOfBlock(user->getParent()));
  }
}

// There are not registers for all that a step takes from its frame, and one way through it may not
// need it.
void BarrierSpiller::load_late() {
  for (auto& [block, values] : at_start_)
    for (auto& [value, found, load, place] : values) {
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
      const bool is_overwritten = llvm::any_of(stores_[place], [&](const auto* other) {
        return other->getParent() == block && other->comesBefore(first);
      });
      if (!is_overwritten)
        load->moveBefore(first->getIterator());
    }
}

} // namespace heddle::compiler
