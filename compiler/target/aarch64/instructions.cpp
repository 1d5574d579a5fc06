// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/instructions.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsAArch64.h"

namespace heddle::compiler::target_instructions {
namespace {

constexpr unsigned kBytes = 16;       // of a register
constexpr unsigned kMaxRegisters = 4; // that TBL takes
constexpr llvm::Intrinsic::ID kLookup[kMaxRegisters] = {
    llvm::Intrinsic::aarch64_neon_tbl1, llvm::Intrinsic::aarch64_neon_tbl2,
    llvm::Intrinsic::aarch64_neon_tbl3, llvm::Intrinsic::aarch64_neon_tbl4};

using Registers = llvm::SmallVector<llvm::Value*, 16>;

// A vector in registers of bytes; what is missing in the last one is undefined.
Registers registers_of(llvm::IRBuilderBase& builder, llvm::Value* bytes) {
  const auto count = llvm::cast<llvm::FixedVectorType>(bytes->getType())->getNumElements();
  Registers registers;
  for (unsigned first = 0; first < count; first += kBytes) {
    llvm::SmallVector<int, kBytes> picked;
    for (unsigned i = first; i < first + kBytes; ++i)
      picked.push_back(i < count ? static_cast<int>(i) : llvm::PoisonMaskElem);
    registers.push_back(builder.CreateShuffleVector(bytes, picked));
  }
  return registers;
}

// The bytes of `table` that the numbers of a register name. TBL gives zeros for numbers outside of
// the table, so that tables of many registers are looked up in parts.
llvm::Value* look_up(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> table,
                     llvm::Value* numbers) {
  llvm::Value* found = nullptr;
  for (unsigned first = 0; first < table.size(); first += kMaxRegisters) {
    const auto part =
        table.slice(first, std::min<std::size_t>(kMaxRegisters, table.size() - first));
    Registers operands(part);
    operands.push_back(builder.CreateSub(
        numbers, llvm::ConstantInt::get(numbers->getType(), std::uint64_t{first} * kBytes)));
    auto* of_part =
        builder.CreateIntrinsic(kLookup[part.size() - 1], {numbers->getType()}, operands);
    found = found == nullptr ? of_part : builder.CreateOr(found, of_part);
  }
  return found;
}

// As many of the vector's elements as `type` has.
llvm::Value* first_elements(llvm::IRBuilderBase& builder, llvm::Value* vector, llvm::Type* type) {
  const auto count = llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
  return builder.CreateShuffleVector(vector, llvm::createSequentialMask(0, count, /*NumUndefs=*/0));
}

// The vector in parts of `count` elements, the last of which has what is missing undefined.
Registers parts_of(llvm::IRBuilderBase& builder, llvm::Value* vector, unsigned count) {
  const auto all = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
  Registers parts;
  for (unsigned first = 0; first < all; first += count) {
    const auto known = std::min(count, all - first);
    parts.push_back(builder.CreateShuffleVector(
        vector, llvm::createSequentialMask(first, known, count - known)));
  }
  return parts;
}

// With SVE's TBL, which looks up words in one register, and also gives zeros for other numbers. A
// few lanes fill the register only in part.
llvm::Value* permute_scalable(llvm::IRBuilderBase& builder, llvm::Value* words, llvm::Value* index,
                              unsigned count) {
  auto* type = llvm::FixedVectorType::get(builder.getInt32Ty(), count);
  auto* scalable = llvm::ScalableVectorType::get(builder.getInt32Ty(), 4);
  const auto as_scalable = [&](llvm::Value* part) {
    return builder.CreateInsertVector(scalable, llvm::PoisonValue::get(scalable), part,
                                      std::uint64_t{0});
  };
  const auto tables = parts_of(builder, words, count);
  Registers found;
  for (auto* numbers : parts_of(builder, index, count)) {
    llvm::Value* word = nullptr;
    for (std::uint64_t table = 0; table < tables.size(); ++table) {
      auto* within =
          builder.CreateSub(numbers, llvm::ConstantInt::get(type, table * std::uint64_t{count}));
      auto* of_table = builder.CreateIntrinsic(llvm::Intrinsic::aarch64_sve_tbl, {scalable},
                                               {as_scalable(tables[table]), as_scalable(within)});
      word = word == nullptr ? of_table : builder.CreateOr(word, of_table);
    }
    found.push_back(builder.CreateExtractVector(type, word, std::uint64_t{0}));
  }
  return first_elements(builder, llvm::concatenateVectors(builder, found), words->getType());
}

} // namespace

// Nontemporal stores are ordered as others are: what publishes results has release semantics.
void emit_store_fence(llvm::IRBuilderBase& /*builder*/) {}

llvm::Value* permute_words(llvm::IRBuilderBase& builder, llvm::Value* words, llvm::Value* index,
                           const LanePermutes& permutes) {
  constexpr std::uint64_t kWordBytes = 4, kEachByte = 0x01010101, kByteNumbers = 0x03020100;
  auto* type = llvm::cast<llvm::FixedVectorType>(words->getType());
  if (permutes.register_bits > kBytes * 8)
    return permute_scalable(builder, words, index, permutes.register_bits / 32);
  auto* bytes = llvm::FixedVectorType::get(builder.getInt8Ty(), type->getNumElements() * 4);
  // The number of each byte: of up to 64 words.
  auto* first = builder.CreateMul(index, llvm::ConstantInt::get(type, kWordBytes * kEachByte));
  auto* numbers = builder.CreateAdd(first, llvm::ConstantInt::get(type, kByteNumbers));
  const auto table = registers_of(builder, builder.CreateBitCast(words, bytes));
  Registers found;
  for (auto* part : registers_of(builder, builder.CreateBitCast(numbers, bytes)))
    found.push_back(look_up(builder, table, part));
  return builder.CreateBitCast(
      first_elements(builder, llvm::concatenateVectors(builder, found), bytes), type);
}

llvm::Value* odd_fma_of_halves(llvm::IRBuilderBase& /*builder*/, llvm::Value* /*a*/,
                               llvm::Value* /*b*/, llvm::Value* /*c*/) {
  llvm_unreachable("TargetInfo::has_rounding_fma is false");
}

} // namespace heddle::compiler::target_instructions
