// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/transform/merge_components.h"

#include "compiler/vectorize/analysis/analyses.h"
#include "compiler/vectorize/analysis/vectorization_plan.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

#include <array>

namespace heddle::compiler {
namespace {

constexpr unsigned kComponents = 3;
constexpr std::int64_t kInterleaved =
    4; // elements of lanes so far apart are loaded as whole vectors
constexpr unsigned kOffsetBits = 32;
constexpr unsigned kGlobal = 1, kConstant = 2; // address spaces

// What addresses with a constant distance have in common: a pointer, and a number times a factor,
// which is sign-extended if it is shorter.
struct Base {
  const llvm::Value* pointer = nullptr;
  const llvm::Value* number = nullptr;
  std::uint64_t factor = 0;
  bool operator==(const Base&) const = default;
};

struct Address {
  Base base;
  std::uint64_t offset = 0; // bytes from the base, modulo 2^64
};

// Takes constant terms and factors out of the base's number. `wraps`: sums and products of the
// number may wrap around as the address does.
void take_constants(Address& address, bool wraps) {
  using namespace llvm::PatternMatch;
  const llvm::Value* operand = nullptr;
  const llvm::APInt* constant = nullptr;
  for (;;) {
    const auto* number = llvm::dyn_cast<llvm::BinaryOperator>(address.base.number);
    if (number == nullptr)
      return;
    const bool is_exact =
        wraps || (llvm::isa<llvm::OverflowingBinaryOperator>(number) && number->hasNoSignedWrap());
    if (match(number, m_DisjointOr(m_Value(operand), m_APInt(constant))) ||
        (is_exact && match(number, m_Add(m_Value(operand), m_APInt(constant)))))
      address.offset += static_cast<std::uint64_t>(constant->getSExtValue()) * address.base.factor;
    else if (is_exact && match(number, m_Mul(m_Value(operand), m_APInt(constant))))
      address.base.factor *= static_cast<std::uint64_t>(constant->getSExtValue());
    else if (is_exact && match(number, m_Shl(m_Value(operand), m_APInt(constant))) &&
             constant->ult(32))
      address.base.factor <<= constant->getZExtValue();
    else
      return;
    address.base.number = operand;
  }
}

Address address_of(const llvm::Value& pointer, const llvm::DataLayout& layout) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
  Address address;
  address.base.pointer = pointer.stripAndAccumulateConstantOffsets(layout, offset, true);
  address.offset = static_cast<std::uint64_t>(offset.getSExtValue());
  const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(address.base.pointer);
  if (gep == nullptr || gep->getNumIndices() != 1 ||
      !gep->getOperand(1)->getType()->isIntegerTy(64))
    return address;
  address.base = {gep->getPointerOperand(), gep->getOperand(1),
                  layout.getTypeAllocSize(gep->getSourceElementType()).getFixedValue()};
  take_constants(address, true);
  if (const auto* extension = llvm::dyn_cast<llvm::SExtInst>(address.base.number)) {
    address.base.number = extension->getOperand(0);
    take_constants(address, false);
  }
  return address;
}

struct Component {
  llvm::Instruction* access;
  Base base;
  std::int64_t offset; // bytes from the base
};
using Vector = std::array<Component, kComponents>;

class Merger {
 public:
  Merger(llvm::Function& kernel, const LaneShapes& shapes, const VectorPlan& plan)
      : shapes_(shapes), plan_(plan), layout_(kernel.getParent()->getDataLayout()) {}

  void run(llvm::BasicBlock& block, bool is_masked) {
    is_masked_ = is_masked;
    loads_.clear();
    stores_.clear();
    for (auto& instruction : llvm::make_early_inc_range(block)) {
      if (const auto component = component_of(instruction)) {
        if (llvm::isa<llvm::LoadInst>(instruction))
          add_load(*component);
        else
          add_store(*component);
        continue;
      }
      if (instruction.mayWriteToMemory())
        loads_.clear();
      if (instruction.mayReadOrWriteMemory())
        stores_.clear();
    }
  }

 private:
  using Pending = llvm::SmallVector<Component, 8>;

