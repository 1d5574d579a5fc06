// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/instructions.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace heddle::compiler::target_instructions {
namespace {

// Of the two floats around a result that is not exact, whose last bits differ, the odd one.
llvm::Value* odd_fma_of_one_register(llvm::IRBuilderBase& builder, llvm::Value* a, llvm::Value* b,
                                     llvm::Value* c) {
  constexpr unsigned kDown = 9, kUp = 10; // _MM_FROUND_TO_NEG_INF, _TO_POS_INF | _NO_EXC
  const auto id = a->getType()->isVectorTy() ? llvm::Intrinsic::x86_avx512_vfmadd_ps_512
                                             : llvm::Intrinsic::x86_avx512_vfmadd_f32;
  const auto rounded = [&](unsigned how) {
    return builder.CreateIntrinsic(id, {}, {a, b, c, builder.getInt32(how)});
  };
  auto* down = rounded(kDown);
  auto* up = rounded(kUp); // also the right one of two zeros
  auto* words = a->getType()->getWithNewType(builder.getInt32Ty());
  auto* last =
      builder.CreateAnd(builder.CreateBitCast(down, words), llvm::ConstantInt::get(words, 1));
  return builder.CreateSelect(builder.CreateICmpNE(last, llvm::ConstantInt::get(words, 0)), down,
                              up);
}

} // namespace

// With AVX-512's instructions that round in a given direction: a third of the time.
llvm::Value* odd_fma_of_halves(llvm::IRBuilderBase& builder, llvm::Value* a, llvm::Value* b,
                               llvm::Value* c) {
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(a->getType());
  if (type == nullptr)
    return odd_fma_of_one_register(builder, a, b, c);
  constexpr unsigned kLanes = 16; // rounding modes are for whole registers
  const unsigned width = type->getNumElements();
  llvm::SmallVector<llvm::Value*, 4> parts;
  for (unsigned first = 0; first < width; first += kLanes) {
    const unsigned used = std::min(kLanes, width - first);
    const auto mask = llvm::createSequentialMask(first, used, kLanes - used);
    const auto part = [&](llvm::Value* all) {
      return width == kLanes ? all : builder.CreateShuffleVector(all, mask);
    };
    parts.push_back(odd_fma_of_one_register(builder, part(a), part(b), part(c)));
  }
  auto* all = llvm::concatenateVectors(builder, parts);
  return width % kLanes == 0
             ? all
             : builder.CreateShuffleVector(all, llvm::createSequentialMask(0, width, 0));
}

} // namespace heddle::compiler::target_instructions
