// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/plan/choose_row_interleave.h"

#include "compiler/ir/bounds_check.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/lower_barriers.h"
#include "compiler/vectorize/analysis/analyses.h"
#include "compiler/vectorize/analysis/lane_shapes.h"
#include "compiler/vectorize/analysis/masked_blocks.h"
#include "compiler/vectorize/analysis/register_pressure.h"
#include "compiler/vectorize/analysis/transposed_access.h"
#include "compiler/vectorize/plan/choose_width.h"
#include "compiler/vectorize/plan/loop_cost_model.h"
#include "compiler/vectorize/transform/find_guards.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <set>

namespace heddle::compiler {
namespace {

constexpr unsigned kMaxRows = 8;
constexpr unsigned kMaxRowsSharingLoads =
    2; // with more, the shared values do not fit into registers
constexpr unsigned kMaxRowsOfStraightCode = 4;
constexpr unsigned kRowsHidingLatency = 2;
constexpr unsigned kMaxRowInstructions = 1500;
constexpr unsigned kMinNeighborRows = 3;
constexpr unsigned kMaxIndexSteps = 8;

// Private arrays and scalarized instructions would only be repeated for each row.
bool has_scalarized_operation(const llvm::Function& kernel) {
  return llvm::any_of(llvm::instructions(kernel), [](const llvm::Instruction& instruction) {
    if (is_bounds_check(instruction))
      return false;
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      const auto* callee = call->getCalledFunction();
      return callee == nullptr ||
             (!callee->isIntrinsic() && !is_barrier(*callee) && !call->doesNotAccessMemory());
    }
    return llvm::isa<llvm::AllocaInst, llvm::FenceInst>(instruction) || instruction.isAtomic() ||
           instruction.isVolatile();
  });
}

bool is_vector_load(const llvm::Instruction& instruction, const LaneShapes& shapes) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load != nullptr && !shapes.is_uniform(*load->getPointerOperand());
}

// Whether a loop, or a kernel without loops, has vector loads that are the same in all rows, and
// vector arithmetic that differs between them. Not under masks, which differ between rows.
bool shares_loads(const llvm::Function& kernel, const LaneShapes& shapes,
                  const llvm::LoopInfo& loops, const BlockSet& masked) {
  bool shares = false, has_row_arithmetic = false;
  for (const auto& block : kernel) {
    if ((!loops.empty() && loops.getLoopFor(&block) == nullptr) || masked.contains(&block))
      continue;
    for (const auto& instruction : block) {
      const bool differs = shapes.differs_by_row(instruction);
      shares |= !differs && is_vector_load(instruction, shapes);
      has_row_arithmetic |= differs &&
                            llvm::isa<llvm::BinaryOperator, llvm::CallBase>(instruction) &&
                            !shapes.is_uniform(instruction) && !shapes.stride(instruction);
    }
  }
  return shares && has_row_arithmetic;
}

// Whether an index is computed from a float, as in a picture that is scaled: the rows of neighbors
// are then not one apart.
bool comes_from_float(const llvm::Value& value, unsigned depth) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr || depth == 0 || llvm::isa<llvm::LoadInst, llvm::PHINode>(instruction))
    return false;
  return llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(instruction) ||
         llvm::any_of(instruction->operands(), [depth](const llvm::Use& operand) {
           const auto* type = operand->getType();
           return type->isIntegerTy() && !type->isIntegerTy(1) &&
                  comes_from_float(*operand, depth - 1);
         });
}

// Splits addresses into the terms of a sum, without constants and terms that depend on x alone.
class RowTerms {
 public:
  explicit RowTerms(const LaneShapes& shapes) : shapes_(shapes) {}
  using Terms = std::set<std::pair<const llvm::Value*, bool>>; // and whether it is subtracted

  // Empty if the address does not differ by row, or not by an integer.
  Terms of(const llvm::Value& address) {
    terms_.clear();
    has_row_ = has_float_row_ = false;
    collect(address, false, 0);
    return has_row_ && !has_float_row_ ? terms_ : Terms();
  }

