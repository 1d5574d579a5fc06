// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/plan/cost_model.h"

#include "compiler/ir/bounds_check.h"
#include "compiler/vectorize/analysis/lane_access.h"
#include "compiler/vectorize/analysis/unlikely_block.h"
#include "compiler/vectorize/analysis/vector_value.h"
#include "compiler/vectorize/emit/vector_forms.h"
#include "compiler/vectorize/plan/expected_executions.h"
#include "compiler/vectorize/plan/recurrence.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

#include <cmath>

namespace heddle::compiler {
namespace {

// Reciprocal throughput in cycles.
constexpr double kScalarInstruction = 0.25, kScalarLoad = 0.5, kScalarStore = 1,
                 kScalarDivision = 4, kScalarCall = 15, kMisprediction = 3;
// A scalar access of a loop in which each iteration is at another cache line, which the other
// work-items only use in iterations of their own.
constexpr double kCacheLine = 2;
constexpr double kLoadLatency = 5, kGatherLatency = 15;
constexpr double kGatheredElement = 2.5, kScatteredElement = 3; // for each element
constexpr double kVectorInstruction = 1;                        // for each register
// In a kernel that is vectorized by hand, for each register of a value.
constexpr double kOwnVectorInstruction = 0.5;
// One load or store of a lane's vector, and the transposition; for each register.
constexpr double kTransposedAccess = 4;
// Instructions that the CPU has in flight: longer chains are not hidden by the next work-item.
constexpr std::size_t kInFlight = 128;

// Moves components between vectors, which is nothing where each has registers of its own.
bool is_movement(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::ShuffleVectorInst, llvm::InsertElementInst, llvm::ExtractElementInst>(
      instruction);
}

// A function that is called with vectors, once for all lanes.
const llvm::Function* called_form(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto* callee = call != nullptr ? call->getCalledFunction() : nullptr;
  return callee != nullptr && !callee->isDeclaration() &&
                 (has_vector_form(*callee) || has_masked_form(*callee))
             ? callee
             : nullptr;
}

// Whether the lanes of a called function access memory of their own, or of their callers, whose
// strides are not known here.
bool gathers_in_called_form(const llvm::Instruction& instruction) {
  const auto* address = llvm::getLoadStorePointerOperand(&instruction);
  return address != nullptr &&
         !llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(llvm::getUnderlyingObject(address));
}

// Usually folded into another instruction.
bool is_free(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::PHINode, llvm::GetElementPtrInst, llvm::CastInst, llvm::DbgInfoIntrinsic>(
             instruction) ||
         instruction.getOpcode() == llvm::Instruction::FNeg || is_bounds_check(instruction) ||
         (instruction.getType()->isIntegerTy(1) && !llvm::isa<llvm::CmpInst>(instruction));
}

// The distance of the accessed address from `base`, if it is a constant.
std::optional<std::int64_t> distance_from(const llvm::Value& base, const llvm::LoadInst& load,
                                          const llvm::DataLayout& layout) {
  const auto& address = *load.getPointerOperand();
  llvm::APInt distance(layout.getIndexTypeSizeInBits(address.getType()), 0);
  const auto* found = address.stripAndAccumulateConstantOffsets(layout, distance, true);
  return found == &base ? std::optional(distance.getSExtValue()) : std::nullopt;
}

// Whether the block loads an element next to this one, too: such are loaded together
// (MergeComponentsPass).
bool has_neighbor(const llvm::Instruction& access) {
  constexpr unsigned kMaxUsers = 256; // of a base, to save compile time
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&access);
  if (load == nullptr)
    return false;
  const auto& layout = load->getDataLayout();
  llvm::APInt own(layout.getIndexTypeSizeInBits(load->getPointerOperandType()), 0);
  const auto& base = *load->getPointerOperand()->stripAndAccumulateConstantOffsets(
      layout, own, /*AllowNonInbounds=*/true);
  if (llvm::isa<llvm::Constant>(base) || base.hasNUsesOrMore(kMaxUsers))
    return false;
  const auto size = static_cast<std::int64_t>(layout.getTypeStoreSize(load->getType()));
  const auto is_next = [&](const llvm::User* user) {
    const auto* other = llvm::dyn_cast<llvm::LoadInst>(user);
    if (other == nullptr || other->getParent() != load->getParent() ||
        other->getType() != load->getType())
      return false;
    const auto distance = distance_from(base, *other, layout);
    return distance && std::abs(*distance - own.getSExtValue()) == size;
  };
  return llvm::any_of(base.users(), [&](const llvm::User* user) {
    return is_next(user) ||
           (llvm::isa<llvm::GetElementPtrInst>(user) && llvm::any_of(user->users(), is_next));
  });
}

// Whether the value, of the loop, is computed from one that becomes larger in each iteration by a
// number known at run time, such as that of the work-items of the launch.
bool advances_at_run_time(const llvm::Value& value, const llvm::Loop& loop, unsigned depth) {
  using namespace llvm::PatternMatch;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr || !loop.contains(instruction) || depth == 0)
    return false;
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
    llvm::Value* step = nullptr;
    return phi->getParent() == loop.getHeader() &&
           match(phi->getIncomingValueForBlock(loop.getLoopLatch()),
                 m_c_Add(m_Specific(phi), m_Value(step))) &&
           !llvm::isa<llvm::Constant>(step) && loop.isLoopInvariant(step);
  }
  return !instruction->mayReadFromMemory() &&
         llvm::any_of(instruction->operands(), [&](const llvm::Use& operand) {
           return advances_at_run_time(*operand, loop, depth - 1);
         });
}

} // namespace

