// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/permute_lanes.h"

#include "compiler/vectorize/emit/lane_shuffles.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicsX86.h"

#include <algorithm>

namespace heddle::compiler {
namespace {

namespace intrinsic = llvm::Intrinsic;
using Parts = llvm::SmallVector<llvm::Value*, 16>;

constexpr unsigned kPermutedBits = 32;

unsigned count_of(const llvm::Value& vector) {
  return llvm::cast<llvm::FixedVectorType>(vector.getType())->getNumElements();
}

// Permutes words of 32 bits in vectors of several registers.
class WordPermuter {
 public:
  WordPermuter(llvm::IRBuilderBase& builder, llvm::Value* index, bool has_avx512)
      : builder_(builder), has_avx512_(has_avx512), lanes_(has_avx512 ? 16 : 8),
        index_(parts_of(index)) {}

  llvm::Value* permute(llvm::Value* words) {
    const auto sources = parts_of(words);
    Parts results;
    for (auto* index : index_)
      results.push_back(pick(sources, index));
    auto* result = results.front();
    if (results.size() > 1)
      result = concatenate(results);
    return result;
  }

 private:
  Parts parts_of(llvm::Value* vector) {
    Parts parts;
    for (unsigned first = 0; first < count_of(*vector); first += lanes_)
      parts.push_back(extract_subvector(builder_, vector, first, lanes_));
    return parts;
  }

  llvm::Value* concatenate(Parts parts) {
    for (; parts.size() > 1; parts.resize(parts.size() / 2))
      for (unsigned i = 0; i < parts.size() / 2; ++i) {
        const auto count = static_cast<int>(2 * count_of(*parts[2 * i]));
        llvm::SmallVector<int, 64> order;
        for (int lane = 0; lane < count; ++lane)
          order.push_back(lane);
        parts[i] = builder_.CreateShuffleVector(parts[2 * i], parts[2 * i + 1], order);
      }
    return parts.front();
  }

  // For each index of a register, the word of the sources: each bit of it decides between halves.
  llvm::Value* pick(const Parts& sources, llvm::Value* index) {
    Parts found;
    auto bit = static_cast<unsigned>(llvm::countr_zero(lanes_));
    if (has_avx512_ && sources.size() > 1) { // one instruction for two registers
      for (unsigned i = 0; i < sources.size(); i += 2)
        found.push_back(builder_.CreateIntrinsic(intrinsic::x86_avx512_vpermi2var_d_512, {},
                                                 {sources[i], index, sources[i + 1]}));
      ++bit;
    } else {
      for (auto* source : sources)
        found.push_back(
            has_avx512_ ? builder_.CreateIntrinsic(intrinsic::x86_avx512_permvar_si_512, {},
                                                   {source, index})
                        : builder_.CreateIntrinsic(intrinsic::x86_avx2_permd, {}, {source, index}));
    }
    for (; found.size() > 1; found.resize(found.size() / 2), ++bit) {
      auto* in_sign = builder_.CreateShl(index, kPermutedBits - 1 - bit);
      auto* is_upper =
          builder_.CreateICmpSLT(in_sign, llvm::Constant::getNullValue(in_sign->getType()));
      for (unsigned i = 0; i < found.size() / 2; ++i)
        found[i] = builder_.CreateSelect(is_upper, found[2 * i + 1], found[2 * i]);
    }
    return found.front();
  }

  llvm::IRBuilderBase& builder_;
  const bool has_avx512_;
  const unsigned lanes_; // of a register
  const Parts index_;
};

// Code generation matches this pattern and selects a variable permutation where the CPU has one for
// vectors of one register.
llvm::Value* permute_one_by_one(llvm::IRBuilderBase& builder, llvm::Value* values,
                                llvm::Value* index) {
  llvm::Value* result = llvm::PoisonValue::get(values->getType());
  for (unsigned i = 0; i < count_of(*values); ++i)
    result = builder.CreateInsertElement(
        result, builder.CreateExtractElement(values, builder.CreateExtractElement(index, i)), i);
  return result;
}

} // namespace

llvm::Value* permute_lanes(llvm::IRBuilderBase& builder, llvm::Value* values, llvm::Value* index,
                           const VectorPlan& plan) {
  auto* type = llvm::cast<llvm::FixedVectorType>(values->getType());
  const auto count = type->getNumElements();
  const auto bits = type->getScalarSizeInBits();
  index = builder.CreateAnd(index, llvm::ConstantInt::get(index->getType(), count - 1));
  const unsigned register_bits = plan.has_gathers ? 512 : 256;
  if (!plan.has_masked_accesses || count * std::max(bits, kPermutedBits) <= register_bits)
    return permute_one_by_one(builder, values, index);
  WordPermuter permuter(builder, index, plan.has_gathers);
  auto* words = llvm::FixedVectorType::get(builder.getInt32Ty(), count);
  if (bits == kPermutedBits)
    return builder.CreateBitCast(permuter.permute(builder.CreateBitCast(values, words)), type);
  auto* integers = llvm::FixedVectorType::get(builder.getIntNTy(bits), count);
  if (bits < kPermutedBits) {
    auto* wide = builder.CreateZExt(builder.CreateBitCast(values, integers), words);
    return builder.CreateBitCast(builder.CreateTrunc(permuter.permute(wide), integers), type);
  }
  auto* both =
      builder.CreateBitCast(values, llvm::FixedVectorType::get(builder.getInt32Ty(), count * 2));
  auto* low = permuter.permute(deinterleave(builder, both, count, 2, 0));
  auto* high = permuter.permute(deinterleave(builder, both, count, 2, 1));
  return builder.CreateBitCast(interleave_pair(builder, low, high), type);
}

} // namespace heddle::compiler