  std::optional<Component> component_of(llvm::Instruction& instruction) const {
    auto* address = llvm::getLoadStorePointerOperand(&instruction);
    if (address == nullptr || instruction.isVolatile() || instruction.isAtomic())
      return std::nullopt;
    const auto* type = llvm::getLoadStoreType(&instruction);
    const auto space = address->getType()->getPointerAddressSpace();
    if (!(type->isIntegerTy() || type->isFloatingPointTy()) ||
        (space != kGlobal && space != kConstant) || shapes_.is_uniform(*address))
      return std::nullopt;
    const auto stride =
        shapes_.stride(*address) ? shapes_.stride(*address) : shapes_.likely_stride(*address);
    const auto bits = type->getScalarSizeInBits();
    if (bits % 8 != 0)
      return std::nullopt;
    const bool are_consecutive = stride == kComponents * size_of(instruction);
    const bool are_far = !stride || std::abs(*stride) > kInterleaved * size_of(instruction);
    if (are_consecutive ? is_masked_ : !are_far || !loads_three(instruction))
      return std::nullopt;
    const auto [base, offset] = address_of(*address, layout_);
    if (!llvm::isIntN(kOffsetBits, static_cast<std::int64_t>(offset)))
      return std::nullopt;
    return Component{&instruction, base, static_cast<std::int64_t>(offset)};
  }

  // Whether three such loads at addresses of lanes' own are better one.
  bool loads_three(const llvm::Instruction& instruction) const {
    return llvm::isa<llvm::LoadInst>(instruction) &&
           plan_.loads_three(instruction.getType()->getScalarSizeInBits());
  }

  std::int64_t size_of(llvm::Instruction& access) const {
    return static_cast<std::int64_t>(
        layout_.getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue());
  }

  // The vector that the component completes, whose others are then no longer pending.
  std::optional<Vector> complete(const Component& last, Pending& pending) const {
    const auto size = size_of(*last.access);
    for (unsigned place = 0; place < kComponents; ++place) {
      Vector vector;
      vector[place] = last;
      unsigned found = 1;
      for (const auto& other : pending) {
        const auto distance = other.offset - last.offset + static_cast<std::int64_t>(place) * size;
        if (other.base == last.base && distance % size == 0 && distance >= 0 &&
            distance < kComponents * size && other.offset != last.offset &&
            llvm::getLoadStoreType(other.access) == llvm::getLoadStoreType(last.access)) {
          vector[static_cast<std::size_t>(distance / size)] = other;
          ++found;
        }
      }
      if (found < kComponents)
        continue;
      llvm::erase_if(pending, [&](const Component& one) {
        return llvm::any_of(vector, [&](const Component& c) { return c.access == one.access; });
      });
      return vector;
    }
    return std::nullopt;
  }

  static bool is_same(const Component& a, const Component& b) {
    return a.base == b.base && a.offset == b.offset;
  }

  // Of the same base; the first one with so many bytes before and behind it.
  bool overlap(const Component& a, std::int64_t around, const Component& b) const {
    return b.offset < a.offset + size_of(*a.access) + around &&
           a.offset - around < b.offset + size_of(*b.access);
  }

  // Whether a work-item may access the same memory by both: not through two arguments of which one
  // is noalias, nor at different distances from a base.
  bool may_overlap(const Component& a, const Component& b) const {
    if (a.base == b.base)
      return overlap(a, 0, b);
    const auto argument_of = [](const Component& one) {
      return llvm::dyn_cast<llvm::Argument>(
          llvm::getUnderlyingObject(llvm::getLoadStorePointerOperand(one.access)));
    };
    const auto *first = argument_of(a), *second = argument_of(b);
    return first == nullptr || second == nullptr || first == second ||
           !(first->hasNoAliasAttr() || second->hasNoAliasAttr());
  }

  void drop_overlapping(Pending& pending, const Component& access) const {
    llvm::erase_if(pending, [&](const Component& one) { return may_overlap(one, access); });
  }

  void add_load(const Component& load) {
    drop_overlapping(stores_, load);
    if (const auto vector = complete(load, loads_))
      return merge_loads(*vector);
    if (llvm::none_of(loads_, [&](const Component& one) { return is_same(one, load); }))
      loads_.push_back(load);
  }

  void add_store(const Component& store) {
    // What is loaded next to a pending load becomes part of it, before this store.
    llvm::erase_if(loads_, [&](const Component& load) {
      const auto neighbors = (kComponents - 1) * size_of(*load.access);
      return load.base == store.base ? overlap(load, neighbors, store) : may_overlap(load, store);
    });
    drop_overlapping(stores_, store);
    if (const auto vector = complete(store, stores_))
      return merge_stores(*vector);
    stores_.push_back(store);
  }

