// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/workgroup/spill_across_barriers.h"

#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/work_item_params.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

namespace heddle::compiler {
namespace {

// A value is rematerialized after a barrier if that takes at most so many divergent instructions
// and so many uniform ones, which run once for the group.
constexpr unsigned kMaxDivergentRemat = 6;
constexpr unsigned kMaxUniformRemat = 24;

llvm::Value* address(llvm::IRBuilder<>& builder, llvm::Value& memory, std::uint64_t slot) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &memory, slot);
}

unsigned elements_of(llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector != nullptr ? vector->getNumElements() : 1;
}

} // namespace

void form_lcssa_without_barriers(llvm::Function& function,
                                 llvm::ArrayRef<RegionBoundary> boundaries) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  llvm::SmallVector<llvm::Loop*, 8> work(loops.begin(), loops.end());
  while (!work.empty()) {
    auto* loop = work.pop_back_val();
    if (llvm::any_of(boundaries, [&](const auto& at) { return loop->contains(at.exit); }))
      work.append(loop->begin(), loop->end());
    else
      llvm::formLCSSARecursively(*loop, dominators, &loops, nullptr);
  }
}

BarrierSpiller::BarrierSpiller(llvm::Function& function, RegionFrame& frame, llvm::Value& memory,
                               llvm::ArrayRef<RegionBoundary> boundaries,
                               const UniformStorage* uniform)
    : function_(function), layout_(function.getDataLayout()), frame_(frame), memory_(memory),
      boundaries_(boundaries), uniform_(uniform) {
  find_live_values();
  find_shared_slots();
}

void BarrierSpiller::run() {
  for (const auto& live : live_values_)
    spill(live);
  sink_loads();
}

// Blocks at whose entry the value is live.
llvm::SmallPtrSet<llvm::BasicBlock*, 16>
BarrierSpiller::live_in_blocks(llvm::Instruction& value) const {
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> live;
  llvm::SmallVector<llvm::BasicBlock*, 16> work;
  const auto mark = [&](llvm::BasicBlock* block) {
    if (block != value.getParent() && live.insert(block).second)
      work.push_back(block);
  };
  for (const auto& use : value.uses()) {
    auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user))
      mark(phi->getIncomingBlock(use));
    else
      mark(user->getParent());
  }
  while (!work.empty())
    for (auto* predecessor : llvm::predecessors(work.pop_back_val()))
      mark(predecessor);
  return live;
}

void BarrierSpiller::find_live_values() {
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
    const auto live_in = live_in_blocks(instruction);
    LiveValue live{&instruction, {}};
    for (unsigned i = 0; i < boundaries_.size(); ++i)
      if (live_in.contains(boundaries_[i].entry))
        live.boundaries.push_back(i);
    if (!live.boundaries.empty())
      live_values_.push_back(std::move(live));
  }
}

// --- Slots ------------------------------------------------------------------------------------

void BarrierSpiller::find_shared_slots() {
  llvm::SmallPtrSet<const llvm::Instruction*, 16> taken;
  for (auto& live : live_values_) {
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(live.value);
    if (phi == nullptr || taken.contains(phi))
      continue;
    for (const auto& incoming : live_values_)
      if (llvm::is_contained(phi->incoming_values(), incoming.value) && incoming.value != phi &&
          !taken.contains(incoming.value) && incoming.slot_owner == nullptr &&
          can_share_slot(live, incoming)) {
        live.slot_owner = incoming.value;
        taken.insert(incoming.value);
        break;
      }
  }
}

// The slot holds `incoming` from its definition on, and the phi from the ends of its other incoming
// blocks on: neither may be live across a barrier while the other one occupies the slot.
bool BarrierSpiller::can_share_slot(const LiveValue& phi, const LiveValue& incoming) const {
  if (is_cheap(*incoming.value) || is_uniform(phi) != is_uniform(incoming))
    return false;
  const auto& node = *llvm::cast<llvm::PHINode>(phi.value);
  for (unsigned i = 0; i < node.getNumIncomingValues(); ++i)
    if (node.getIncomingValue(i) != incoming.value &&
        node.getIncomingBlock(i)->getSingleSuccessor() == nullptr)
      return false;
  auto* phi_block = phi.value->getParent();
  auto* incoming_block = incoming.value->getParent();
  return !reaches_boundary(incoming_block, phi_block, phi.boundaries) &&
         !reaches_boundary(phi_block, incoming_block, incoming.boundaries);
}

