// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/plan/choose_width.h"

#include "compiler/analysis/call_graph.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/lower_barriers.h"
#include "compiler/lower/mark_sub_group_users.h"
#include "compiler/vectorize/analysis/vector_value.h"
#include "compiler/vectorize/emit/vector_forms.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {
namespace {

// Weighted counts of the kernel's loads, stores and arithmetic, without address computations.
struct ElementCounts {
  unsigned by_bits[65] = {}; // by the size of elements
  unsigned all = 0;
  unsigned index_arithmetic = 0; // of the 32-bit ones, integer operations
  unsigned halves = 0;           // of the 16-bit ones, halves
  unsigned full_vectors = 0;     // of vector types of the kernel that fill at least half a register
  unsigned in_volatiles = 0;     // accesses to private variables of which some are volatile
};

// Whether the load is of a size, id or offset of the group or its launch.
bool is_of_group_or_launch(const llvm::LoadInst& load, const WorkItemParams& params) {
  const auto* base = load.getPointerOperand()->stripInBoundsConstantOffsets();
  if (const auto* launch = llvm::dyn_cast<llvm::LoadInst>(base))
    base = launch->getPointerOperand()->stripInBoundsConstantOffsets();
  return base == params.group;
}

const llvm::Type* data_type(const llvm::Instruction& instruction, const WorkItemParams& params) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      load != nullptr && is_of_group_or_launch(*load, params))
    return nullptr;
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->getValueOperand()->getType();
  if (llvm::isa<llvm::LoadInst>(instruction) || instruction.getType()->isFPOrFPVectorTy())
    return instruction.getType();
  if (llvm::isa<llvm::BinaryOperator>(instruction) && !instruction.getType()->isIntegerTy(64))
    return instruction.getType();
  return nullptr;
}

// The size of the elements that the instruction computes with: halves are floats to CPUs without
// arithmetic for them.
unsigned element_bits(const llvm::Instruction& instruction, const llvm::Type& type,
                      const TargetInfo& target) {
  return type.getScalarType()->isHalfTy() && !target.has_half_arithmetic &&
                 !llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)
             ? 32
             : type.getScalarSizeInBits();
}

// Private variables with volatile accesses.
llvm::SmallPtrSet<const llvm::Value*, 4> find_volatiles(const llvm::Function& kernel) {
  llvm::SmallPtrSet<const llvm::Value*, 4> found;
  for (const auto& instruction : llvm::instructions(kernel))
    if (instruction.isVolatile())
      if (const auto* address = llvm::getLoadStorePointerOperand(&instruction))
        if (const auto* variable = llvm::getUnderlyingObject(address);
            llvm::isa<llvm::AllocaInst>(variable))
          found.insert(variable);
  return found;
}

// The kernel, and the functions of memory that it calls once for all lanes.
llvm::SmallVector<const llvm::Function*, 8> functions_of_lanes(const llvm::Function& kernel) {
  llvm::SmallVector<const llvm::Function*, 8> functions = {&kernel};
  for (const auto* function : reachable_functions(const_cast<llvm::Function&>(kernel)))
    if (function != &kernel && has_masked_form(*function))
      functions.push_back(function);
  return functions;
}

