// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/x86/round_byte_fractions.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

namespace heddle::compiler {
namespace {

using namespace llvm::PatternMatch;

constexpr unsigned kByteLanes = 16; // of a register: only its operations have a rounding mode
constexpr unsigned kUpward = 10;    // and without exceptions

bool is_splat(const llvm::Value& value, double expected) {
  const llvm::APFloat* number = nullptr;
  return match(&value, m_APFloat(number)) && number->convertToDouble() == expected;
}

// Bytes of 32-bit elements: the ones with this number, from the least significant one.
struct Bytes {
  llvm::Value* words = nullptr;
  unsigned number = 0;
};

// The bytes that are extracted; no words: it is something else, as bytes that are loaded as such.
Bytes extracted(llvm::Value& value) {
  Bytes bytes;
  if (match(&value, m_LShr(m_Value(bytes.words), m_SpecificInt(24))))
    return {bytes.words, 3};
  if (!match(&value, m_And(m_Value(bytes.words), m_SpecificInt(0xff))))
    return {};
  for (const unsigned number : {1U, 2U})
    if (llvm::Value* shifted = nullptr;
        match(bytes.words, m_LShr(m_Value(shifted), m_SpecificInt(8 * number))))
      return {shifted, number};
  return bytes;
}

// The bytes of which it is the fractions.
Bytes bytes_of(const llvm::Instruction& sum) {
  llvm::Value *a = nullptr, *b = nullptr, *large = nullptr, *small = nullptr, *value = nullptr;
  if (!match(&sum, m_FAdd(m_FMul(m_Value(a), m_Value(large)), m_FMul(m_Value(b), m_Value(small)))))
    return {};
  if (is_splat(*small, 0x1p-8))
    std::swap(large, small);
  if (a != b || !is_splat(*large, 0x1p-8) || !is_splat(*small, 0x1.010102p-16) ||
      !match(a, m_CombineOr(m_UIToFP(m_Value(value)), m_SIToFP(m_Value(value)))))
    return {};
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  if (type == nullptr || !type->getElementType()->isIntegerTy(32) ||
      type->getNumElements() % kByteLanes != 0)
    return {};
  return extracted(*value);
}

// A register's fractions: the bytes twice, as 16 bits, by a shuffle.
llvm::Value* fractions(llvm::IRBuilder<>& builder, llvm::Value& words, unsigned number) {
  constexpr int kZero = 4 * kByteLanes;
  llvm::SmallVector<int, 4 * kByteLanes> twice;
  for (int byte = int(number); byte < kZero; byte += 4)
    twice.append({byte, byte, kZero, kZero});
  auto* type = llvm::FixedVectorType::get(builder.getInt8Ty(), 4 * kByteLanes);
  auto* shuffled = builder.CreateShuffleVector(builder.CreateBitCast(&words, type),
                                               llvm::Constant::getNullValue(type), twice);
  auto* floats = llvm::FixedVectorType::get(builder.getFloatTy(), kByteLanes);
  auto* numbers = builder.CreateSIToFP(builder.CreateBitCast(shuffled, words.getType()), floats);
  return builder.CreateIntrinsic(
      llvm::Intrinsic::x86_avx512_mul_ps_512,
      {numbers, llvm::ConstantFP::get(floats, 0x1.0001p-16), builder.getInt32(kUpward)});
}

llvm::Value* fractions(llvm::IRBuilder<>& builder, const Bytes& bytes) {
  const auto count = llvm::cast<llvm::FixedVectorType>(bytes.words->getType())->getNumElements();
  llvm::SmallVector<llvm::Value*, 4> pieces;
  for (unsigned at = 0; at < count; at += kByteLanes) {
    const auto lanes = llvm::to_vector(llvm::seq<int>(int(at), int(at + kByteLanes)));
    auto* words =
        count == kByteLanes ? bytes.words : builder.CreateShuffleVector(bytes.words, lanes);
    pieces.push_back(fractions(builder, *words, bytes.number));
  }
  return llvm::concatenateVectors(builder, pieces);
}

} // namespace

llvm::PreservedAnalyses RoundByteFractionsPass::run(llvm::Function& function,
                                                    llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::WeakTrackingVH, 32> dead;
  for (auto& instruction : llvm::instructions(function))
    if (instruction.getOpcode() == llvm::Instruction::FAdd)
      if (const auto bytes = bytes_of(instruction); bytes.words != nullptr) {
        llvm::IRBuilder<> builder(&instruction);
        instruction.replaceAllUsesWith(fractions(builder, bytes));
        dead.emplace_back(&instruction);
      }
  if (dead.empty())
    return llvm::PreservedAnalyses::all();
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

} // namespace heddle::compiler
