// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/block_slots.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

namespace heddle::compiler {
namespace {

// LLVM's PromoteMemToReg visits all blocks in which a slot may be live; this walks from the loads
// back to the stores, and most live ranges are short.
void promote_slot(llvm::AllocaInst& slot) {
  llvm::SmallVector<llvm::Instruction*, 16> uses;
  for (auto* user : slot.users()) {
    if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(user))
      return;
    uses.push_back(llvm::cast<llvm::Instruction>(user));
  }
  llvm::SSAUpdater updater;
  llvm::LoadAndStorePromoter(uses, updater, slot.getName()).run(uses);
  if (slot.use_empty())
    slot.eraseFromParent();
}

// The most frequent incoming value of the phi among those available at the block's beginning; null:
// none is.
const llvm::Value* most_common_available(const llvm::PHINode& phi,
                                         const Linearization& linearization,
                                         const llvm::LoopInfo& loops) {
  const auto& block = *phi.getParent();
  const auto* init_block = linearization.init_block(block);
  if (init_block == nullptr || loops.isLoopHeader(&block))
    return nullptr;
  llvm::SmallDenseMap<const llvm::Value*, unsigned> edges;
  const llvm::Value* most_common = nullptr;
  for (const auto& incoming : phi.incoming_values())
    if (!llvm::isa<llvm::UndefValue>(incoming) &&
        linearization.is_available_after(*init_block, *incoming) &&
        ++edges[incoming] > edges.lookup(most_common))
      most_common = incoming;
  return most_common;
}

} // namespace

void BlockSlots::initialize(const llvm::BasicBlock& block) {
  for (const auto* begun : blocks_begun_at_.lookup(&block)) {
    for (auto* mask : mask_slots_.lookup(begun))
      builder_.CreateStore(llvm::Constant::getNullValue(mask->getAllocatedType()), mask);
    for (const auto& phi : begun->phis())
      for (auto* part : phi_slots_.lookup(&phi).parts) {
        auto* type = llvm::cast<llvm::AllocaInst>(part)->getAllocatedType();
        builder_.CreateStore(llvm::UndefValue::get(type), part);
      }
  }
}

void BlockSlots::store_common_values(const llvm::BasicBlock& block) {
  for (const auto* begun : blocks_begun_at_.lookup(&block))
    for (const auto& phi : begun->phis())
      if (const auto* value = common_values_.lookup(&phi)) {
        auto wide = phi_slots_.lookup(&phi);
        for (unsigned row = 0; row < (wide.by_row ? plan_.rows : 1); ++row)
          for (unsigned c = 0; c < wide.components; ++c)
            builder_.CreateStore(lanes(*value, row, c), wide.at(row, c));
      }
}

// Every use of a block's slots is after its beginning in the linearized order too, since the blocks
// that one dominates are contiguous there. If a branch over blocks bypasses a beginning all the
// same, the mask slots are initialized in the entry block.
void BlockSlots::initialize_bypassed(const Heads& heads) {
  const llvm::DominatorTree dominators(context_.function());
  builder_.SetInsertPoint(context_.entry().getTerminator());
  for (const auto& [init_block, blocks] : blocks_begun_at_) {
    const auto* head = heads.lookup(init_block);
    for (const auto* block : blocks) {
      const bool is_bypassed =
          !dominators.dominates(head, heads.lookup(block)) ||
          llvm::any_of(llvm::predecessors(block), [&](const llvm::BasicBlock* from) {
            return !dominators.dominates(head, heads.lookup(from));
          });
      if (is_bypassed)
        for (auto* mask : mask_slots_.lookup(block))
          builder_.CreateStore(llvm::Constant::getNullValue(mask->getAllocatedType()), mask);
    }
  }
}

void BlockSlots::create() {
  for (const auto* block : linearization_.order()) {
    if (const auto* init_block = linearization_.init_block(*block))
      blocks_begun_at_[init_block].push_back(block);
    if (block != &kernel_.getEntryBlock() && linearization_.owns_mask(*block)) {
      auto& masks = mask_slots_[block];
      for (unsigned row = 0; row < plan_.rows; ++row)
        masks.push_back(create_slot(widened(builder_.getInt1Ty()), "mask"));
    }
    for (const auto& phi : block->phis())
      create_phi_slots(phi);
  }
}