  // The address of the first component, from that of one whose address is there.
  llvm::Value* first_address(llvm::IRBuilder<>& builder, const Vector& vector,
                             const Component& known) const {
    auto* pointer = llvm::getLoadStorePointerOperand(known.access);
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(pointer->getType()), 0);
    pointer = pointer->stripAndAccumulateConstantOffsets(layout_, offset, true);
    return builder.CreateGEP(
        builder.getInt8Ty(), pointer,
        builder.getInt64(offset.getSExtValue() + vector[0].offset - known.offset));
  }

  static llvm::FixedVectorType* vector_type(const Vector& vector) {
    return llvm::FixedVectorType::get(llvm::getLoadStoreType(vector[0].access), kComponents);
  }

  static void copy_metadata(const Vector& vector, llvm::Instruction& made) {
    auto known = vector[0].access->getAAMetadata();
    for (const auto& component : vector)
      known = known.merge(component.access->getAAMetadata());
    made.setAAMetadata(known);
  }

  void merge_loads(const Vector& vector) const {
    const auto* first = &vector[0];
    for (const auto& component : vector)
      if (component.access->comesBefore(first->access))
        first = &component;
    llvm::IRBuilder<> builder(first->access);
    auto* made =
        builder.CreateAlignedLoad(vector_type(vector), first_address(builder, vector, *first),
                                  llvm::getLoadStoreAlignment(vector[0].access));
    copy_metadata(vector, *made);
    for (unsigned i = 0; i < kComponents; ++i)
      vector[i].access->replaceAllUsesWith(builder.CreateExtractElement(made, i));
    for (const auto& component : vector)
      component.access->eraseFromParent();
  }

  void merge_stores(const Vector& vector) const {
    const auto* last = &vector[0];
    for (const auto& component : vector)
      if (last->access->comesBefore(component.access))
        last = &component;
    llvm::IRBuilder<> builder(last->access);
    llvm::Value* value = llvm::PoisonValue::get(vector_type(vector));
    for (unsigned i = 0; i < kComponents; ++i)
      value = builder.CreateInsertElement(
          value, llvm::cast<llvm::StoreInst>(vector[i].access)->getValueOperand(), i);
    auto* made = builder.CreateAlignedStore(value, first_address(builder, vector, *last),
                                            llvm::getLoadStoreAlignment(vector[0].access));
    copy_metadata(vector, *made);
    for (const auto& component : vector)
      component.access->eraseFromParent();
  }

  const LaneShapes& shapes_;
  const VectorPlan& plan_;
  const llvm::DataLayout& layout_;
  bool is_masked_ = false; // some lanes may execute the block without others
  Pending loads_, stores_;
};

} // namespace

// The blocks that some lanes may execute without others: those between a divergent branch and the
// block where its paths meet again.
static llvm::SmallPtrSet<const llvm::BasicBlock*, 16> find_masked_blocks(llvm::Function& kernel,
                                                                         const LaneShapes& shapes) {
  const llvm::PostDominatorTree post_dominators(kernel);
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> masked;
  for (auto* branch : llvm::ReversePostOrderTraversal<llvm::Function*>(&kernel)) {
    // Branches in between meet again no later.
    if (!shapes.has_divergent_branch(*branch) || masked.contains(branch))
      continue;
    const auto* meeting = post_dominators.getNode(branch)->getIDom();
    llvm::SmallVector<const llvm::BasicBlock*, 8> reached(llvm::successors(branch));
    while (!reached.empty()) {
      const auto* block = reached.pop_back_val();
      if ((meeting == nullptr || block != meeting->getBlock()) && masked.insert(block).second)
        reached.append(llvm::succ_begin(block), llvm::succ_end(block));
    }
  }
  return masked;
}

static void merge_components(llvm::Function& kernel, const Analyses& analyses,
                             const VectorPlan& plan) {
  const auto masked = find_masked_blocks(kernel, analyses.shapes);
  Merger merger(kernel, analyses.shapes, plan);
  for (auto& block : kernel)
    merger.run(block, masked.contains(&block));
}

llvm::PreservedAnalyses
MergeComponentsPass::run_on_kernel(Kernel& kernel, llvm::FunctionAnalysisManager& /*analyses*/) {
  auto& body = *kernel.body;
  const auto plan = body_plan(kernel);
  if (kernel.plan->is_vectorized())
    merge_components(body, Analyses(body, plan), plan);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