 private:
  void collect(const llvm::Value& value, bool negative, unsigned depth) {
    using Op = llvm::Instruction;
    if (llvm::isa<llvm::Constant>(value))
      return;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    const auto opcode = instruction != nullptr && depth < 12 ? instruction->getOpcode() : 0;
    switch (opcode) {
    case Op::GetElementPtr:
    case Op::Add:
    case Op::Sub:
    case Op::SExt:
    case Op::ZExt:
    case Op::Trunc:
      for (const auto& operand : instruction->operands())
        collect(*operand, negative != (opcode == Op::Sub && operand.getOperandNo() == 1),
                depth + 1);
      return;
    default:
      if (shapes_.differs_by_row(value)) {
        has_row_ = true;
        has_float_row_ |= comes_from_float(value, kMaxIndexSteps);
      }
      if (shapes_.is_uniform(value) || shapes_.differs_by_row(value))
        terms_.emplace(&value, negative);
    }
  }

  const LaneShapes& shapes_;
  Terms terms_;
  bool has_row_ = false, has_float_row_ = false;
};

// Whether the kernel loads from several rows around its own, as filters do: neighboring rows of the
// group then load the same elements.
bool loads_neighbor_rows(const llvm::Function& kernel, const LaneShapes& shapes) {
  RowTerms terms(shapes);
  std::set<RowTerms::Terms> seen;
  for (const auto& instruction : llvm::instructions(kernel))
    if (is_vector_load(instruction, shapes))
      if (auto own = terms.of(*llvm::getLoadStorePointerOperand(&instruction)); !own.empty())
        seen.insert(std::move(own));
  return seen.size() >= kMinNeighborRows;
}

// Whether a scalar instruction, one for each row, must not be executed by rows without active
// lanes: a division, which traps, a copy, or an access of a large structure.
bool needs_active_lane(const llvm::BasicBlock& block, const LaneShapes& shapes,
                       const llvm::DataLayout& layout) {
  return llvm::any_of(block, [&](const llvm::Instruction& instruction) {
    if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) {
      auto* type = llvm::getLoadStoreType(&const_cast<llvm::Instruction&>(instruction));
      return layout.getTypeStoreSize(type).getFixedValue() > kMaxInactiveBytes;
    }
    return llvm::isa<llvm::MemIntrinsic>(instruction) ||
           (instruction.isIntDivRem() && shapes.is_uniform(instruction) &&
            shapes.differs_by_row(instruction));
  });
}

bool has_transposed_access(const llvm::Function& kernel, const LaneShapes& shapes) {
  return llvm::any_of(llvm::instructions(kernel), [&](const llvm::Instruction& instruction) {
    return is_transposed(instruction, shapes);
  });
}

// none: rows branch together. masked: they diverge under masks, as lanes do. scalar: they would
// have to execute by scalar instructions what they must not without an active lane, or to leave a
// loop.
enum class RowDivergence : std::uint8_t { none, masked, scalar };

// The blocks whose branches UniformizeGuardsPass is going to make uniform.
BlockSet guards_of(llvm::Function& kernel, const Analyses& analyses) {
  BlockSet blocks;
  const auto guards = find_guards(kernel, analyses);
  for (const auto& guard : guards.found)
    blocks.insert(guard.block);
  for (const auto* branch : guards.late)
    blocks.insert(branch->getParent());
  return blocks;
}

RowDivergence row_divergence(llvm::Function& kernel, const Analyses& analyses,
                             const BlockSet& uniformized, const BlockSet& masked) {
  const auto& shapes = analyses.shapes;
  const auto& layout = kernel.getParent()->getDataLayout();
  auto divergence = RowDivergence::none;
  for (const auto& block : kernel) {
    if (uniformized.contains(&block))
      continue;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (branch == nullptr || !branch->isConditional() ||
        !shapes.differs_by_row(*branch->getCondition()))
      continue;
    const auto* loop = analyses.loops.getLoopFor(&block);
    if (loop != nullptr && loop->isLoopExiting(&block) &&
        shapes.is_uniform(*branch->getCondition()))
      return RowDivergence::scalar;
    divergence = RowDivergence::masked;
  }
  if (divergence == RowDivergence::masked &&
      llvm::any_of(masked_blocks(kernel, shapes), [&](const llvm::BasicBlock* block) {
        return needs_active_lane(*block, shapes, layout);
      }))
    return RowDivergence::scalar;
  return divergence;
}

