// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/local_memory/group_trace.h"

#include "compiler/ir/address_space.h"
#include "compiler/ir/bounds_check.h"
#include "compiler/ir/fault_markers.h"
#include "compiler/local_memory/consecutive_accesses.h"
#include "compiler/local_memory/lane_masks.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace heddle::compiler {
namespace {

using llvm::dyn_cast;
using llvm::isa;

bool may_be_dropped(const llvm::Instruction& instruction) {
  const auto* intrinsic = dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic();
}

// Whether an instruction accesses memory through a pointer that may have been loaded, and may be to
// a private variable in a frame.
bool may_access_frames(const llvm::Instruction& instruction) {
  return instruction.mayReadOrWriteMemory() &&
         llvm::any_of(instruction.operand_values(), [](const llvm::Value* operand) {
           const auto* pointer = dyn_cast<llvm::PointerType>(operand->getType()->getScalarType());
           if (pointer == nullptr ||
               (pointer->getAddressSpace() != kPrivate && pointer->getAddressSpace() != kGeneric))
             return false;
           const auto* object = llvm::getUnderlyingObject(operand);
           const auto* load = dyn_cast<llvm::LoadInst>(object);
           return !isa<llvm::Argument>(object) && !isa<llvm::AllocaInst>(object) &&
                  !isa<llvm::Constant>(object) &&
                  (load == nullptr || !load->hasMetadata(llvm::LLVMContext::MD_invariant_load));
         });
}

// Operands of masked accesses.
struct Masked {
  unsigned pointer;
  unsigned mask;
};

std::optional<Masked> masked_access(const llvm::Instruction& instruction) {
  if (const auto* intrinsic = dyn_cast<llvm::IntrinsicInst>(&instruction))
    switch (intrinsic->getIntrinsicID()) {
    case llvm::Intrinsic::masked_load:
    case llvm::Intrinsic::masked_gather:
      return Masked{0, 1};
    case llvm::Intrinsic::masked_store:
    case llvm::Intrinsic::masked_scatter:
      return Masked{1, 2};
    default:
      break;
    }
  return std::nullopt;
}

} // namespace

GroupTrace::GroupTrace(llvm::Function& function, const llvm::DominatorTree& dominators,
                       const llvm::PostDominatorTree& post_dominators, llvm::LoadInst* frames,
                       const Limits& limits, bool begins_undefined)
    : layout_(function.getParent()->getDataLayout()), frames_(frames),
      post_dominators_(post_dominators), limits_(limits), values_(layout_, dominators, frames),
      memory_(layout_, limits.register_bits, begins_undefined),
      block_(llvm::BasicBlock::Create(function.getContext(), "group", &function)), blocks_{block_},
      builder_(block_, llvm::InstSimplifyFolder(layout_)) {}

GroupTrace::~GroupTrace() {
  for (auto* block : blocks_)
    block->dropAllReferences();
  for (auto* block : blocks_)
    block->eraseFromParent();
}

bool GroupTrace::follow(llvm::BasicBlock* from, llvm::BasicBlock* to, llvm::BasicBlock* latch) {
  values_.begin_after(from);
  for (;;) {
    stopped_at_ = to;
    if (!enter(from, to))
      return false;
    values_.enter(to);
    for (auto& instruction : *to) {
      if (isa<llvm::PHINode>(instruction) || instruction.isTerminator())
        continue;
      if (!execute(instruction) || !values_.is_valid() || ++executed_ > limits_.executed ||
          copied() > limits_.copied)
        return false;
    }
    if (to == latch)
      return guards_.empty() && can_end(latch);
    auto* next = successor(to);
    if (next == nullptr || !values_.is_valid())
      return false;
    from = to;
    to = next;
  }
}

// Whether all that is used behind the latch is a value.
bool GroupTrace::can_end(llvm::BasicBlock* latch) {
  for (auto* operand : latch->getTerminator()->operand_values())
    if (!isa<llvm::BasicBlock>(operand))
      values_.value_of(operand);
  for (auto* next : llvm::successors(latch))
    for (auto& phi : next->phis())
      values_.value_of(phi.getIncomingValueForBlock(latch));
  return values_.is_valid();
}

