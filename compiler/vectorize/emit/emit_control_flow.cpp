// The vector function and its control flow: blocks in the order of the schedule, masks, and phis as
// variables.
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

// LLVM's PromoteMemToReg looks at all blocks behind a variable's beginning; this walks from the
// uses back to the stores, and most variables' lives are short.
void promote(llvm::AllocaInst& variable) {
  llvm::SmallVector<llvm::Instruction*, 16> uses;
  for (auto* user : variable.users()) {
    if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(user))
      return;
    uses.push_back(llvm::cast<llvm::Instruction>(user));
  }
  llvm::SSAUpdater updater;
  llvm::LoadAndStorePromoter(uses, updater, variable.getName()).run(uses);
  if (variable.use_empty())
    variable.eraseFromParent();
}

} // namespace

llvm::Function* Emitter::run(const llvm::Twine& name) {
  make_function(name);
  pending_.resize(schedule_.order().size());
  for (const auto* block : schedule_.order())
    heads_[block] = new_block(block->getName());
  entry_ = llvm::BasicBlock::Create(context_, "entry", made_, &made_->front());
  builder_.SetInsertPoint(entry_);
  bind_parameters();
  make_variables();
  builder_.SetInsertPoint(entry_);
  builder_.CreateBr(heads_[&kernel_.getEntryBlock()]);
  for (const auto* block : schedule_.order())
    emit_block(*block);
  llvm::DominatorTree dominators(*made_);
  begin_at_entry_what_begins_late(dominators);
  for (auto* variable : variables_)
    promote(*variable);
  return made_;
}

void Emitter::make_function(const llvm::Twine& name) {
  auto* type = kernel_.getFunctionType();
  llvm::SmallVector<llvm::Type*, 16> types(type->params());
  constexpr unsigned kState = 4;
  const auto own = static_cast<unsigned>(types.size()) - kState;
  if (plan_.masked)
    types.insert(types.begin() + own, llvm::Type::getInt64Ty(context_));
  made_ = llvm::Function::Create(llvm::FunctionType::get(type->getReturnType(), types, false),
                                 llvm::GlobalValue::InternalLinkage, name, kernel_.getParent());
  for (const auto attribute : kernel_.getAttributes().getFnAttrs())
    if (attribute.isStringAttribute())
      made_->addFnAttr(attribute);
  made_->addFnAttr(llvm::Attribute::NoUnwind);
  made_->addFnAttr(llvm::Attribute::AlwaysInline);
  made_->setUWTableKind(kernel_.getUWTableKind());
  for (unsigned i = 0; i < type->getNumParams(); ++i) {
    auto* argument = made_->getArg(i < own || !plan_.masked ? i : i + 1);
    argument->setName(kernel_.getArg(i)->getName());
    llvm::AttrBuilder attributes(context_, kernel_.getAttributes().getParamAttrs(i));
    attributes.removeAttribute(llvm::Attribute::ByVal);
    argument->addAttrs(attributes);
  }
  if (plan_.masked)
    made_->getArg(own)->setName("active");
  if (auto* location = attach_inlined_subprogram(*made_, kernel_))
    inlined_at_ = location;
}

// The kernel's lines appear as inlined into the new function.
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
  constexpr unsigned kState = 4;
  const auto own = static_cast<unsigned>(kernel_.arg_size()) - kState;
  for (unsigned i = 0; i < kernel_.arg_size(); ++i) {
    auto* argument = kernel_.getArg(i);
    auto& wide = values_[argument];
    wide.kind = VectorValue::Kind::uniform;
    wide.parts = {made_->getArg(i < own || !plan_.masked ? i : i + 1)};
  }
  const auto old_state = work_item_params(kernel_);
  const auto state = work_item_params(*made_);
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
    auto* count = builder_.CreateTrunc(made_->getArg(own), builder_.getInt32Ty());
    auto* active =
        builder_.CreateICmpULT(llvm::ConstantVector::get(numbers), splat(count), "active");
    for (auto& mask : masks)
      mask = active;
  }
  owned_masks_[&kernel_.getEntryBlock()] = masks;
}

// Local ids from linear ones. Groups have at most 4096 work-items, so that single precision
// divides exactly enough.
VectorValue Emitter::linear_ids(unsigned dimension) {
  const auto state = work_item_params(*made_);
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
  auto* linear = spread(first, 1);
  auto* size_x = size(0);
  auto* line = divide(linear, size_x);
  llvm::Value* id = nullptr;
  if (dimension == 0) {
    id = builder_.CreateSub(linear, builder_.CreateMul(line, size_x));
  } else {
    auto* size_y = size(1);
    auto* plane = divide(line, size_y);
    id = dimension == 2 ? plane : builder_.CreateSub(line, builder_.CreateMul(plane, size_y));
  }
  VectorValue wide;
  wide.parts = {builder_.CreateZExt(id, widened(builder_.getInt64Ty()))};
  return wide;
}

