// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/async_copy/strided_copy_kernels.h"

#include "compiler/ir/prefetch.h"
#include "llvm/ADT/bit.h"

namespace heddle::compiler {
namespace {

// A masked store requests its line only when nothing before it can fault: without prefetching,
// copies to memory that is not cached take 1.5 times as long.
constexpr std::uint64_t kAheadBytes = 512; // bytes

// A constant stride in elements; 0: it is not constant, or not a multiple of the size.
unsigned stride_in_elements(const llvm::Value* stride, unsigned size) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(stride);
  if (constant == nullptr || constant->getValue().ugt(1024) || constant->getZExtValue() % size != 0)
    return 0;
  return static_cast<unsigned>(constant->getZExtValue()) / size;
}

} // namespace

bool can_load_by_blends(const TargetInfo& target, unsigned size, const llvm::Value* stride) {
  const auto distance = stride_in_elements(stride, size);
  const unsigned max = size == 1 ? 22 : 10;
  return distance > 1 && distance <= max && target.has_masked_permute(size);
}

// With a stride of groups * vectors elements, where `groups` is a power of two and `vectors` is
// odd, the elements of `vectors` consecutive vectors of memory are in different lanes: the vectors
// are blended into one, which has the elements of one group in a permuted order. A shuffle adds
// them to the result.
llvm::Value* emit_load_by_blends(llvm::IRBuilder<>& builder, const llvm::CallInst& call,
                                 unsigned size) {
  auto* type = llvm::cast<llvm::FixedVectorType>(call.getType());
  const auto distance = stride_in_elements(call.getArgOperand(1), size);
  if (distance == 0) // in dead code
    return llvm::PoisonValue::get(type);
  const auto lanes = type->getNumElements();
  const auto groups = 1U << std::min(llvm::countr_zero(distance), llvm::countr_zero(lanes));
  const auto vectors = distance / groups, elements = lanes / groups; // of each group
  const auto load = [&](unsigned vector) {
    auto* from = builder.CreateConstGEP1_64(builder.getInt8Ty(), call.getArgOperand(0),
                                            std::uint64_t{vector} * lanes * size);
    return builder.CreateAlignedLoad(type, from, llvm::Align(1));
  };
  llvm::Value* result = nullptr;
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
    result = group == 0 ? builder.CreateShuffleVector(blended, order)
                        : builder.CreateShuffleVector(result, blended, order);
  }
  return result;
}

bool can_store_by_shuffles(const TargetInfo& target, unsigned size, const llvm::Value* stride) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(stride);
  return constant != nullptr && constant->getValue().ugt(size) &&
         constant->getValue().ule(size == 1  ? 16
                                  : size < 8 ? 32
                                             : 47) &&
         target.has_masked_permute(size);
}

// Each vector of memory gets a store of the elements that are in it; the other lanes are masked
// off.
llvm::Value* emit_store_by_shuffles(llvm::IRBuilder<>& builder, const llvm::CallInst& call,
                                    unsigned size) {
  auto* values = call.getArgOperand(2);
  auto* type = llvm::cast<llvm::FixedVectorType>(values->getType());
  const auto* stride = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
  if (stride == nullptr) // in dead code
    return nullptr;
  const auto lanes = type->getNumElements();
  const auto distance = static_cast<unsigned>(stride->getZExtValue()) / size;
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
    const auto offset_of_vector = std::uint64_t{vector} * lanes * size;
    const auto address_at = [&](std::uint64_t offset) {
      return builder.CreateConstGEP1_64(builder.getInt8Ty(), call.getArgOperand(0), offset);
    };
    auto* address = address_at(offset_of_vector);
    prefetch(builder, address_at(offset_of_vector + kAheadBytes), Prefetch::to_write);
    builder.CreateMaskedStore(builder.CreateShuffleVector(values, order), address, llvm::Align(1),
                              llvm::ConstantVector::get(mask));
  }
  return nullptr;
}

} // namespace heddle::compiler