CostModel::CostModel(const LaneShapes& shapes, const llvm::LoopInfo& loops, unsigned width,
                     const TargetInfo& target)
    : CostModel(shapes, loops, width, target.vector_bits) {
  is_vector_code_ = true;
  integer_latency_ = target.integer_latency;
  vector_throughput_ = target.vector_throughput;
}

Cost CostModel::cost_of(const llvm::BasicBlock& block) const {
  Cost cost;
  if (is_unlikely(block))
    return cost;
  for (const auto& instruction : block) {
    const auto each = cost_of(instruction);
    cost.scalar += each.scalar;
    cost.vector += each.vector;
  }
  return cost;
}

Cost CostModel::cost_of(const llvm::Loop& loop) const {
  return {scalar_cost(loop), vector_cost(loop)};
}

double CostModel::scalar_cost(const llvm::Loop& loop) const {
  auto cost = cost_without_inner(loop).scalar;
  for (const auto* inner : loop.getSubLoops())
    cost += iterations_of(*inner) * scalar_cost(*inner);
  return std::max(cost, loop_latency(loop));
}

double CostModel::vector_cost(const llvm::Loop& loop) const {
  auto cost = cost_without_inner(loop).vector;
  for (const auto* inner : loop.getSubLoops())
    cost += iterations_of(*inner) * vector_cost(*inner) *
            (has_divergent_exit(*inner, shapes_) ? kDivergentLoopFactor : 1);
  return cost;
}

Cost CostModel::cost_without_inner(const llvm::Loop& loop) const {
  Cost cost;
  for (const auto* block : loop.blocks())
    if (loops_.getLoopFor(block) == &loop) {
      const auto own = cost_of(*block);
      cost.scalar += own.scalar;
      cost.vector += own.vector;
    }
  return cost;
}

double CostModel::iterations_of(const llvm::Loop& inner) const {
  return retries_.contains(&inner) ? 1 : kExpectedIterations;
}

double CostModel::shared_cost(const llvm::Loop& loop) const {
  double cycles = 0;
  for (const auto* block : loop.blocks())
    if (loops_.getLoopFor(block) == &loop)
      for (const auto& instruction : *block)
        if (!instruction.isTerminator() && shapes_.is_uniform(instruction))
          cycles += width_ * cost_of(instruction).vector;
  return cycles;
}