llvm::AllocaInst* Emitter::variable(llvm::Type* type, const llvm::Twine& name) {
  auto* made = new llvm::AllocaInst(type, layout_.getAllocaAddrSpace(), nullptr,
                                    layout_.getPrefTypeAlign(type), name);
  made->insertBefore(*entry_, entry_->begin());
  return made;
}

// A variable holds nothing before its block's beginning: short lives are quickly promoted.
void Emitter::begin_variables(const llvm::BasicBlock& block) {
  for (const auto* begun : begun_by_.lookup(&block)) {
    for (auto* mask : mask_variables_.lookup(begun))
      builder_.CreateStore(llvm::Constant::getNullValue(mask->getAllocatedType()), mask);
    for (const auto& phi : begun->phis())
      for (auto* part : phi_variables_.lookup(&phi).parts) {
        auto* type = llvm::cast<llvm::AllocaInst>(part)->getAllocatedType();
        builder_.CreateStore(llvm::UndefValue::get(type), part);
      }
  }
}

void Emitter::fill_variables(const llvm::BasicBlock& block) {
  for (const auto* begun : begun_by_.lookup(&block))
    for (const auto& phi : begun->phis())
      if (const auto* value = filled_with_.lookup(&phi)) {
        auto wide = phi_variables_.lookup(&phi);
        for (unsigned row = 0; row < (wide.by_row ? plan_.rows : 1); ++row)
          for (unsigned c = 0; c < wide.components; ++c)
            builder_.CreateStore(lanes(*value, row, c), wide.at(row, c));
      }
}

// Every use of a block's variables is behind its beginning in the linear order too: blocks that one
// dominates are together there. Where a jump over blocks should lead around one all the same, the
// variables begin at the entry.
void Emitter::begin_at_entry_what_begins_late(const llvm::DominatorTree& dominators) {
  builder_.SetInsertPoint(entry_->getTerminator());
  for (const auto& [beginning, blocks] : begun_by_) {
    const auto* head = heads_.lookup(beginning);
    for (const auto* block : blocks) {
      const bool is_late =
          !dominators.dominates(head, heads_.lookup(block)) ||
          llvm::any_of(llvm::predecessors(block), [&](const llvm::BasicBlock* from) {
            return !dominators.dominates(head, heads_.lookup(from));
          });
      if (is_late)
        for (auto* mask : mask_variables_.lookup(block))
          builder_.CreateStore(llvm::Constant::getNullValue(mask->getAllocatedType()), mask);
    }
  }
}

namespace {

// The value that most edges hand to the phi, of those that are known at its beginning.
const llvm::Value* commonest_known(const llvm::PHINode& phi, const Linearization& schedule,
                                   const llvm::LoopInfo& loops) {
  const auto& block = *phi.getParent();
  const auto* beginning = schedule.beginning_of(block);
  if (beginning == nullptr || loops.isLoopHeader(&block))
    return nullptr;
  llvm::SmallDenseMap<const llvm::Value*, unsigned> edges;
  const llvm::Value* commonest = nullptr;
  for (const auto& incoming : phi.incoming_values())
    if (!llvm::isa<llvm::UndefValue>(incoming) && schedule.is_known_behind(*beginning, *incoming) &&
        ++edges[incoming] > edges.lookup(commonest))
      commonest = incoming;
  return commonest;
}

} // namespace

void Emitter::make_variables() {
  auto* mask_type = widened(builder_.getInt1Ty());
  for (const auto* block : schedule_.order()) {
    if (const auto* beginning = schedule_.beginning_of(*block))
      begun_by_[beginning].push_back(block);
    if (block != &kernel_.getEntryBlock() && schedule_.owns_mask(*block)) {
      auto& variables = mask_variables_[block];
      for (unsigned row = 0; row < plan_.rows; ++row) {
        variables.push_back(variable(mask_type, "mask"));
        variables_.push_back(variables.back());
      }
    }
    for (const auto& phi : block->phis()) {
      auto& wide = phi_variables_[&phi];
      const auto stride = shapes_.stride(phi);
      wide.by_row = shapes_.differs_by_row(phi);
      if (shapes_.is_uniform(phi)) {
        wide.kind = VectorValue::Kind::uniform;
      } else if (stride) {
        wide.kind = VectorValue::Kind::line;
        wide.stride = *stride;
      } else {
        wide.components = component_count(phi.getType());
        // Vectors that differ in nothing but the row's mask still need one each.
        wide.by_row = plan_.rows > 1;
        filled_with_[&phi] = commonest_known(phi, schedule_, loops_);
      }
      const auto rows = wide.by_row ? plan_.rows : 1;
      for (unsigned row = 0; row < rows; ++row)
        for (unsigned c = 0; c < (wide.kind == VectorValue::Kind::lanes ? wide.components : 1);
             ++c) {
          auto* type = wide.kind == VectorValue::Kind::lanes
                           ? widened(component_type(phi.getType(), c))
                           : phi.getType();
          auto* made = variable(type, phi.getName());
          wide.parts.push_back(made);
          variables_.push_back(made);
        }
    }
  }
}

