#include "compiler/async_copy/strided_copy_kernels.h"

#include "compiler/ir/prefetch.h"
#include "llvm/ADT/bit.h"

namespace heddle::compiler {
namespace {

// A store under a mask asks for its line only when nothing before it can fail; without help copies
// to memory that is in no cache take half as long again.
constexpr std::uint64_t kFetchedAhead = 512; // bytes

// How many elements' bytes a known step is; 0: it is not known, or no such number.
unsigned distance_of(const llvm::Value* step, unsigned size) {
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(step);
  if (known == nullptr || known->getValue().ugt(1024) || known->getZExtValue() % size != 0)
    return 0;
  return static_cast<unsigned>(known->getZExtValue()) / size;
}

} // namespace

bool collects(const TargetInfo& target, unsigned size, const llvm::Value* step) {
  const auto distance = distance_of(step, size);
  const unsigned most = size == 1 ? 22 : 10;
  return distance > 1 && distance <= most && target.has_masked_permute(size);
}

// Whole vectors of memory have their elements in lanes a power of two apart. Those of as many of
// them as the distance's odd part is lie in different ones, and are blended; such a group has a
// part of the elements, in an order of its own.
llvm::Value* collect(llvm::IRBuilder<>& builder, const llvm::CallInst& call, unsigned size) {
  auto* type = llvm::cast<llvm::FixedVectorType>(call.getType());
  const auto distance = distance_of(call.getArgOperand(1), size);
  if (distance == 0) // never comes here
    return llvm::PoisonValue::get(type);
  const auto lanes = type->getNumElements();
  const auto groups = 1U << std::min(llvm::countr_zero(distance), llvm::countr_zero(lanes));
  const auto vectors = distance / groups, elements = lanes / groups; // of each group
  const auto load = [&](unsigned vector) {
    auto* from = builder.CreateConstGEP1_64(builder.getInt8Ty(), call.getArgOperand(0),
                                            std::uint64_t{vector} * lanes * size);
    return builder.CreateAlignedLoad(type, from, llvm::Align(1));
  };
  llvm::Value* all = nullptr;
  for (unsigned group = 0; group < groups; ++group) {
    llvm::Value* blended = load(group * vectors);
    for (unsigned vector = 1; vector < vectors; ++vector) {
      llvm::SmallVector<llvm::Constant*, 64> mask(lanes, builder.getFalse());
      for (unsigned at = 0; at < elements * distance; at += distance)
        if (at / lanes == vector)
          mask[at % lanes] = builder.getTrue();
      blended = builder.CreateSelect(llvm::ConstantVector::get(mask),
                                     load(group * vectors + vector), blended);
    }
    llvm::SmallVector<int, 64> order(lanes, llvm::PoisonMaskElem);
    for (unsigned element = 0; element < group * elements; ++element)
      order[element] = static_cast<int>(element);
    for (unsigned element = 0; element < elements; ++element)
      order[group * elements + element] =
          static_cast<int>(element * distance % lanes + (group == 0 ? 0 : lanes));
    all = group == 0 ? builder.CreateShuffleVector(blended, order)
                     : builder.CreateShuffleVector(all, blended, order);
  }
  return all;
}

bool spreads(const TargetInfo& target, unsigned size, const llvm::Value* step) {
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(step);
  return known != nullptr && known->getValue().ugt(size) &&
         known->getValue().ule(size == 1  ? 16
                               : size < 8 ? 32
                                          : 47) &&
         target.has_masked_permute(size);
}

llvm::Value* spread(llvm::IRBuilder<>& builder, const llvm::CallInst& call, unsigned size) {
  auto* values = call.getArgOperand(2);
  auto* type = llvm::cast<llvm::FixedVectorType>(values->getType());
  const auto* step = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
  if (step == nullptr) // never comes here
    return nullptr;
  const auto lanes = type->getNumElements();
  const auto distance = static_cast<unsigned>(step->getZExtValue()) / size;
  for (unsigned vector = 0; vector < distance; ++vector) {
    llvm::SmallVector<int, 64> order(lanes, llvm::PoisonMaskElem);
    llvm::SmallVector<llvm::Constant*, 64> mask(lanes, builder.getFalse());
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const auto at = vector * lanes + lane;
      if (at % distance != 0)
        continue;
      order[lane] = static_cast<int>(at / distance);
      mask[lane] = builder.getTrue();
    }
    const auto at_byte = std::uint64_t{vector} * lanes * size;
    const auto place_at = [&](std::uint64_t offset) {
      return builder.CreateConstGEP1_64(builder.getInt8Ty(), call.getArgOperand(0), offset);
    };
    auto* place = place_at(at_byte);
    prefetch(builder, place_at(at_byte + kFetchedAhead), Prefetch::to_write);
    builder.CreateMaskedStore(builder.CreateShuffleVector(values, order), place, llvm::Align(1),
                              llvm::ConstantVector::get(mask));
  }
  return nullptr;
}

} // namespace heddle::compiler