// The latency of the longest chain of dependences.
template <typename Blocks>
double CostModel::longest_chain(const Blocks& blocks) const {
  llvm::DenseMap<const llvm::Value*, double> ready;
  double longest = 0;
  for (const auto* block : blocks)
    for (const auto& instruction : *block) {
      double start = 0;
      for (const auto& operand : instruction.operands())
        start = std::max(start, ready.lookup(operand.get()));
      const auto end = start + latency(instruction);
      ready[&instruction] = end;
      longest = std::max(longest, end);
    }
  return longest;
}

Cost CostModel::cost_of_straight(const llvm::BasicBlock& block) const {
  auto cost = cost_of(block);
  cost.scalar = std::max(cost.scalar, exposed_latency({&block}, static_cast<double>(block.size())));
  return cost;
}

double CostModel::exposed_latency(llvm::ArrayRef<const llvm::BasicBlock*> blocks,
                                  double instructions) const {
  const auto hidden = std::min(1.0, static_cast<double>(kInFlight) / instructions);
  return hidden == 1 ? 0 : longest_chain(blocks) * (1 - hidden);
}

double CostModel::loop_latency(const llvm::Loop& loop) const {
  return recurrence_latency(
      loop, [this](const llvm::Instruction& instruction) { return latency(instruction); },
      [this](const llvm::PHINode& phi) { return divergent_conditions(phi); });
}

double CostModel::registers(const llvm::Type* type) const {
  const auto bits = type->isPointerTy() ? 64U : std::max(8U, type->getScalarSizeInBits());
  return component_count(const_cast<llvm::Type*>(type)) *
         std::ceil(static_cast<double>(width_) * bits / register_bits_) / width_;
}

double CostModel::own_registers(const llvm::Type& type) const {
  const auto bits = static_cast<double>(type.getPrimitiveSizeInBits().getFixedValue());
  return std::max(1.0, std::ceil(bits / register_bits_));
}

Cost CostModel::access_cost(const llvm::Instruction& access, const llvm::Value& address,
                            const llvm::Type* type, bool is_store) const {
  Cost cost;
  const auto lanes = lane_access(access, shapes_);
  cost.scalar = is_store ? kScalarStore : kScalarLoad;
  if (lanes.kind == LaneAccess::Kind::uniform && !is_store)
    return {cost.scalar, cost.scalar / width_};
  const auto components = component_count(const_cast<llvm::Type*>(type));
  if (lanes.has_stride() && advances_at_run_time(address, *access.getParent()))
    cost.scalar += kCacheLine;
  // Vectors are loaded one for each lane and transposed.
  if (own_vectors_ && components > 1)
    cost = {cost.scalar * own_registers(*type), kTransposedAccess * registers(type)};
  else if ((lanes.has_stride() || components > 1 || has_neighbor(access)) && !lanes.is_scalarized)
    cost.vector = 2 * kVectorInstruction * registers(type);
  else
    cost.vector = is_store ? kScatteredElement : kGatheredElement;
  return cost;
}

bool CostModel::advances_at_run_time(const llvm::Value& address,
                                     const llvm::BasicBlock& block) const {
  constexpr unsigned kMaxDepth = 8;
  const auto* loop = loops_.getLoopFor(&block);
  return loop != nullptr && loop->getLoopLatch() != nullptr &&
         heddle::compiler::advances_at_run_time(address, *loop, kMaxDepth);
}

CostModel::CalledCode CostModel::code_of(const llvm::Function& function) const {
  if (const auto found = called_.find(&function); found != called_.end())
    return found->second;
  const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&function);
  CalledCode code;
  code.latency = longest_chain(order);
  for (const auto& instruction : llvm::instructions(function)) {
    if (const auto* form = called_form(instruction)) {
      const auto of_form = code_of(*form);
      code.instructions += of_form.instructions;
      code.vector += of_form.vector;
    } else if (!is_free(instruction)) {
      code.instructions += 1;
      code.vector += gathers_in_called_form(instruction)
                         ? kGatheredElement
                         : kVectorInstruction * registers(instruction.getType());
    }
  }
  return called_[&function] = code;
}

