// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/x86/shuffle_overlapping_loads.h"

#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <map>
#include <numeric>

namespace heddle::compiler {
namespace {

constexpr std::int64_t kRegister = 64; // bytes
constexpr int kMinLoads = 8;           // loads from the first to the one before the last
constexpr unsigned kMaxRegisters = 2;  // of a load
constexpr unsigned kMaxLoads = 64;     // of a run: looking for pairs takes their square

struct Place {
  llvm::LoadInst* load;
  std::int64_t at; // bytes from the group's first load
};

// Loads of one type with constant distances.
using Group = llvm::SmallVector<Place, 8>;

llvm::Type* element_of(const llvm::LoadInst& load) {
  return llvm::cast<llvm::FixedVectorType>(load.getType())->getElementType();
}

std::int64_t bytes_of(const llvm::LoadInst& load) {
  return std::int64_t(load.getDataLayout().getTypeStoreSize(load.getType()));
}

bool suits(const llvm::LoadInst& load) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(load.getType());
  if (type == nullptr || !load.isSimple() || load.hasMetadata(llvm::LLVMContext::MD_nontemporal))
    return false;
  const auto bits = type->getScalarSizeInBits();
  const auto bytes = bytes_of(load);
  return (bits == 32 || bits == 64) && !type->getElementType()->isPointerTy() &&
         bytes % kRegister == 0 && bytes / kRegister <= kMaxRegisters;
}

// Adds the load to the first run with a constant distance.
void add(llvm::SmallVectorImpl<Group>& groups, llvm::LoadInst& load, llvm::ScalarEvolution& scev) {
  auto* byte = llvm::Type::getInt8Ty(load.getContext());
  for (auto& group : groups) {
    auto* first = group.front().load;
    if (element_of(*first) != element_of(load))
      continue;
    const auto distance =
        llvm::getPointersDiff(byte, first->getPointerOperand(), byte, load.getPointerOperand(),
                              load.getDataLayout(), scev, true, false);
    const auto element = std::int64_t(load.getType()->getScalarSizeInBits() / 8);
    if (distance && *distance % element == 0) {
      group.push_back({&load, *distance});
      return;
    }
  }
  groups.push_back({{&load, 0}});
}

// The vectors in registers, by offset.
struct Register {
  llvm::Value* value = nullptr;
  std::int64_t below = 0, above = 0; // if not loaded: the neighbors that are
  bool is_loaded = true;
};
using Registers = std::map<std::int64_t, Register>;

Registers registers_of(const Group& group) {
  Registers registers;
  for (const auto& place : group)
    for (std::int64_t part = 0; part < bytes_of(*place.load); part += kRegister)
      registers[place.at + part] = {};
  return registers;
}

// Chooses the loads that stay: from each one, the farthest that leaves no gap, and every second of
// those in between. Shuffles compete with arithmetic: shuffling all of them, or only a few, was
// slower than loading.
unsigned leave_out(Registers& registers) {
  unsigned left_out = 0;
  for (auto below = registers.begin(); below != registers.end();) {
    auto above = std::prev(registers.upper_bound(below->first + kRegister));
    const auto distance = std::distance(below, above);
    if (distance >= kMinLoads)
      for (int i = 1; i < distance; i += 2) {
        std::next(below, i)->second = {nullptr, below->first, above->first, false};
        ++left_out;
      }
    below = above == below ? std::next(below) : above;
  }
  return left_out;
}

// The elements of `below` from an offset to its end, followed by those of `above`.
llvm::Value* put_together(llvm::IRBuilder<>& builder, const Registers& registers, std::int64_t at,
                          std::int64_t element) {
  const auto& wanted = registers.at(at);
  const auto length = int(kRegister / element);
  const auto shift = int((at - wanted.below) / element);
  const auto distance = int((wanted.above - wanted.below) / element);
  llvm::SmallVector<int, 16> elements;
  for (int i = shift; i < shift + length; ++i)
    elements.push_back(i < length ? i : length + i - distance);
  return builder.CreateShuffleVector(registers.at(wanted.below).value,
                                     registers.at(wanted.above).value, elements);
}

void rewrite(const Group& group) {
  auto registers = registers_of(group);
  if (leave_out(registers) == 0)
    return;
  auto* first = group.front().load; // nothing between it and the others writes
  auto* scalar = element_of(*first);
  const auto element = std::int64_t(scalar->getPrimitiveSizeInBits() / 8);
  // Code generation has rotations of two registers (valign) for integers only; for other types it
  // would load the indices of a permutation.
  auto* integer = llvm::IntegerType::get(scalar->getContext(), scalar->getPrimitiveSizeInBits());
  auto* type = llvm::FixedVectorType::get(integer, unsigned(kRegister / element));
  llvm::IRBuilder<> builder(first);
  auto align = first->getAlign();
  for (const auto& place : group)
    align = std::min(align, place.load->getAlign());
  for (auto& [at, part] : registers)
    if (part.is_loaded)
      part.value = builder.CreateAlignedLoad(
          type,
          builder.CreatePtrAdd(first->getPointerOperand(), builder.getInt64(std::uint64_t(at))),
          align);
  for (auto& [at, part] : registers)
    if (!part.is_loaded)
      part.value = put_together(builder, registers, at, element);
  for (const auto& place : group) {
    auto* value = registers.at(place.at).value;
    if (bytes_of(*place.load) > kRegister) {
      llvm::SmallVector<int, 32> all(std::size_t(2 * kRegister / element));
      std::iota(all.begin(), all.end(), 0);
      value = builder.CreateShuffleVector(value, registers.at(place.at + kRegister).value, all);
    }
    value = builder.CreateBitCast(value, place.load->getType());
    value->takeName(place.load);
    place.load->replaceAllUsesWith(value);
  }
  for (const auto& place : group)
    place.load->eraseFromParent();
}

// Runs of loads in a block without writes between them.
llvm::SmallVector<llvm::SmallVector<llvm::LoadInst*, 8>, 4> runs_of(llvm::Function& function) {
  llvm::SmallVector<llvm::SmallVector<llvm::LoadInst*, 8>, 4> runs;
  for (auto& block : function) {
    runs.emplace_back();
    for (auto& instruction : block) {
      if (instruction.mayHaveSideEffects() || runs.back().size() == kMaxLoads)
        runs.emplace_back();
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
          load != nullptr && suits(*load))
        runs.back().push_back(load);
    }
  }
  llvm::erase_if(runs, [](const auto& run) { return run.size() < 2; });
  return runs;
}

} // namespace

llvm::PreservedAnalyses ShuffleOverlappingLoadsPass::run(llvm::Function& function,
                                                         llvm::FunctionAnalysisManager& analyses) {
  const auto runs = runs_of(function);
  if (runs.empty())
    return llvm::PreservedAnalyses::all();
  auto& scev = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (const auto& run : runs) {
    llvm::SmallVector<Group, 8> groups;
    for (auto* load : run)
      add(groups, *load, scev);
    for (const auto& group : groups)
      rewrite(group);
  }
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

} // namespace heddle::compiler