void add_elements(const llvm::Function& kernel, const llvm::Function& function,
                  const TargetInfo& target, ElementCounts& counts) {
  const auto register_bits = target.vector_bits;
  const auto params = work_item_params(const_cast<llvm::Function&>(kernel));
  const auto volatiles = find_volatiles(function);
  for (const auto& instruction : llvm::instructions(function)) {
    // A large copy, as of a pipe's packet, fills registers in scalar code; vectorized, each of its
    // elements is a gather and a scatter.
    if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction)) {
      const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
      if (bytes != nullptr && bytes->getZExtValue() * 8 >= register_bits) {
        const auto weight =
            static_cast<unsigned>(std::min<std::uint64_t>(bytes->getZExtValue() / 2, 1 << 16));
        counts.all += weight;
        counts.full_vectors += weight;
      }
      continue;
    }
    const auto* type = data_type(instruction, params);
    if (type == nullptr || type->getScalarType()->isPointerTy())
      continue;
    const unsigned bits = element_bits(instruction, *type, target);
    if (bits < 8 || bits > 64)
      continue;
    const bool is_memory = llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction);
    const unsigned weight = is_memory ? 2 : 1;
    counts.by_bits[bits] += weight;
    counts.all += weight;
    if (is_memory && !volatiles.empty() &&
        volatiles.contains(
            llvm::getUnderlyingObject(llvm::getLoadStorePointerOperand(&instruction))))
      counts.in_volatiles += weight;
    if (bits == 32 && llvm::isa<llvm::BinaryOperator>(instruction) && type->isIntOrIntVectorTy())
      counts.index_arithmetic += weight;
    if (bits == 16 && type->isFPOrFPVectorTy())
      counts.halves += weight;
    if (type->isVectorTy() && type->getPrimitiveSizeInBits().getFixedValue() * 2 >= register_bits)
      counts.full_vectors += weight;
  }
}

ElementCounts count_elements(const llvm::Function& kernel, const TargetInfo& target) {
  ElementCounts counts;
  for (const auto* function : functions_of_lanes(kernel))
    add_elements(kernel, *function, target, counts);
  return counts;
}

unsigned common_element_bits(const ElementCounts& counts) {
  const auto* by_bits = counts.by_bits;
  const auto wide = by_bits[64], normal = by_bits[32], narrow = by_bits[16] + by_bits[8];
  if (wide > normal + narrow)
    return 64;
  // Kernels on halves calculate indices in ints, most of which are uniform or affine: with 32 lanes
  // (AVX-512) a matrix product takes half as long as with 16.
  if (counts.halves > normal - counts.index_arithmetic)
    return 16;
  return normal * 4 >= narrow || narrow == 0 ? 32 : 16;
}

// Estimate of the machine instructions of the vector code.
std::uint64_t estimate_size(const llvm::Function& kernel, unsigned width, unsigned register_bits) {
  std::uint64_t size = 0;
  for (const auto* function : functions_of_lanes(kernel))
    for (const auto& instruction : llvm::instructions(*function)) {
      auto* type = instruction.getType();
      const auto bits = std::max(type->getScalarSizeInBits(), 8U);
      const auto each = (std::uint64_t{width} * bits + register_bits - 1) / register_bits;
      size += component_count(type) * each;
    }
  return size;
}

// Whether the vector types of a kernel that is vectorized by hand may become components of lanes.
// Private arrays are laid out for one width, and copies and atomics gain nothing.
bool may_split_vectors(const llvm::Function& kernel) {
  return llvm::none_of(llvm::instructions(kernel), [](const llvm::Instruction& instruction) {
    return llvm::isa<llvm::AllocaInst, llvm::MemTransferInst>(instruction) ||
           instruction.isAtomic() || instruction.isVolatile() || is_barrier(instruction);
  });
}

// Whether the kernel has loops, or blocks of which the CPU does not execute two work-items at once.
bool has_long_code(const llvm::Function& kernel) {
  constexpr std::size_t kLongBlock = 256;
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, 8> back_edges;
  llvm::FindFunctionBackedges(kernel, back_edges);
  return !back_edges.empty() || llvm::any_of(kernel, [](const llvm::BasicBlock& block) {
    return block.size() > kLongBlock;
  });
}

// Vector code with more instructions or blocks would take too long to compile.
constexpr std::uint64_t kMaxVectorInstructions = 40'000;
constexpr std::size_t kMaxBlocks = 3'000;
// The same for more lanes than fill a register, which only a user, a comparison of widths or the
// use of sub-groups asks for: builds take a second for each 1,000.
constexpr std::uint64_t kMaxRequestedInstructions = 4'000;
// The same for kernels that are vectorized by hand, whose scalar code is small.
constexpr std::uint64_t kMaxSplitInstructions = 10'000;