Cost CostModel::cost_of(const llvm::Instruction& instruction) const {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return access_cost(instruction, *load->getPointerOperand(), load->getType(), false);
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return access_cost(instruction, *store->getPointerOperand(),
                       store->getValueOperand()->getType(), true);
  if (is_free(instruction))
    return {};
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
    const bool is_divergent =
        branch->isConditional() && shapes_.has_divergent_branch(*branch->getParent());
    const auto* loop = loops_.getLoopFor(branch->getParent());
    const bool leaves = loop != nullptr && loop->isLoopExiting(branch->getParent());
    return {kScalarInstruction + (is_divergent && !leaves ? kMisprediction : 0),
            kScalarInstruction / width_};
  }
  Cost cost;
  const auto components = component_count(instruction.getType());
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (const auto* form = called_form(instruction)) {
    const auto code = code_of(*form);
    cost.scalar = kScalarInstruction * code.instructions;
    if (has_masked_form(*form))
      return {cost.scalar, code.vector};
  } else if (llvm::isa<llvm::CallBase>(instruction) && intrinsic == nullptr)
    cost.scalar = kScalarCall;
  else if (instruction.isIntDivRem() || instruction.getOpcode() == llvm::Instruction::FDiv)
    cost.scalar = kScalarDivision * components;
  else
    cost.scalar = kScalarInstruction * components;
  if (own_vectors_ && instruction.getType()->isVectorTy() && components > 1) {
    cost.scalar *= kOwnVectorInstruction / kScalarInstruction *
                   own_registers(*instruction.getType()) / components;
    cost.vector =
        is_movement(instruction) ? 0 : kVectorInstruction * registers(instruction.getType());
    return cost;
  }
  if (shapes_.is_uniform(instruction) || shapes_.stride(instruction))
    cost.vector = cost.scalar / width_;
  else
    cost.vector = cost.scalar / kScalarInstruction * kVectorInstruction *
                  registers(instruction.getType()) / components /
                  (instruction.getType()->isIntOrIntVectorTy() ? vector_throughput_ : 1);
  return cost;
}

// The conditions by which a phi of divergent control flow selects its values in vector code.
llvm::SmallVector<const llvm::Value*, 4>
CostModel::divergent_conditions(const llvm::PHINode& phi) const {
  llvm::SmallVector<const llvm::Value*, 4> conditions;
  if (!is_vector_code_ || loops_.isLoopHeader(phi.getParent()))
    return conditions;
  for (const auto* block : phi.blocks()) {
    if (is_unlikely(*block) ||
        llvm::any_of(llvm::successors(block), [](const auto* next) { return is_unlikely(*next); }))
      continue;
    if (shapes_.has_divergent_branch(*block))
      conditions.push_back(block->getTerminator()->getOperand(0));
    else if (const auto* before = block->getSinglePredecessor();
             before != nullptr && shapes_.has_divergent_branch(*before))
      conditions.push_back(before->getTerminator()->getOperand(0));
  }
  return conditions;
}

double CostModel::latency(const llvm::Instruction& instruction) const {
  // A select for each value but the first.
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
      phi != nullptr && !divergent_conditions(*phi).empty())
    return integer_latency_ * (phi->getNumIncomingValues() - 1);
  if (is_free(instruction) || is_unlikely(*instruction.getParent()))
    return 0;
  if (const auto* form = called_form(instruction))
    return code_of(*form).latency;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    const bool gathers = is_vector_code_ && !lane_access(*load, shapes_).has_stride();
    return gathers ? kGatherLatency : kLoadLatency;
  }
  if (instruction.isIntDivRem() || instruction.getOpcode() == llvm::Instruction::FDiv)
    return 12;
  if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction))
    return 30;
  const bool multiplies = instruction.getOpcode() == llvm::Instruction::Mul;
  return instruction.getType()->isFPOrFPVectorTy() || multiplies ? 4 : integer_latency_;
}

bool has_divergent_exit(const llvm::Loop& loop, const LaneShapes& shapes) {
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  return llvm::any_of(exiting, [&](auto* block) { return shapes.has_divergent_branch(*block); });
}

} // namespace heddle::compiler