// The number of rows to interleave if there are enough registers.
unsigned max_rows(const llvm::Function& kernel, const LaneShapes& shapes,
                  const llvm::LoopInfo& loops, unsigned width, const TargetInfo& target,
                  RowDivergence divergence, const BlockSet& masked) {
  if (divergence == RowDivergence::none && has_transposed_access(kernel, shapes))
    return kMaxRows;
  if (divergence != RowDivergence::scalar && shares_loads(kernel, shapes, loops, masked))
    return loops.empty() ? kMaxRowsOfStraightCode : kMaxRows;
  if (divergence == RowDivergence::none && loads_neighbor_rows(kernel, shapes))
    return kMaxRowsSharingLoads;
  if (divergence != RowDivergence::scalar &&
      (waits_for_results(shapes, loops, width, target) ||
       (!loops.empty() && !accesses_memory_in_loops(kernel, loops) &&
        waits_with_lanes(kernel, shapes, loops, width * 2, target))))
    return kRowsHidingLatency;
  return 1;
}

std::uint64_t required_rows(const llvm::Function& kernel) {
  const auto* node = kernel.getMetadata("reqd_work_group_size");
  return node == nullptr
             ? 0
             : llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(1))->getZExtValue();
}

} // namespace

static bool has_registers(const llvm::Function& kernel, const LaneShapes& shapes,
                          const TargetInfo& target, unsigned width, unsigned rows) {
  return estimate_register_pressure(kernel, shapes, width, rows, target.vector_bits) * 4 <=
         target.vector_registers * 3;
}

static VectorPlan plan_of(unsigned width) {
  VectorPlan plan;
  plan.width = width;
  plan.rows = kMaxRows;
  return plan;
}

bool has_registers_for_rows(llvm::Function& kernel, const TargetInfo& target, unsigned width,
                            unsigned rows) {
  const Analyses analyses(kernel, plan_of(width));
  return has_registers(kernel, analyses.shapes, target, width, rows);
}

RowInterleave choose_row_interleave(llvm::Function& kernel, const TargetInfo& target,
                                    unsigned width, unsigned requested, bool may_restart) {
  if (requested == 1 || work_item_params(kernel).local_id[1]->use_empty() ||
      has_scalarized_operation(kernel) || calls_subgroup_intrinsics(kernel))
    return {};
  const Analyses analyses(kernel, plan_of(width));
  const auto required = required_rows(kernel);
  const auto uniformized = may_restart ? guards_of(kernel, analyses) : BlockSet();
  const auto masked = masked_blocks(kernel, analyses.shapes, uniformized);
  const auto divergence = row_divergence(kernel, analyses, uniformized, masked);
  if (requested != 0) {
    const auto rows = std::min(llvm::bit_floor(requested), kMaxRows);
    const bool may = divergence != RowDivergence::scalar && required % rows == 0;
    return {may ? rows : 1, 1, may};
  }
  RowInterleave choice;
  choice.may_be_more = divergence != RowDivergence::scalar;
  if (kernel.getInstructionCount() > kMaxRowInstructions)
    return choice;
  choice.wanted =
      max_rows(kernel, analyses.shapes, analyses.loops, width, target, divergence, masked);
  for (choice.rows = choice.wanted; choice.rows > 1; choice.rows /= 2)
    if (required % choice.rows == 0 &&
        has_registers(kernel, analyses.shapes, target, width, choice.rows))
      break;
  return choice;
}

} // namespace heddle::compiler