std::size_t count_blocks(const llvm::Function& kernel) {
  std::size_t blocks = kernel.size();
  for (const auto& block : kernel)
    if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator()))
      blocks += choice->getNumCases(); // LowerSwitch makes a block for each
  return blocks;
}

// Sub-groups that programs written for graphics processors take for granted. Kernels that use
// sub-groups take 0.97 of the time that they take with as many lanes as fill registers (AVX-512;
// 0.83 with AVX2; geometric means of 30).
constexpr unsigned kExpectedSubGroup = 32;

bool is_too_long(const llvm::Function& kernel, unsigned register_bits, unsigned width) {
  return estimate_size(kernel, width, register_bits) >
         (width > register_bits / 32 ? kMaxRequestedInstructions : kMaxVectorInstructions);
}

// As many of the lanes that a user or a comparison of widths asks for as do not take too long to
// compile. What programs see of sub-groups is the same in all units, whose code differs.
WidthChoice limit_requested(const llvm::Function& kernel, unsigned register_bits, unsigned width) {
  WidthChoice choice{width, "HEDDLE_WIDTH requests it", true};
  if (calls_subgroup_intrinsics(kernel))
    return choice;
  const auto size = estimate_size(kernel, width, register_bits);
  while (choice.width > 1 && is_too_long(kernel, register_bits, choice.width))
    choice.width /= 2;
  if (choice.width < width)
    choice.reason = too_long_to_compile(size, "instructions", width);
  if (const auto blocks = count_blocks(kernel); width > 1 && blocks > kMaxBlocks) {
    choice.width = 1;
    choice.reason = too_long_to_compile(blocks, "blocks", width);
  }
  return choice;
}

} // namespace

std::string too_long_to_compile(std::uint64_t count, const char* of_what, unsigned requested) {
  const auto width =
      requested == 0 ? std::string()
                     : "with the " + std::to_string(requested) + " that HEDDLE_WIDTH requests, ";
  return width + "its vector code of about " + std::to_string(count) + " " + of_what +
         " would take too long to compile";
}

WidthChoice choose_width(const llvm::Function& kernel, const TargetInfo& target,
                         unsigned requested) {
  if (const auto* node = kernel.getMetadata("intel_reqd_sub_group_size"))
    if (const auto* number = llvm::mdconst::dyn_extract<llvm::ConstantInt>(node->getOperand(0)))
      return {std::min(llvm::bit_floor(static_cast<unsigned>(number->getZExtValue())), kMaxWidth),
              "the kernel's intel_reqd_sub_group_size requires it", true, true};
  const auto bits = target.vector_bits;
  if (requested != 0)
    return limit_requested(kernel, bits, std::min(llvm::bit_floor(requested), kMaxWidth));
  if (uses_sub_groups(kernel) && !is_too_long(kernel, bits, kExpectedSubGroup) &&
      count_blocks(kernel) <= kMaxBlocks)
    return {kExpectedSubGroup, "it uses sub-groups and requires no size of them", true, true};
  const auto counts = count_elements(kernel, target);
  const bool has_own_vectors = counts.full_vectors * 2 > counts.all;
  if (has_own_vectors && (!has_long_code(kernel) || !may_split_vectors(kernel)))
    return {1, kVectorizedByHand};
  if (counts.in_volatiles * 3 > counts.all)
    return {1, "much of its data is in volatile private variables, accessed lane by lane"};
  const auto element = common_element_bits(counts);
  const auto width = std::clamp(bits / element, 2U, kMaxWidth);
  const auto size = estimate_size(kernel, width, bits);
  if (has_own_vectors && size > kMaxSplitInstructions)
    return {1, kVectorizedByHand};
  if (size > kMaxVectorInstructions)
    return {1, too_long_to_compile(size, "instructions"), false, true};
  if (const auto blocks = count_blocks(kernel); blocks > kMaxBlocks)
    return {1, too_long_to_compile(blocks, "blocks"), false, true};
  return {width,
          "its data is mostly of " + std::to_string(element) + " bits, and registers are of " +
              std::to_string(bits),
          false, false, has_own_vectors};
}

} // namespace heddle::compiler
