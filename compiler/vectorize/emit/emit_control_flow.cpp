// The vector function and its control flow: blocks in linearized order, masks, and phis as stack
// slots.
#include "compiler/ir/debug_info.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/support/source_place.h"
#include "compiler/vectorize/emit/emitter.h"
#include "compiler/vectorize/transform/peel_masked_remainder.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

namespace heddle::compiler {

Emitter::Emitter(llvm::Function& kernel, const VectorPlan& plan, const LaneShapes& shapes,
                 const Linearization& schedule, llvm::LoopInfo& loops, Remarks* remarks,
                 llvm::Function* fallback)
    : kernel_(kernel), plan_(plan), shapes_(shapes), schedule_(schedule), loops_(loops),
      remarks_(remarks), fallback_(fallback), context_(kernel.getContext()),
      layout_(kernel.getParent()->getDataLayout()), builder_(context_) {}

namespace {

// LLVM's PromoteMemToReg visits all blocks in which a slot may be live; this walks from the loads
// back to the stores, and most live ranges are short.
void promote(llvm::AllocaInst& slot) {
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

} // namespace

llvm::Function* Emitter::run(const llvm::Twine& name) {
  create_function(name);
  pending_.resize(schedule_.order().size());
  for (const auto* block : schedule_.order())
    heads_[block] = new_block(block->getName());
  entry_ = llvm::BasicBlock::Create(context_, "entry", function_, &function_->front());
  builder_.SetInsertPoint(entry_);
  bind_parameters();
  create_slots();
  builder_.SetInsertPoint(entry_);
  builder_.CreateBr(heads_[&kernel_.getEntryBlock()]);
  for (const auto* block : schedule_.order())
    emit_block(*block);
  llvm::DominatorTree dominators(*function_);
  initialize_late_slots_at_entry(dominators);
  for (auto* slot : slots_)
    promote(*slot);
  return function_;
}

void Emitter::create_function(const llvm::Twine& name) {
  auto* type = kernel_.getFunctionType();
  llvm::SmallVector<llvm::Type*, 16> types(type->params());
  constexpr unsigned kNumWorkItemParams = 4;
  const auto own = static_cast<unsigned>(types.size()) - kNumWorkItemParams;
  if (plan_.masked)
    types.insert(types.begin() + own, llvm::Type::getInt64Ty(context_));
  function_ = llvm::Function::Create(llvm::FunctionType::get(type->getReturnType(), types, false),
                                     llvm::GlobalValue::InternalLinkage, name, kernel_.getParent());
  for (const auto attribute : kernel_.getAttributes().getFnAttrs())
    if (attribute.isStringAttribute())
      function_->addFnAttr(attribute);
  function_->addFnAttr(llvm::Attribute::NoUnwind);
  function_->addFnAttr(llvm::Attribute::AlwaysInline);
  function_->setUWTableKind(kernel_.getUWTableKind());
  for (unsigned i = 0; i < type->getNumParams(); ++i) {
    auto* argument = function_->getArg(i < own || !plan_.masked ? i : i + 1);
    argument->setName(kernel_.getArg(i)->getName());
    llvm::AttrBuilder attributes(context_, kernel_.getAttributes().getParamAttrs(i));
    attributes.removeAttribute(llvm::Attribute::ByVal);
    argument->addAttrs(attributes);
  }
  if (plan_.masked)
    function_->getArg(own)->setName("active");
  if (auto* location = attach_inlined_subprogram(*function_, kernel_))
    inlined_at_ = location;
}

// Source locations of the kernel appear as inlined into the vector function.
void Emitter::set_debug_location(const llvm::Instruction& from) {
  const auto& location = from.getDebugLoc();
  if (inlined_at_ == nullptr) {
    builder_.SetCurrentDebugLocation(llvm::DebugLoc());
    return;
  }
  if (!location) {
    builder_.SetCurrentDebugLocation(inlined_at_);
    return;
  }
  const auto convert = [&](auto&& self, const llvm::DILocation* at) -> llvm::DILocation* {
    if (at == nullptr)
      return inlined_at_;
    if (auto* known = inlined_locations_.lookup(at))
      return known;
    auto* result = llvm::DILocation::get(context_, at->getLine(), at->getColumn(), at->getScope(),
                                         self(self, at->getInlinedAt()));
    inlined_locations_[at] = result;
    return result;
  };
  builder_.SetCurrentDebugLocation(convert(convert, location.get()));
}

void Emitter::bind_parameters() {
  constexpr unsigned kNumWorkItemParams = 4;
  const auto own = static_cast<unsigned>(kernel_.arg_size()) - kNumWorkItemParams;
  for (unsigned i = 0; i < kernel_.arg_size(); ++i) {
    auto* argument = kernel_.getArg(i);
    auto& wide = values_[argument];
    wide.kind = VectorValue::Kind::uniform;
    wide.parts = {function_->getArg(i < own || !plan_.masked ? i : i + 1)};
  }
  const auto old_state = work_item_params(kernel_);
  const auto state = work_item_params(*function_);
  if (plan_.mapping == LaneMapping::linear) {
    for (unsigned d = 0; d < 3; ++d)
      values_[old_state.local_id[d]] = linear_ids(d);
  } else {
    auto& x = values_[old_state.local_id[0]];
    x.kind = VectorValue::Kind::line;
    x.stride = 1;
    if (plan_.rows > 1) {
      auto& y = values_[old_state.local_id[1]];
      y.by_row = true;
      y.parts.clear();
      for (unsigned row = 0; row < plan_.rows; ++row)
        y.parts.push_back(row == 0 ? static_cast<llvm::Value*>(state.local_id[1])
                                   : builder_.CreateAdd(state.local_id[1], builder_.getInt64(row)));
    }
  }
  Masks masks(plan_.rows, nullptr);
  if (plan_.masked) {
    llvm::SmallVector<llvm::Constant*, 64> numbers;
    for (unsigned i = 0; i < plan_.width; ++i)
      numbers.push_back(builder_.getInt32(i));
    auto* count = builder_.CreateTrunc(function_->getArg(own), builder_.getInt32Ty());
    auto* active =
        builder_.CreateICmpULT(llvm::ConstantVector::get(numbers), splat(count), "active");
    for (auto& mask : masks)
      mask = active;
  }
  block_masks_[&kernel_.getEntryBlock()] = masks;
}

// Local ids in one dimension from linear local ids. Groups have at most 4096 work-items, so that a
// single-precision division is exact enough.
VectorValue Emitter::linear_ids(unsigned dimension) {
  const auto state = work_item_params(*function_);
  const auto size = [&](unsigned d) {
    auto* address = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), state.group,
                                                        offsetof(abi::Group, local_size) + 8 * d);
    auto* value = builder_.CreateAlignedLoad(builder_.getInt64Ty(), address, llvm::Align(8));
    return splat(builder_.CreateTrunc(value, builder_.getInt32Ty()));
  };
  const auto divide = [&](llvm::Value* a, llvm::Value* b) -> llvm::Value* {
    auto* floats = widened(builder_.getFloatTy());
    auto* half = llvm::ConstantFP::get(floats, 0.5);
    auto* quotient =
        builder_.CreateFDiv(builder_.CreateFAdd(builder_.CreateUIToFP(a, floats), half),
                            builder_.CreateUIToFP(b, floats));
    return builder_.CreateFPToUI(quotient, a->getType());
  };
  auto* first = builder_.CreateTrunc(state.local_id[0], builder_.getInt32Ty());
  auto* linear = strided_lanes(first, 1);
  auto* size_x = size(0);
  auto* row = divide(linear, size_x);
  llvm::Value* id = nullptr;
  if (dimension == 0) {
    id = builder_.CreateSub(linear, builder_.CreateMul(row, size_x));
  } else {
    auto* size_y = size(1);
    auto* plane = divide(row, size_y);
    id = dimension == 2 ? plane : builder_.CreateSub(row, builder_.CreateMul(plane, size_y));
  }
  VectorValue wide;
  wide.parts = {builder_.CreateZExt(id, widened(builder_.getInt64Ty()))};
  return wide;
}