llvm::BasicBlock* Emitter::new_block(const llvm::Twine& name) {
  return llvm::BasicBlock::Create(context_, name, made_);
}

llvm::Value* Emitter::all_lanes() {
  return llvm::Constant::getAllOnesValue(widened(builder_.getInt1Ty()));
}

llvm::Value* Emitter::any(const Masks& masks) {
  llvm::Value* together = nullptr;
  for (auto* mask : masks) {
    if (mask == nullptr)
      return builder_.getTrue();
    if (together == nullptr)
      together = mask;
    else if (together != mask)
      together = builder_.CreateOr(together, mask);
  }
  auto* bits = builder_.CreateBitCast(together, builder_.getIntNTy(plan_.width));
  return builder_.CreateICmpNE(bits, llvm::Constant::getNullValue(bits->getType()), "any");
}

void Emitter::reset_inner_masks(const llvm::BasicBlock& header) {
  const auto* loop = loops_.getLoopFor(&header);
  if (loop == nullptr || loop->getHeader() != &header)
    return;
  for (const auto* block : loop->blocks())
    for (auto* made : mask_variables_.lookup(block))
      builder_.CreateStore(llvm::Constant::getNullValue(made->getAllocatedType()), made);
}

Emitter::Masks Emitter::enter(const llvm::BasicBlock& block) {
  Masks masks;
  if (!schedule_.owns_mask(block) || &block == &kernel_.getEntryBlock()) {
    masks = owned_masks_.lookup(&schedule_.mask_owner(block));
  } else {
    for (auto* made : mask_variables_.lookup(&block))
      masks.push_back(builder_.CreateLoad(made->getAllocatedType(), made, "mask"));
    owned_masks_[&block] = masks;
  }
  reset_inner_masks(block);
  return masks;
}

// Lanes may have left a divergent loop in earlier iterations, by any of its exits.
void Emitter::expect_exits(const llvm::BasicBlock& block) {
  const auto* loop = loops_.getLoopFor(&block);
  if (loop == nullptr || loop->getHeader() != &block || !schedule_.is_divergent(*loop))
    return;
  llvm::SmallVector<llvm::BasicBlock*, 8> exits;
  loop->getExitBlocks(exits);
  for (const auto* exit : exits)
    pending_[schedule_.position(block)].insert(schedule_.position(*exit));
}

void Emitter::emit_block(const llvm::BasicBlock& block) {
  expect_exits(block);
  builder_.SetInsertPoint(heads_[&block]);
  set_debug_location(*block.getTerminator());
  masks_ = enter(block);
  begin_variables(block);
  if (needs_guard(block)) {
    auto* body = new_block(block.getName() + ".active");
    auto* skip = next_block(block, nullptr);
    auto* meets = meets_limit(block);
    builder_.CreateCondBr(meets != nullptr ? meets : any(masks_), body, skip);
    builder_.SetInsertPoint(body);
  }
  load_phis(block);
  emit_instructions(block);
  set_debug_location(*block.getTerminator());
  fill_variables(block);
  emit_terminator(block);
}