// Whether a path from the block reaches one of the barriers without passing through `stop`.
bool BarrierSpiller::reaches_boundary(llvm::BasicBlock* from, const llvm::BasicBlock* stop,
                                      llvm::ArrayRef<unsigned> boundaries) const {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen{from};
  llvm::SmallVector<llvm::BasicBlock*, 16> work{from};
  while (!work.empty()) {
    auto* block = work.pop_back_val();
    if (llvm::any_of(boundaries, [&](unsigned i) { return boundaries_[i].exit == block; }))
      return true;
    for (auto* successor : llvm::successors(block))
      if (successor != stop && seen.insert(successor).second)
        work.push_back(successor);
  }
  return false;
}

// Vectors of i1 are kept as integers: their elements are not addressable.
llvm::Type* BarrierSpiller::slot_type(llvm::Type* type) const {
  return type->getScalarType()->isIntegerTy(1)
             ? llvm::IntegerType::get(type->getContext(), elements_of(type))
             : type;
}

llvm::Align BarrierSpiller::slot_align(llvm::Type* type) const {
  return std::min(layout_.getPrefTypeAlign(type), kFrameAlign);
}

bool BarrierSpiller::is_uniform(const LiveValue& live) const {
  return uniform_ != nullptr && uniform_->uniformity.is_uniform(*live.value);
}

std::uint64_t BarrierSpiller::slot_of(const LiveValue& live, llvm::Type* type) {
  const auto* owner = live.slot_owner != nullptr ? live.slot_owner : live.value;
  const auto [slot, is_new] = slots_.try_emplace(owner);
  if (is_new)
    slot->second = (is_uniform(live) ? uniform_->frame : frame_).add(type, slot_align(type));
  return slot->second;
}

// --- Rematerialization --------------------------------------------------------------------------

// Instructions to rematerialize.
struct BarrierSpiller::Cost {
  unsigned divergent = 0; // run for each sub-group
  unsigned uniform = 0;   // the same for all sub-groups
  unsigned visited = 0;
};

bool BarrierSpiller::is_cheap(const llvm::Value& value) const {
  Cost cost;
  bool is_divergent = false;
  return is_cheap(value, cost, is_divergent);
}

// Whether the value can be computed from parameters alone at this cost. Sets `is_divergent` if it
// differs between sub-groups.
bool BarrierSpiller::is_cheap(const llvm::Value& value, Cost& cost, bool& is_divergent) const {
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(&value)) {
    is_divergent |= argument->getArgNo() >= work_item_params(function_).local_id[0]->getArgNo();
    return true;
  }
  if (llvm::isa<llvm::Constant>(value))
    return true;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr || ++cost.visited > kMaxDivergentRemat + kMaxUniformRemat ||
      llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) || instruction->isTerminator())
    return false;
  bool has_divergent_operand = is_leader_query(*instruction);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
    if (!is_invariant_load(*load))
      return false;
  } else if (instruction->mayReadOrWriteMemory() || instruction->mayHaveSideEffects() ||
             (llvm::isa<llvm::CallBase>(instruction) && !has_divergent_operand)) {
    return false;
  }
  for (const auto& operand : instruction->operands())
    if (!is_cheap(*operand.get(), cost, has_divergent_operand))
      return false;
  is_divergent |= has_divergent_operand;
  ++(has_divergent_operand ? cost.divergent : cost.uniform);
  return cost.divergent <= kMaxDivergentRemat && cost.uniform <= kMaxUniformRemat;
}

llvm::Value* BarrierSpiller::rematerialize(llvm::IRBuilder<>& builder, llvm::Value& value,
                                           llvm::DenseMap<llvm::Value*, llvm::Value*>& made) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr)
    return &value;
  if (auto* known = made.lookup(&value))
    return known;
  auto* copy = instruction->clone();
  for (auto& operand : copy->operands())
    operand.set(rematerialize(builder, *operand.get(), made));
  builder.Insert(copy, instruction->getName());
  made[&value] = copy;
  return copy;
}

