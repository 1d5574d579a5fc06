// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/register_pressure.h"

#include "compiler/vectorize/analysis/lane_access.h"
#include "compiler/vectorize/analysis/vector_value.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

// Whether lanes probably access consecutive elements there, which a check at run time finds out.
bool is_likely_consecutive(const llvm::Value& address, const LaneShapes& shapes) {
  return address.getType()->isPointerTy() && shapes.likely_stride(address) &&
         llvm::all_of(address.users(), [&](const llvm::User* user) {
           return llvm::getLoadStorePointerOperand(user) == &address &&
                  component_count(llvm::getLoadStoreType(user)) == 1 &&
                  lane_access(*llvm::cast<llvm::Instruction>(user), shapes).is_likely_consecutive();
         });
}

} // namespace

unsigned vector_registers_of(const llvm::Value& value, const LaneShapes& shapes, unsigned width,
                             unsigned register_bits) {
  if (!llvm::isa<llvm::Instruction>(value) || value.getType()->isVoidTy() ||
      shapes.is_uniform(value) || shapes.stride(value) || is_likely_consecutive(value, shapes))
    return 0;
  unsigned count = 0;
  for (unsigned c = 0; c < component_count(value.getType()); ++c) {
    const auto* type = component_type(value.getType(), c);
    const auto bits = type->isPointerTy() ? 64 : type->getScalarSizeInBits();
    if (bits > 1)
      count += (width * bits + register_bits - 1) / register_bits;
  }
  return count;
}

namespace {

class RegisterPressure {
 public:
  RegisterPressure(const llvm::Function& kernel, const LaneShapes& shapes, unsigned width,
                   unsigned rows, unsigned register_bits)
      : shapes_(shapes), width_(width), rows_(rows), register_bits_(register_bits) {
    const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&kernel);
    const llvm::SmallVector<const llvm::BasicBlock*, 32> blocks(order.begin(), order.end());
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto* block : llvm::reverse(blocks))
        changed |= visit(*block);
    }
  }
  unsigned max() const { return max_; }

 private:
  using Values = llvm::SmallPtrSet<const llvm::Value*, 16>;

  unsigned registers_of(const llvm::Value& value) const {
    const auto count = vector_registers_of(value, shapes_, width_, register_bits_);
    return shapes_.differs_by_row(value) ? count * rows_ : count;
  }

  bool visit(const llvm::BasicBlock& block) {
    Values live;
    unsigned registers = 0;
    const auto use = [&](const llvm::Value& value) {
      if (const auto count = registers_of(value); count != 0 && live.insert(&value).second)
        registers += count;
    };
    for (const auto* next : llvm::successors(&block)) {
      if (const auto found = live_in_.find(next); found != live_in_.end())
        for (const auto* value : found->second)
          use(*value);
      for (const auto& phi : next->phis())
        use(*phi.getIncomingValueForBlock(&block));
    }
    max_ = std::max(max_, registers);
    for (const auto& instruction : llvm::reverse(block)) {
      if (live.erase(&instruction))
        registers -= registers_of(instruction);
      if (llvm::isa<llvm::PHINode>(instruction))
        continue;
      for (const auto& operand : instruction.operands())
        use(*operand.get());
      max_ = std::max(max_, registers);
    }
    auto& live_in = live_in_[&block];
    const bool changed = live_in.size() != live.size();
    live_in = std::move(live);
    return changed;
  }

  const LaneShapes& shapes_;
  const unsigned width_;
  const unsigned rows_;
  const unsigned register_bits_;
  llvm::DenseMap<const llvm::BasicBlock*, Values> live_in_;
  unsigned max_ = 0;
};

} // namespace

unsigned estimate_register_pressure(const llvm::Function& kernel, const LaneShapes& shapes,
                                    unsigned width, unsigned rows, unsigned register_bits) {
  return RegisterPressure(kernel, shapes, width, rows, register_bits).max();
}

} // namespace heddle::compiler