void Emitter::load_phis(const llvm::BasicBlock& block) {
  for (const auto& phi : block.phis()) {
    VectorValue wide = phi_variables_.lookup(&phi);
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

llvm::BasicBlock* Emitter::next_block(const llvm::BasicBlock& from, const llvm::BasicBlock* to,
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

// At the end of a loop's last block.
void Emitter::jump_back_or(const llvm::BasicBlock& header, llvm::BasicBlock* next) {
  const auto* loop = loops_.getLoopFor(&header);
  if (next == nullptr || !schedule_.is_divergent(*loop)) {
    builder_.CreateBr(heads_[&header]);
    return;
  }
  Masks again;
  for (auto* made : mask_variables_.lookup(&header))
    again.push_back(builder_.CreateLoad(made->getAllocatedType(), made, "again"));
  builder_.CreateCondBr(any(again), heads_[&header], next);
}

void Emitter::emit_terminator(const llvm::BasicBlock& block) {
  if (llvm::isa<llvm::ReturnInst>(block.getTerminator())) {
    builder_.CreateRetVoid();
    return;
  }
  const auto& branch = llvm::cast<llvm::BranchInst>(*block.getTerminator());
  if (branch.isConditional() && shapes_.has_divergent_branch(block))
    leave_by_divergent_branch(block, branch);
  else
    leave_by_uniform_branch(block, branch);
}

void Emitter::leave_by_uniform_branch(const llvm::BasicBlock& block,
                                      const llvm::BranchInst& branch) {
  const auto emit_edge = [&](const llvm::BasicBlock& to) {
    take_edge(block, to, masks_, false);
    if (is_back_edge(block, to))
      jump_back_or(to, next_block(block, nullptr));
    else
      builder_.CreateBr(next_block(block, &to));
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

void Emitter::leave_by_divergent_branch(const llvm::BasicBlock& block,
                                        const llvm::BranchInst& branch) {
  Masks taken[2];
  for (unsigned row = 0; row < plan_.rows; ++row) {
    auto* condition = lanes(*branch.getCondition(), row);
    auto* none = llvm::Constant::getNullValue(condition->getType());
    auto* opposite = builder_.CreateNot(condition);
    // Selects, because the condition may be poison in lanes that are not active.
    taken[0].push_back(mask(row) ? builder_.CreateSelect(mask(row), condition, none) : condition);
    taken[1].push_back(mask(row) ? builder_.CreateSelect(mask(row), opposite, none) : opposite);
  }
  remark_on_divergence(block, branch);
  const llvm::BasicBlock* header = nullptr;
  const llvm::BasicBlock* forward[2] = {nullptr, nullptr};
  for (unsigned i = 0; i < 2; ++i) {
    const auto* to = branch.getSuccessor(i);
    take_edge(block, *to, taken[i], true);
    if (is_back_edge(block, *to))
      header = to;
    else
      forward[i] = to;
  }
  auto* next = next_block(block, forward[0], forward[1]);
  if (header != nullptr)
    jump_back_or(*header, next);
  else
    builder_.CreateBr(next);
}

// Hands the phis of `to` their values, and `to` the lanes that come this way.
void Emitter::take_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to,
                        const Masks& taken, bool divergent) {
  const auto* loop = loops_.getLoopFor(&to);
  const bool enters_header = loop != nullptr && loop->getHeader() == &to;
  const bool replaces =
      enters_header || (!divergent && &schedule_.mask_owner(from) == &schedule_.mask_owner(to));
  for (const auto& phi : to.phis()) {
    const auto& incoming = *phi.getIncomingValueForBlock(&from);
    auto& wide = phi_variables_[&phi];
    if (llvm::isa<llvm::UndefValue>(incoming) || filled_with_.lookup(&phi) == &incoming)
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
        if (!replaces && taken[row] != nullptr)
          value =
              builder_.CreateSelect(taken[row], value, builder_.CreateLoad(value->getType(), made));
        builder_.CreateStore(value, made);
      }
    }
  }
  auto variables = mask_variables_.lookup(&to);
  for (unsigned row = 0; row < variables.size(); ++row) {
    auto* value = taken[row] ? taken[row] : all_lanes();
    if (!enters_header)
      value = builder_.CreateOr(
          builder_.CreateLoad(variables[row]->getAllocatedType(), variables[row]), value);
    builder_.CreateStore(value, variables[row]);
  }
}

// Of rounds that the same is done in without masks elsewhere.
static bool is_left_over(const llvm::Instruction& instruction) {
  return instruction.getParent()->getTerminator()->hasMetadata(kRestOfRounds);
}

void Emitter::remark_on_divergence(const llvm::BasicBlock& block, const llvm::BranchInst& branch) {
  const auto* loop = loops_.getLoopFor(&block);
  const bool leaves = loop != nullptr && llvm::any_of(branch.successors(), [&](const auto* to) {
                        return !loop->contains(to);
                      });
  if (leaves && is_left_over(branch) && remarks_ != nullptr)
    remarks_->push_back({place_of(branch), "divergent loop",
                         "work-items leave it here at different times: rounds that not all of a "
                         "sub-group are in run under masks"});
  else if (leaves)
    remark(branch, "divergent loop",
           "work-items leave it here at different times: it runs, under masks, until none is left");
  else
    remark(branch, "divergent branch",
           "work-items go different ways: one way runs after the other, each under a mask");
}

void Emitter::remark(const llvm::Instruction& at, const char* what, const char* why) {
  if (remarks_ == nullptr || is_left_over(at))
    return;
  remarks_->push_back({place_of(at), what, why});
}

} // namespace heddle::compiler
