#include "compiler/vectorise/interleave.h"

#include "compiler/codegen/target.h"
#include "compiler/passes/lane_functions.h"
#include "compiler/passes/work_item_state.h"
#include "compiler/vectorise/wide.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kMostInstructions = 1500;

// Registers that the values fill at the place where most of them are alive.
class Pressure {
 public:
  Pressure(const llvm::Function& kernel, const Shapes& shapes, unsigned width,
           unsigned register_bits)
      : shapes_(shapes), width_(width), register_bits_(register_bits) {
    const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&kernel);
    const llvm::SmallVector<const llvm::BasicBlock*, 32> blocks(order.begin(), order.end());
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto* block : llvm::reverse(blocks))
        changed |= visit(*block);
    }
  }
  unsigned most() const { return most_; }

 private:
  using Values = llvm::SmallPtrSet<const llvm::Value*, 16>;

  // Scalars and masks have registers of their own.
  unsigned registers_of(const llvm::Value& value) const {
    if (!llvm::isa<llvm::Instruction>(value) || value.getType()->isVoidTy() ||
        shapes_.is_uniform(value) || shapes_.stride(value))
      return 0;
    unsigned count = 0;
    for (unsigned c = 0; c < component_count(value.getType()); ++c) {
      const auto* type = component_type(value.getType(), c);
      const auto bits = type->isPointerTy() ? 64 : type->getScalarSizeInBits();
      if (bits > 1)
        count += (width_ * bits + register_bits_ - 1) / register_bits_;
    }
    return count;
  }

  bool visit(const llvm::BasicBlock& block) {
    Values live;
    unsigned registers = 0;
    const auto use = [&](const llvm::Value& value) {
      if (const auto own = registers_of(value); own != 0 && live.insert(&value).second)
        registers += own;
    };
    for (const auto* next : llvm::successors(&block)) {
      if (const auto found = live_in_.find(next); found != live_in_.end())
        for (const auto* value : found->second)
          use(*value);
      for (const auto& phi : next->phis())
        use(*phi.getIncomingValueForBlock(&block));
    }
    most_ = std::max(most_, registers);
    for (const auto& instruction : llvm::reverse(block)) {
      if (live.erase(&instruction))
        registers -= registers_of(instruction);
      if (llvm::isa<llvm::PHINode>(instruction))
        continue;
      for (const auto& operand : instruction.operands())
        use(*operand.get());
      most_ = std::max(most_, registers);
    }
    auto& before = live_in_[&block];
    const bool changed = before.size() != live.size();
    before = std::move(live);
    return changed;
  }

  const Shapes& shapes_;
  const unsigned width_;
  const unsigned register_bits_;
  llvm::DenseMap<const llvm::BasicBlock*, Values> live_in_;
  unsigned most_ = 0;
};

// Groups of kernels in several dimensions are often narrow.
bool may_have_narrow_groups(const llvm::Function& kernel, unsigned width) {
  if (const auto* node = kernel.getMetadata("reqd_work_group_size"))
    return llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(0))->getZExtValue() % width !=
           0;
  const auto state = work_item_state(const_cast<llvm::Function&>(kernel));
  return !state.local_id[1]->use_empty() || !state.local_id[2]->use_empty();
}

// What is done lane by lane gains nothing, and private arrays are laid out for one width.
bool has_lane_by_lane_access(const llvm::Function& kernel) {
  return llvm::any_of(llvm::instructions(kernel), [](const llvm::Instruction& instruction) {
    return llvm::isa<llvm::AllocaInst>(instruction) || instruction.isAtomic() ||
           instruction.isVolatile();
  });
}

} // namespace

bool is_worth_doubling(const llvm::Function& kernel, const Shapes& shapes,
                       const llvm::TargetMachine& target, unsigned width) {
  if (kernel.getInstructionCount() > kMostInstructions || width * 2 > kWidest ||
      may_have_narrow_groups(kernel, width * 2) || has_lane_by_lane_access(kernel) ||
      calls_lane_functions(kernel)) // permutations of one register are one instruction
    return false;
  const auto registers = has_feature(target, "avx512f") ? 32U : 16U;
  // Masks, constants and what instructions need in passing take the rest.
  return Pressure(kernel, shapes, width, register_bits(target)).most() * 5 <= registers * 2;
}

} // namespace heddle::compiler
