// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ranges of ids in a work-group, and whether they wrap around when a kernel narrows them.
#pragma once

#include "compiler/interface/kernel_abi.h"
#include "llvm/IR/IRBuilder.h"

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace heddle::compiler {

// An i64 that is uniform in the work-group, or the local id in x.
struct IdTerm {
  enum class Kind : std::uint8_t { local_id, group, launch };
  Kind kind;
  std::uint64_t offset; // in abi::Group or abi::Launch
  auto operator<=>(const IdTerm&) const = default;
};

// A sum of products of such terms, modulo 2^64, with the factor of each. A product of no terms is a
// constant.
using IdSum = std::map<std::vector<IdTerm>, std::uint64_t>;

// Values of the form start + factor * local id + constant that a kernel narrows to 32 bits and
// expects to be affine in the local id.
struct IdBase {
  IdSum start;             // of terms that are uniform in the group
  std::uint64_t above = 0; // bounds of the distance of the work-items' values from the start
  std::uint64_t below = 0;
};

// What code may add to ids in y, or subtract, for accesses to be transposed
// (vectorize/analysis/transposed_access.h), is less: emit_row_ids_wrap() looks this far.
inline constexpr std::int64_t kMaxTransposedConstant = 1 << 20;

// Extends `bases` so that a check of them covers `more`.
void add_id_bases(std::vector<IdBase>& bases, const std::vector<IdBase>& more);

// Whether that check is false for the base in all launches with small ids
// (Specialization::has_small_ids) of groups of this size. Zeros: it is not known.
bool never_wraps(const IdBase& base, const std::array<std::uint64_t, 3>& local_size);

// Emits an i1: whether the values of one of the bases may lie on both sides of a multiple of 2^31
// in this group. At 0 and other multiples of 2^32 only values above count: values below are
// negative, and signed arithmetic does not wrap around there. `group` is an abi::Group*.
llvm::Value* emit_id_wrap_check(llvm::IRBuilder<>& builder, const std::vector<IdBase>& bases,
                                llvm::Value* group);

} // namespace heddle::compiler