llvm::AllocaInst* Emitter::create_entry_alloca(llvm::Type* type, const llvm::Twine& name) {
  auto* made = new llvm::AllocaInst(type, layout_.getAllocaAddrSpace(), nullptr,
                                    layout_.getPrefTypeAlign(type), name);
  made->insertBefore(*entry_, entry_->begin());
  return made;
}

// Initializes the slots of the blocks whose live range of slots begins here (beginning_of()): masks
// with zero, phis with undef. Short live ranges are quickly promoted.
void Emitter::initialize_slots(const llvm::BasicBlock& block) {
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

// Stores the values that most incoming edges of the phis have (common_values_).
void Emitter::store_common_values(const llvm::BasicBlock& block) {
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
void Emitter::initialize_late_slots_at_entry(const llvm::DominatorTree& dominators) {
  builder_.SetInsertPoint(entry_->getTerminator());
  for (const auto& [beginning, blocks] : blocks_begun_at_) {
    const auto* head = heads_.lookup(beginning);
    for (const auto* block : blocks) {
      const bool is_bypassed =
          !dominators.dominates(head, heads_.lookup(block)) ||
          llvm::any_of(llvm::predecessors(block), [&](const llvm::BasicBlock* from) {
            return !dominators.dominates(head, heads_.lookup(from));
          });
      if (is_bypassed)
        for (auto* mask : mask_slots_.lookup(block))
          builder_.CreateStore(llvm::Constant::getNullValue(mask->getAllocatedType()), mask);
    }
  }
}

namespace {

// The most frequent incoming value of the phi among those available at the block's beginning; null:
// none is.
const llvm::Value* most_common_available(const llvm::PHINode& phi, const Linearization& schedule,
                                         const llvm::LoopInfo& loops) {
  const auto& block = *phi.getParent();
  const auto* beginning = schedule.beginning_of(block);
  if (beginning == nullptr || loops.isLoopHeader(&block))
    return nullptr;
  llvm::SmallDenseMap<const llvm::Value*, unsigned> edges;
  const llvm::Value* most_common = nullptr;
  for (const auto& incoming : phi.incoming_values())
    if (!llvm::isa<llvm::UndefValue>(incoming) && schedule.is_known_behind(*beginning, *incoming) &&
        ++edges[incoming] > edges.lookup(most_common))
      most_common = incoming;
  return most_common;
}

} // namespace

void Emitter::create_slots() {
  auto* mask_type = widened(builder_.getInt1Ty());
  for (const auto* block : schedule_.order()) {
    if (const auto* beginning = schedule_.beginning_of(*block))
      blocks_begun_at_[beginning].push_back(block);
    if (block != &kernel_.getEntryBlock() && schedule_.owns_mask(*block)) {
      auto& variables = mask_slots_[block];
      for (unsigned row = 0; row < plan_.rows; ++row) {
        variables.push_back(create_entry_alloca(mask_type, "mask"));
        slots_.push_back(variables.back());
      }
    }
    for (const auto& phi : block->phis()) {
      auto& wide = phi_slots_[&phi];
      const auto stride = shapes_.stride(phi);
      wide.by_row = shapes_.differs_by_row(phi);
      if (shapes_.is_uniform(phi)) {
        wide.kind = VectorValue::Kind::uniform;
      } else if (stride) {
        wide.kind = VectorValue::Kind::line;
        wide.stride = *stride;
      } else {
        wide.components = component_count(phi.getType());
        // Rows whose values differ only because their masks do still need a slot each.
        wide.by_row = plan_.rows > 1;
        common_values_[&phi] = most_common_available(phi, schedule_, loops_);
      }
      const auto rows = wide.by_row ? plan_.rows : 1;
      for (unsigned row = 0; row < rows; ++row)
        for (unsigned c = 0; c < (wide.kind == VectorValue::Kind::lanes ? wide.components : 1);
             ++c) {
          auto* type = wide.kind == VectorValue::Kind::lanes
                           ? widened(component_type(phi.getType(), c))
                           : phi.getType();
          auto* made = create_entry_alloca(type, phi.getName());
          wide.parts.push_back(made);
          slots_.push_back(made);
        }
    }
  }
}

llvm::BasicBlock* Emitter::new_block(const llvm::Twine& name) {
  return llvm::BasicBlock::Create(context_, name, function_);
}

llvm::Value* Emitter::all_true_mask() {
  return llvm::Constant::getAllOnesValue(widened(builder_.getInt1Ty()));
}

llvm::Value* Emitter::any_active(const Masks& masks) {
  llvm::Value* combined = nullptr;
  for (auto* mask : masks) {
    if (mask == nullptr)
      return builder_.getTrue();
    if (combined == nullptr)
      combined = mask;
    else if (combined != mask)
      combined = builder_.CreateOr(combined, mask);
  }
  auto* bits = builder_.CreateBitCast(combined, builder_.getIntNTy(plan_.width));
  return builder_.CreateICmpNE(bits, llvm::Constant::getNullValue(bits->getType()), "any");
}

void Emitter::clear_loop_masks(const llvm::BasicBlock& header) {
  const auto* loop = loops_.getLoopFor(&header);
  if (loop == nullptr || loop->getHeader() != &header)
    return;
  for (const auto* block : loop->blocks())
    for (auto* made : mask_slots_.lookup(block))
      builder_.CreateStore(llvm::Constant::getNullValue(made->getAllocatedType()), made);
}

Emitter::Masks Emitter::load_masks(const llvm::BasicBlock& block) {
  Masks masks;
  if (!schedule_.owns_mask(block) || &block == &kernel_.getEntryBlock()) {
    masks = block_masks_.lookup(&schedule_.mask_owner(block));
  } else {
    for (auto* made : mask_slots_.lookup(&block))
      masks.push_back(builder_.CreateLoad(made->getAllocatedType(), made, "mask"));
    block_masks_[&block] = masks;
  }
  clear_loop_masks(block);
  return masks;
}

// Lanes may have left a divergent loop in earlier iterations, through any of its exits.
void Emitter::mark_exits_pending(const llvm::BasicBlock& block) {
  const auto* loop = loops_.getLoopFor(&block);
  if (loop == nullptr || loop->getHeader() != &block || !schedule_.is_divergent(*loop))
    return;
  llvm::SmallVector<llvm::BasicBlock*, 8> exits;
  loop->getExitBlocks(exits);
  for (const auto* exit : exits)
    pending_[schedule_.position(block)].insert(schedule_.position(*exit));
}

void Emitter::emit_block(const llvm::BasicBlock& block) {
  mark_exits_pending(block);
  builder_.SetInsertPoint(heads_[&block]);
  set_debug_location(*block.getTerminator());
  masks_ = load_masks(block);
  initialize_slots(block);
  if (needs_guard(block)) {
    auto* body = new_block(block.getName() + ".active");
    auto* skip = next_pending_block(block, nullptr);
    auto* in_bound = any_lane_in_bound(block);
    builder_.CreateCondBr(in_bound != nullptr ? in_bound : any_active(masks_), body, skip);
    builder_.SetInsertPoint(body);
  }
  load_phis(block);
  emit_instructions(block);
  set_debug_location(*block.getTerminator());
  store_common_values(block);
  emit_terminator(block);
}

void Emitter::load_phis(const llvm::BasicBlock& block) {
  for (const auto& phi : block.phis()) {
    VectorValue wide = phi_slots_.lookup(&phi);
    for (auto*& part : wide.parts) {
      auto* from = llvm::cast<llvm::AllocaInst>(part);
      part = builder_.CreateLoad(from->getAllocatedType(), from, phi.getName());
    }
    values_[&phi] = wide;
  }
}

bool Emitter::is_back_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const {
  const auto* loop = loops_.getLoopFor(&to);
  return loop != nullptr && loop->getHeader() == &to && loop->contains(&from);
}

llvm::BasicBlock* Emitter::next_pending_block(const llvm::BasicBlock& from,
                                              const llvm::BasicBlock* to,
                                              const llvm::BasicBlock* other) {
  Pending targets = pending_[schedule_.position(from)];
  targets.erase(schedule_.position(from));
  for (const auto* block : {to, other})
    if (block != nullptr)
      targets.insert(schedule_.position(*block));
  if (targets.empty())
    return nullptr;
  const auto next = *targets.begin();
  targets.erase(targets.begin());
  pending_[next].insert(targets.begin(), targets.end());
  return heads_[schedule_.order()[next]];
}

// Ends the latch: back to the header, or, in a divergent loop in which no lane is left, to `next`
// (null: the loop is not left here).
void Emitter::emit_latch(const llvm::BasicBlock& header, llvm::BasicBlock* next) {
  const auto* loop = loops_.getLoopFor(&header);
  if (next == nullptr || !schedule_.is_divergent(*loop)) {
    builder_.CreateBr(heads_[&header]);
    return;
  }
  Masks remaining;
  for (auto* made : mask_slots_.lookup(&header))
    remaining.push_back(builder_.CreateLoad(made->getAllocatedType(), made, "remaining"));
  builder_.CreateCondBr(any_active(remaining), heads_[&header], next);
}

void Emitter::emit_terminator(const llvm::BasicBlock& block) {
  if (llvm::isa<llvm::ReturnInst>(block.getTerminator())) {
    builder_.CreateRetVoid();
    return;
  }
  const auto& branch = llvm::cast<llvm::BranchInst>(*block.getTerminator());
  if (branch.isConditional() && shapes_.has_divergent_branch(block))
    emit_divergent_branch(block, branch);
  else
    emit_uniform_branch(block, branch);
}

void Emitter::emit_uniform_branch(const llvm::BasicBlock& block, const llvm::BranchInst& branch) {
  const auto emit_edge = [&](const llvm::BasicBlock& to) {
    emit_edge_values(block, to, masks_, false);
    if (is_back_edge(block, to))
      emit_latch(to, next_pending_block(block, nullptr));
    else
      builder_.CreateBr(next_pending_block(block, &to));
  };
  if (!branch.isConditional()) {
    emit_edge(*branch.getSuccessor(0));
    return;
  }
  llvm::BasicBlock* edges[2];
  for (unsigned i = 0; i < 2; ++i)
    edges[i] = new_block("edge");
  auto* made = builder_.CreateCondBr(scalar(*branch.getCondition(), 0), edges[0], edges[1]);
  made->copyMetadata(branch, {llvm::LLVMContext::MD_prof, llvm::LLVMContext::MD_unpredictable});
  for (unsigned i = 0; i < 2; ++i) {
    builder_.SetInsertPoint(edges[i]);
    emit_edge(*branch.getSuccessor(i));
  }
}

void Emitter::emit_divergent_branch(const llvm::BasicBlock& block, const llvm::BranchInst& branch) {
  Masks taken[2];
  for (unsigned row = 0; row < plan_.rows; ++row) {
    auto* condition = lanes(*branch.getCondition(), row);
    auto* none = llvm::Constant::getNullValue(condition->getType());
    auto* inverse = builder_.CreateNot(condition);
    // Selects, since the condition may be poison in inactive lanes.
    taken[0].push_back(mask(row) ? builder_.CreateSelect(mask(row), condition, none) : condition);
    taken[1].push_back(mask(row) ? builder_.CreateSelect(mask(row), inverse, none) : inverse);
  }
  remark_on_divergence(block, branch);
  const llvm::BasicBlock* header = nullptr;
  const llvm::BasicBlock* forward[2] = {nullptr, nullptr};
  for (unsigned i = 0; i < 2; ++i) {
    const auto* to = branch.getSuccessor(i);
    emit_edge_values(block, *to, taken[i], true);
    if (is_back_edge(block, *to))
      header = to;
    else
      forward[i] = to;
  }
  auto* next = next_pending_block(block, forward[0], forward[1]);
  if (header != nullptr)
    emit_latch(*header, next);
  else
    builder_.CreateBr(next);
}

// Stores the incoming values of the phis of `to`, and adds the lanes that take the edge (`taken`)
// to its mask.
void Emitter::emit_edge_values(const llvm::BasicBlock& from, const llvm::BasicBlock& to,
                               const Masks& taken, bool divergent) {
  const auto* loop = loops_.getLoopFor(&to);
  const bool enters_header = loop != nullptr && loop->getHeader() == &to;
  const bool overwrites =
      enters_header || (!divergent && &schedule_.mask_owner(from) == &schedule_.mask_owner(to));
  for (const auto& phi : to.phis()) {
    const auto& incoming = *phi.getIncomingValueForBlock(&from);
    auto& wide = phi_slots_[&phi];
    if (llvm::isa<llvm::UndefValue>(incoming) || common_values_.lookup(&phi) == &incoming)
      continue;
    const auto rows = wide.by_row ? plan_.rows : 1;
    for (unsigned row = 0; row < rows; ++row) {
      if (wide.kind != VectorValue::Kind::lanes) {
        builder_.CreateStore(scalar(incoming, row), wide.at(row));
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
  auto variables = mask_slots_.lookup(&to);
  for (unsigned row = 0; row < variables.size(); ++row) {
    auto* value = taken[row] ? taken[row] : all_true_mask();
    if (!enters_header)
      value = builder_.CreateOr(
          builder_.CreateLoad(variables[row]->getAllocatedType(), variables[row]), value);
    builder_.CreateStore(value, variables[row]);
  }
}

// Whether the instruction is in the masked remainder of a peeled loop, whose main loop has no
// masks: remarks are for the latter.
static bool is_in_masked_remainder(const llvm::Instruction& instruction) {
  return instruction.getParent()->getTerminator()->hasMetadata(kRestOfRounds);
}

void Emitter::remark_on_divergence(const llvm::BasicBlock& block, const llvm::BranchInst& branch) {
  const auto* loop = loops_.getLoopFor(&block);
  const bool leaves = loop != nullptr && llvm::any_of(branch.successors(), [&](const auto* to) {
                        return !loop->contains(to);
                      });
  if (leaves && is_in_masked_remainder(branch) && remarks_ != nullptr)
    remarks_->push_back(
        {place_of(branch), "divergent loop",
         "work-items leave it here after different trip counts: iterations that not "
         "all of a sub-group execute run under masks"});
  else if (leaves)
    remark(branch, "divergent loop",
           "work-items leave it here after different trip counts: it runs, under masks, until all "
           "have left");
  else
    remark(branch, "divergent branch",
           "work-items take different branches: both sides run, one after the other, each under a "
           "mask");
}

void Emitter::remark(const llvm::Instruction& at, const char* what, const char* why) {
  if (remarks_ == nullptr || is_in_masked_remainder(at))
    return;
  remarks_->push_back({place_of(at), what, why});
}

} // namespace heddle::compiler