void BlockSlots::create_phi_slots(const llvm::PHINode& phi) {
  auto& wide = phi_slots_[&phi];
  const auto stride = shapes_.stride(phi);
  wide.by_row = shapes_.differs_by_row(phi);
  if (shapes_.is_uniform(phi)) {
    wide.kind = VectorValue::Kind::uniform;
  } else if (stride) {
    wide.kind = VectorValue::Kind::affine;
    wide.stride = *stride;
  } else {
    wide.components = component_count(phi.getType());
    // Rows whose values differ only because their masks do still need a slot each.
    wide.by_row = plan_.rows > 1;
    common_values_[&phi] = most_common_available(phi, linearization_, loops_);
  }
  const bool has_lanes = wide.kind == VectorValue::Kind::lanes;
  for (unsigned row = 0; row < (wide.by_row ? plan_.rows : 1); ++row)
    for (unsigned c = 0; c < (has_lanes ? wide.components : 1); ++c)
      wide.parts.push_back(create_slot(
          has_lanes ? widened(component_type(phi.getType(), c)) : phi.getType(), phi.getName()));
}

llvm::AllocaInst* BlockSlots::create_slot(llvm::Type* type, const llvm::Twine& name) {
  slots_.push_back(create_entry_alloca(type, name));
  return slots_.back();
}

Masks BlockSlots::load_masks(const llvm::BasicBlock& block, const char* name) {
  Masks masks;
  for (auto* slot : mask_slots_.lookup(&block))
    masks.push_back(builder_.CreateLoad(slot->getAllocatedType(), slot, name));
  return masks;
}

void BlockSlots::clear_loop_masks(const llvm::BasicBlock& header) {
  const auto* loop = loops_.getLoopFor(&header);
  if (loop == nullptr || loop->getHeader() != &header)
    return;
  for (const auto* block : loop->blocks())
    for (auto* made : mask_slots_.lookup(block))
      builder_.CreateStore(llvm::Constant::getNullValue(made->getAllocatedType()), made);
}

void BlockSlots::load_phis(const llvm::BasicBlock& block) {
  for (const auto& phi : block.phis()) {
    VectorValue wide = phi_slots_.lookup(&phi);
    for (auto*& part : wide.parts) {
      auto* from = llvm::cast<llvm::AllocaInst>(part);
      part = builder_.CreateLoad(from->getAllocatedType(), from, phi.getName());
    }
    values_[phi] = wide;
  }
}

void BlockSlots::store_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to,
                            const Masks& taken, bool is_divergent) {
  const auto* loop = loops_.getLoopFor(&to);
  const bool enters_header = loop != nullptr && loop->getHeader() == &to;
  const bool overwrites = enters_header || (!is_divergent && &linearization_.mask_owner(from) ==
                                                                 &linearization_.mask_owner(to));
  unsigned edge = 0; // usually of the same number in all phis, of which a switch has hundreds
  for (const auto& phi : to.phis()) {
    if (edge >= phi.getNumIncomingValues() || phi.getIncomingBlock(edge) != &from)
      edge = static_cast<unsigned>(phi.getBasicBlockIndex(&from));
    const auto& incoming = *phi.getIncomingValue(edge);
    auto& wide = phi_slots_[&phi];
    if (llvm::isa<llvm::UndefValue>(incoming) || common_values_.lookup(&phi) == &incoming)
      continue;
    const auto rows = wide.by_row ? plan_.rows : 1;
    for (unsigned row = 0; row < rows; ++row) {
      if (wide.kind != VectorValue::Kind::lanes) {
        auto* value = scalar(incoming, row);
        // Rows may come by different edges.
        if (wide.by_row && !overwrites && taken[row] != nullptr)
          value = builder_.CreateSelect(masks_.any_active({taken[row]}), value,
                                        builder_.CreateLoad(value->getType(), wide.at(row)));
        builder_.CreateStore(value, wide.at(row));
        continue;
      }
      for (unsigned c = 0; c < wide.components; ++c) {
        auto* made = wide.at(row, c);
        auto* value = lanes(incoming, row, c);
        if (!overwrites && taken[row] != nullptr)
          value =
              builder_.CreateSelect(taken[row], value, builder_.CreateLoad(value->getType(), made));
        builder_.CreateStore(value, made);
      }
    }
  }
  auto mask_slots = mask_slots_.lookup(&to);
  for (unsigned row = 0; row < mask_slots.size(); ++row) {
    auto* value = taken[row] ? taken[row] : masks_.all_true();
    if (!enters_header)
      value = builder_.CreateOr(
          builder_.CreateLoad(mask_slots[row]->getAllocatedType(), mask_slots[row]), value);
    builder_.CreateStore(value, mask_slots[row]);
  }
}

void BlockSlots::promote(const Heads& heads) {
  initialize_bypassed(heads);
  for (auto* slot : slots_)
    promote_slot(*slot);
}

} // namespace heddle::compiler