// Sets the phis, which choose between the guarded values and the others where code was guarded.
bool GroupTrace::enter(llvm::BasicBlock* from, llvm::BasicBlock* to) {
  if (from == to && executed_ == 0) {
    for (auto& phi : to->phis())
      values_.set(phi, &phi);
    return true;
  }
  llvm::SmallVector<std::pair<llvm::PHINode*, llvm::Value*>, 8> values;
  llvm::SmallVector<std::pair<llvm::PHINode*, TracedAddress>, 8> addresses;
  for (auto& phi : to->phis()) {
    auto* incoming = phi.getIncomingValueForBlock(from);
    if (const auto* address = values_.address_of(incoming))
      addresses.emplace_back(&phi, *address);
    else
      values.emplace_back(&phi, values_.value_of(incoming));
  }
  for (; !guards_.empty() && guards_.back().join == to; guards_.pop_back()) {
    if (!addresses.empty())
      return false;
    const auto& guard = guards_.back();
    for (const auto& [chosen, otherwise] : llvm::zip_equal(values, guard.otherwise))
      if (chosen.second != otherwise.second)
        chosen.second = builder_.CreateSelect(guard.condition, chosen.second, otherwise.second);
  }
  for (const auto& [phi, value] : values)
    values_.set(*phi, value);
  for (auto& [phi, address] : addresses)
    values_.set(*phi, std::move(address));
  return values_.is_valid();
}

llvm::BasicBlock* GroupTrace::successor(llvm::BasicBlock* block) {
  auto* terminator = block->getTerminator();
  if (auto* choice = dyn_cast<llvm::SwitchInst>(terminator)) {
    auto* constant = dyn_cast<llvm::ConstantInt>(values_.value_of(choice->getCondition()));
    return constant != nullptr ? choice->findCaseValue(constant)->getCaseSuccessor() : nullptr;
  }
  auto* branch = dyn_cast<llvm::BranchInst>(terminator);
  if (branch == nullptr)
    return nullptr;
  if (branch->isUnconditional())
    return branch->getSuccessor(0);
  auto* condition = values_.value_of(branch->getCondition());
  if (const auto* constant = dyn_cast<llvm::ConstantInt>(condition))
    return branch->getSuccessor(constant->isOne() ? 0 : 1);
  if (isa<llvm::Constant>(condition)) // undefined
    return nullptr;
  if (auto* checked = check_successor(*branch, condition))
    return checked;
  const auto execute_one = [&](llvm::Instruction& instruction) { return execute(instruction); };
  ConsecutiveAccesses accesses(values_, layout_, execute_one);
  auto* general = accesses.general_block(*branch, condition);
  return general != nullptr ? general : guarded_successor(*branch, condition);
}

// Of a branch around nothing but reports of wrong accesses: it stays one.
llvm::BasicBlock* GroupTrace::check_successor(llvm::BranchInst& branch, llvm::Value* condition) {
  auto* right = branch.getSuccessor(0);
  auto* wrong = branch.getSuccessor(1);
  if (wrong->getSinglePredecessor() == nullptr || wrong->getSingleSuccessor() != right ||
      !right->phis().empty())
    return nullptr;
  bool reports = false;
  for (auto& instruction : *wrong) {
    const bool is_report = is_bounds_report(instruction);
    reports |= is_report;
    if (!is_report && !instruction.isTerminator() &&
        !llvm::isSafeToSpeculativelyExecute(&instruction))
      return nullptr;
    for (auto* operand : instruction.operand_values())
      if (is_local_pointer(*operand) || values_.address_of(operand) != nullptr)
        return nullptr;
  }
  if (!reports)
    return nullptr;
  if (!guards_.empty())
    condition = builder_.CreateOr(condition, builder_.CreateNot(all_conditions()));
  auto& function = *branch.getFunction();
  auto* told = llvm::BasicBlock::Create(function.getContext(), "wrong", &function);
  auto* next = llvm::BasicBlock::Create(function.getContext(), "group", &function);
  blocks_.append({told, next});
  create_likely_branch(builder_, condition, next, told);
  for (auto& instruction : *wrong) {
    if (instruction.isTerminator())
      break;
    auto* copied = instruction.clone();
    copied->insertInto(told, told->end());
    for (auto& operand : copied->operands())
      if (!isa<llvm::Constant>(operand.get()))
        operand.set(values_.value_of(operand.get()));
    if (!copied->getType()->isVoidTy())
      values_.set(instruction, copied);
    ++copied_;
  }
  llvm::BranchInst::Create(next, told);
  block_ = next;
  builder_.SetInsertPoint(block_);
  last_marker_ = nullptr;
  return right;
}

