// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/id_wrap_check.h"

#include "compiler/interface/specialization.h"
#include "compiler/ir/abi_builder.h"

#include <algorithm>
#include <optional>

namespace heddle::compiler {
namespace {

llvm::Value* emit_sum(llvm::IRBuilder<>& builder, const IdSum& sum, llvm::Value* group) {
  AbiBuilder access(builder);
  auto* launch = access.launch_of(group);
  llvm::Value* result = builder.getInt64(0);
  for (const auto& [words, factor] : sum) {
    llvm::Value* product = builder.getInt64(factor);
    for (const auto& word : words)
      product = builder.CreateMul(word.kind == IdTerm::Kind::group
                                      ? access.load(group, word.offset, access.word())
                                      : access.load_invariant(launch, word.offset, access.word()),
                                  product);
    result = builder.CreateAdd(result, product);
  }
  return result;
}

// The largest value of the term in launches with small ids of groups of this size.
std::optional<std::uint64_t> largest(const IdTerm& term,
                                     const std::array<std::uint64_t, 3>& local_size) {
  constexpr auto kSmallIds = Specialization::kSmallIds;
  const auto dimension = [&](std::uint64_t first) -> std::optional<std::size_t> {
    const auto distance = term.offset - first; // wraps around below it
    return distance % sizeof(std::uint64_t) == 0 && distance / sizeof(std::uint64_t) < 3
               ? std::optional<std::size_t>(distance / sizeof(std::uint64_t))
               : std::nullopt;
  };
  if (term.kind == IdTerm::Kind::group) {
    const auto id = dimension(offsetof(abi::Group, group_id));
    return id ? std::optional(kSmallIds / local_size[*id]) : std::nullopt;
  }
  if (const auto size = dimension(offsetof(abi::Launch, local_size)))
    return local_size[*size];
  if (dimension(offsetof(abi::Launch, global_size)) ||
      dimension(offsetof(abi::Launch, global_offset)))
    return kSmallIds;
  return std::nullopt;
}

} // namespace

bool never_wraps(const IdBase& base, const std::array<std::uint64_t, 3>& local_size) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 31;
  if (std::ranges::find(local_size, 0U) != local_size.end())
    return false;
  auto most = base.above;
  for (const auto& [terms, factor] : base.start) {
    auto product = factor;
    for (const auto& term : terms) {
      const auto most_of_term = largest(term, local_size);
      if (!most_of_term || __builtin_mul_overflow(product, *most_of_term, &product))
        return false;
    }
    if (__builtin_add_overflow(most, product, &most))
      return false;
  }
  return most < kHalf;
}

void add_id_bases(std::vector<IdBase>& bases, const std::vector<IdBase>& more) {
  for (const auto& added : more) {
    const auto same = std::find_if(bases.begin(), bases.end(),
                                   [&](const IdBase& base) { return base.start == added.start; });
    if (same == bases.end()) {
      bases.push_back(added);
    } else {
      same->above = std::max(same->above, added.above);
      same->below = std::max(same->below, added.below);
    }
  }
}

llvm::Value* emit_id_wrap_check(llvm::IRBuilder<>& builder, const std::vector<IdBase>& bases,
                                llvm::Value* group) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 31;
  llvm::Value* result = builder.getFalse();
  for (const auto& base : bases) {
    auto* start = builder.CreateTrunc(emit_sum(builder, base.start, group), builder.getInt32Ty());
    // Not just below a multiple of 2^31?
    auto* within = builder.CreateAnd(start, builder.getInt32(kHalf - 1));
    result = builder.CreateOr(
        result, builder.CreateICmpUGE(
                    within, builder.getInt32(static_cast<std::uint32_t>(kHalf - base.above))));
    // Not just above an odd multiple, below which the constants lead?
    if (base.below != 0)
      result = builder.CreateOr(
          result, builder.CreateICmpULT(builder.CreateXor(start, builder.getInt32(kHalf)),
                                        builder.getInt32(static_cast<std::uint32_t>(base.below))));
  }
  return result;
}

} // namespace heddle::compiler
