// What the ids of a work-group begin with, and whether they come near to where a narrower type
// wraps around.
#pragma once

#include "compiler/interface/kernel_abi.h"
#include "llvm/IR/IRBuilder.h"

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace heddle::compiler {

// One 64-bit number that all work-items of a group share, or the local id in x.
struct IdTerm {
  enum class Kind : std::uint8_t { local_id, group, launch };
  Kind kind;
  std::uint64_t offset; // in abi::Group or abi::Launch
  auto operator<=>(const IdTerm&) const = default;
};

// A sum of products of such words (modulo 2^64), each with its factor. No words: a constant.
using IdSum = std::map<std::vector<IdTerm>, std::uint64_t>;

// Numbers of the form start + factor * local id + constant, which kernels narrow to 32 bits and
// expect to count on from one work-item to the next.
struct IdBase {
  IdSum start;             // of words that the group shares
  std::uint64_t above = 0; // the numbers of the group's work-items are not farther from its start
  std::uint64_t below = 0;
};

// So that what holds for none of the bases holds for none of `more`.
void add_id_bases(std::vector<IdBase>& bases, const std::vector<IdBase>& more);

// Emits whether, for some of the bases, two work-items of the group may lie on different sides of a
// multiple of 2^31. (Around 0 and other multiples of 2^32 only upwards: numbers below them are
// taken as signed ones, which do not wrap around there.) `group` is an abi::Group*.
llvm::Value* emit_id_wrap_check(llvm::IRBuilder<>& builder, const std::vector<IdBase>& bases,
                                llvm::Value* group);

} // namespace heddle::compiler