// Of a branch around code.
llvm::BasicBlock* GroupTrace::guarded_successor(llvm::BranchInst& branch, llvm::Value* condition) {
  auto* block = branch.getParent();
  const auto* node = post_dominators_.getNode(block);
  auto* join =
      node != nullptr && node->getIDom() != nullptr ? node->getIDom()->getBlock() : nullptr;
  const bool is_if_true = join == branch.getSuccessor(1);
  if (join == nullptr || (join == branch.getSuccessor(0)) == is_if_true)
    return nullptr;
  Guard guard{.join = join,
              .condition = is_if_true ? condition : builder_.CreateNot(condition),
              .mask = mask_of(condition, is_if_true),
              .otherwise = {}};
  if (!guards_.empty() && (guard.mask == nullptr || !is_covered(guard.mask)))
    return nullptr;
  for (auto& phi : join->phis()) {
    auto* incoming = phi.getIncomingValueForBlock(block);
    if (values_.address_of(incoming) != nullptr)
      return nullptr;
    guard.otherwise.emplace_back(&phi, values_.value_of(incoming));
  }
  guards_.push_back(std::move(guard));
  return branch.getSuccessor(is_if_true ? 0 : 1);
}

// Whether a mask has no active lane if one of the guards' conditions is false.
bool GroupTrace::is_covered(llvm::Value* mask) {
  return mask != nullptr && llvm::all_of(guards_, [&](const Guard& guard) {
           return guard.mask != nullptr && is_within(mask, guard.mask);
         });
}

llvm::Value* GroupTrace::all_conditions() {
  llvm::Value* all = nullptr;
  for (const auto& guard : guards_)
    all = all == nullptr ? guard.condition : builder_.CreateAnd(all, guard.condition);
  return all;
}

bool GroupTrace::execute(llvm::Instruction& instruction) {
  if (may_be_dropped(instruction))
    return true;
  if (const auto* load = dyn_cast<llvm::LoadInst>(&instruction);
      load != nullptr && is_frames_of_worker(*load)) {
    values_.set(instruction, TracedAddress{frames_, {0}});
    return true;
  }
  const auto masked = masked_access(instruction);
  auto* pointer = masked ? instruction.getOperand(masked->pointer)
                         : llvm::getLoadStorePointerOperand(&instruction);
  if (pointer != nullptr) {
    if (const auto* address = values_.address_of(pointer))
      return execute_access(instruction, TracedAddress(*address));
    return copy(instruction);
  }
  return isa<llvm::CallBase>(instruction) || !values_.has_address(instruction)
             ? copy(instruction)
             : values_.execute_address(instruction);
}

bool GroupTrace::execute_access(llvm::Instruction& instruction, const TracedAddress& address) {
  builder_.SetCurrentDebugLocation(instruction.getDebugLoc());
  if (const auto* load = dyn_cast<llvm::LoadInst>(&instruction))
    return load->isSimple() && execute_load(instruction, address, nullptr, nullptr);
  if (const auto* store = dyn_cast<llvm::StoreInst>(&instruction))
    return store->isSimple() && execute_store(instruction.getOperand(0), address, nullptr);
  const auto masked = masked_access(instruction);
  if (!masked)
    return false;
  auto* mask = values_.value_of(instruction.getOperand(masked->mask));
  if (instruction.getType()->isVoidTy())
    return execute_store(instruction.getOperand(0), address, mask);
  return execute_load(instruction, address, mask, values_.value_of(instruction.getOperand(2)));
}

bool GroupTrace::execute_load(llvm::Instruction& instruction, const TracedAddress& address,
                              llvm::Value* mask, llvm::Value* inactive) {
  auto* type = instruction.getType();
  if (type->isPtrOrPtrVectorTy() && mask == nullptr)
    if (auto loaded = memory_.load_address(type, address)) {
      values_.set(instruction, *std::move(loaded));
      return true;
    }
  auto* loaded = memory_.load(builder_, type, address, mask, inactive);
  if (loaded == nullptr)
    return false;
  values_.set(instruction, loaded);
  return true;
}

