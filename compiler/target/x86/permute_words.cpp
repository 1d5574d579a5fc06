// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/instructions.h"
#include "compiler/vectorize/emit/lane_shuffles.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace heddle::compiler::target_instructions {
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

} // namespace

llvm::Value* permute_words(llvm::IRBuilderBase& builder, llvm::Value* words, llvm::Value* index,
                           const LanePermutes& permutes) {
  return WordPermuter(builder, index, permutes.register_bits == 512).permute(words);
}

} // namespace heddle::compiler::target_instructions