// --- Stores and loads -------------------------------------------------------------------------

void BarrierSpiller::store_at(llvm::Instruction* where, llvm::Value* value, const LiveValue& live,
                              std::uint64_t slot, llvm::Type* type) {
  llvm::IRBuilder<> builder(where);
  if (value->getType() != type)
    value = builder.CreateBitCast(value, type);
  const bool to_uniform = is_uniform(live);
  auto* store = builder.CreateAlignedStore(
      value, address(builder, to_uniform ? uniform_->out : memory_, slot), slot_align(type));
  if (!to_uniform)
    stores_[slot].push_back(store);
}

void BarrierSpiller::store(const LiveValue& live, std::uint64_t slot, llvm::Type* type) {
  auto* phi = llvm::dyn_cast<llvm::PHINode>(live.value);
  if (live.slot_owner == nullptr) {
    auto* block = live.value->getParent();
    store_at(phi != nullptr ? &*block->getFirstInsertionPt() : live.value->getNextNode(),
             live.value, live, slot, type);
    return;
  }
  for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
    auto* value = phi->getIncomingValue(i);
    // The slot holds these already.
    if (value != live.slot_owner && value != phi && !llvm::isa<llvm::UndefValue>(value))
      store_at(phi->getIncomingBlock(i)->getTerminator(), value, live, slot, type);
  }
}

void BarrierSpiller::spill(const LiveValue& live) {
  auto& value = *live.value;
  auto* type = value.getType();
  const bool is_rematerialized = is_cheap(value);
  auto* kept = slot_type(type);
  const auto slot = is_rematerialized ? 0 : slot_of(live, kept);
  llvm::SmallVector<llvm::Use*, 16> uses;
  for (auto& use : value.uses())
    uses.push_back(&use);
  if (!is_rematerialized)
    store(live, slot, kept);
  llvm::SSAUpdater updater;
  updater.Initialize(type, value.getName());
  updater.AddAvailableValue(value.getParent(), &value);
  llvm::DenseMap<const llvm::BasicBlock*, llvm::Value*> at_entry;
  for (const auto number : live.boundaries) {
    auto* entry = boundaries_[number].entry;
    llvm::IRBuilder<> builder(entry, entry->getFirstInsertionPt());
    builder.SetCurrentDebugLocation(entry->getTerminator()->getDebugLoc());
    llvm::Value* replacement = nullptr;
    llvm::LoadInst* load = nullptr;
    if (is_rematerialized) {
      llvm::DenseMap<llvm::Value*, llvm::Value*> made;
      replacement = rematerialize(builder, value, made);
    } else {
      auto* from = address(builder, is_uniform(live) ? uniform_->in : memory_, slot);
      replacement = load = builder.CreateAlignedLoad(kept, from, slot_align(kept));
      if (kept != type)
        replacement = builder.CreateBitCast(replacement, type);
    }
    reloads_[entry].push_back({&value, replacement, load, slot});
    at_entry[entry] = replacement;
    updater.AddAvailableValue(entry, replacement);
  }
  for (auto* use : uses) {
    auto* user = llvm::cast<llvm::Instruction>(use->getUser());
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) {
      use->set(updater.GetValueAtEndOfBlock(phi->getIncomingBlock(*use)));
      continue;
    }
    if (user->getParent() == value.getParent())
      continue;
    auto* replacement = at_entry.lookup(user->getParent());
    use->set(replacement != nullptr ? replacement
                                    : updater.GetValueInMiddleOfBlock(user->getParent()));
  }
}

// Moves loads down to the first use in their block, which reduces register pressure: a region may
// load more values than there are registers.
void BarrierSpiller::sink_loads() {
  for (auto& [key, reloads] : reloads_)
    for (auto& [value, replacement, load, slot] : reloads) {
      const auto* block = key;
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
      const bool is_overwritten = llvm::any_of(stores_[slot], [&](const auto* store) {
        return store->getParent() == block && store->comesBefore(first);
      });
      if (!is_overwritten)
        load->moveBefore(first->getIterator());
    }
}

} // namespace heddle::compiler