bool GroupTrace::execute_store(llvm::Value* value, const TracedAddress& address,
                               llvm::Value* mask) {
  if (const auto* pointer = values_.address_of(value))
    return mask == nullptr && guards_.empty() && memory_.store_address(*pointer, address);
  auto* stored = values_.value_of(value);
  if (!guards_.empty() && !is_covered(mask)) {
    auto* condition = all_conditions();
    if (const auto* type = dyn_cast<llvm::FixedVectorType>(stored->getType()))
      condition = builder_.CreateVectorSplat(type->getNumElements(), condition);
    mask = mask == nullptr ? condition : builder_.CreateAnd(mask, condition);
  }
  return memory_.store(builder_, stored, address, mask);
}

// Whether an instruction may be executed if the guards' conditions are false.
bool GroupTrace::may_execute_guarded(const llvm::Instruction& instruction) {
  if (guards_.empty() || is_fault_marker(instruction))
    return true;
  if (const auto masked = masked_access(instruction))
    return is_covered(values_.value_of(instruction.getOperand(masked->mask)));
  return llvm::isSafeToSpeculativelyExecute(&instruction);
}

bool GroupTrace::may_be_copied(llvm::Instruction& instruction) {
  if (isa<llvm::AllocaInst>(instruction) || !may_execute_guarded(instruction))
    return false;
  // Other functions may access the group's memory.
  if (const auto* call = dyn_cast<llvm::CallBase>(&instruction))
    if (!isa<llvm::IntrinsicInst>(call) && !call->doesNotAccessMemory() &&
        !is_fault_marker(instruction))
      return false;
  return llvm::none_of(instruction.operand_values(), [&](llvm::Value* operand) {
    return is_local_pointer(*operand) || values_.address_of(operand) != nullptr;
  });
}

// One marker is enough for what may fault before the next one.
void GroupTrace::copy_marker(llvm::Instruction& marker) {
  if (last_marker_ != nullptr && last_marker_->getOperand(1) == marker.getOperand(1))
    last_marker_->eraseFromParent();
  last_marker_ = &marker;
}

bool GroupTrace::copy(llvm::Instruction& instruction) {
  if (!may_be_copied(instruction))
    return false;
  auto* copied = instruction.clone();
  copied->insertInto(block_, block_->end());
  for (auto& operand : copied->operands())
    operand.set(values_.value_of(operand.get()));
  if (!values_.is_valid() || may_access_frames(*copied))
    return false;
  if (is_fault_marker(*copied)) {
    copy_marker(*copied);
    return true;
  }
  if (copied->mayReadOrWriteMemory()) {
    last_marker_ = nullptr;
    // Scopes of aliasing are those of one execution of the code.
    copied->setMetadata(llvm::LLVMContext::MD_noalias, nullptr);
    copied->setMetadata(llvm::LLVMContext::MD_alias_scope, nullptr);
  } else if (auto* known = llvm::simplifyInstruction(copied, llvm::SimplifyQuery(layout_))) {
    copied->eraseFromParent();
    values_.set(instruction, known);
    return true;
  }
  copied_ += registers_of(*copied);
  memory_.derive_depth(*copied);
  values_.set(instruction, copied);
  return true;
}

unsigned GroupTrace::registers_of(const llvm::Value& value) const {
  if (!value.getType()->isVectorTy())
    return 1;
  const auto bits = layout_.getTypeSizeInBits(value.getType()).getFixedValue();
  return std::max(1U, static_cast<unsigned>(bits) / limits_.register_bits);
}

void GroupTrace::take_edge(llvm::BasicBlock* from, llvm::BasicBlock* to, llvm::BasicBlock* latch) {
  if (from == to) {
    to = llvm::SplitBlock(from, from->getFirstNonPHIIt());
    if (latch == from)
      latch = to;
  }
  auto* end = latch->getTerminator()->clone();
  end->insertInto(block_, block_->end());
  if (auto* branch = dyn_cast<llvm::BranchInst>(end); branch != nullptr && branch->isConditional())
    branch->setCondition(values_.value_of(branch->getCondition()));
  for (auto* next : llvm::successors(latch))
    for (auto& phi : next->phis())
      phi.addIncoming(values_.value_of(phi.getIncomingValueForBlock(latch)), block_);
  to->removePredecessor(from);
  from->getTerminator()->replaceSuccessorWith(to, blocks_.front());
  blocks_.clear();
}

} // namespace heddle::compiler
