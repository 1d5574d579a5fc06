// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/affine_id.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <algorithm>

namespace heddle::compiler {
namespace {

constexpr unsigned kMaxAffineDepth = 8;
constexpr std::size_t kMaxProducts = 8;
constexpr std::size_t kMaxFactors = 3;

// The term for a load of a size, id or offset from the group or its launch.
std::optional<IdTerm> uniform_term(const llvm::LoadInst& load, const WorkItemParams& params) {
  const auto& layout = load.getModule()->getDataLayout();
  llvm::APInt offset(64, 0);
  const auto* base =
      load.getPointerOperand()->stripAndAccumulateInBoundsConstantOffsets(layout, offset);
  if (base == params.group && offset.uge(offsetof(abi::Group, group_id)))
    return IdTerm{IdTerm::Kind::group, offset.getZExtValue()};
  const auto* launch = llvm::dyn_cast<llvm::LoadInst>(base);
  if (launch != nullptr && launch->getPointerOperand() == params.group &&
      offset.uge(offsetof(abi::Launch, global_size)))
    return IdTerm{IdTerm::Kind::launch, offset.getZExtValue()};
  return std::nullopt;
}

void add(IdSum& sum, const std::vector<IdTerm>& terms, std::uint64_t factor) {
  const auto entry = sum.try_emplace(terms, 0).first;
  entry->second += factor;
  if (entry->second == 0)
    sum.erase(entry);
}

std::optional<IdSum> product(const IdSum& a, const IdSum& b) {
  IdSum result;
  for (const auto& [first, first_factor] : a)
    for (const auto& [second, second_factor] : b) {
      auto terms = first;
      terms.insert(terms.end(), second.begin(), second.end());
      std::sort(terms.begin(), terms.end());
      if (terms.size() > kMaxFactors)
        return std::nullopt;
      add(result, terms, first_factor * second_factor);
    }
  return result.size() > kMaxProducts ? std::nullopt : std::optional(result);
}

std::optional<IdSum> affine_sum(const llvm::Value& value, const WorkItemParams& params,
                                unsigned dimension, unsigned depth) {
  if (&value == params.local_id[dimension])
    return IdSum{{{{IdTerm::Kind::local_id, 0}}, 1}};
  if (!value.getType()->isIntegerTy(64) || depth > kMaxAffineDepth)
    return std::nullopt;
  IdSum result;
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
    add(result, {}, constant->getZExtValue());
    return result;
  }
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr)
    return std::nullopt;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
    const auto term = uniform_term(*load, params);
    if (!term)
      return std::nullopt;
    add(result, {*term}, 1);
    return result;
  }
  const auto opcode = instruction->getOpcode();
  if (opcode != llvm::Instruction::Add && opcode != llvm::Instruction::Sub &&
      opcode != llvm::Instruction::Mul && opcode != llvm::Instruction::Shl)
    return std::nullopt;
  const auto a = affine_sum(*instruction->getOperand(0), params, dimension, depth + 1);
  if (!a)
    return std::nullopt;
  if (opcode == llvm::Instruction::Shl) {
    const auto* by = llvm::dyn_cast<llvm::ConstantInt>(instruction->getOperand(1));
    if (by == nullptr || by->getValue().uge(64))
      return std::nullopt;
    add(result, {}, std::uint64_t{1} << by->getZExtValue());
    return product(*a, result);
  }
  const auto b = affine_sum(*instruction->getOperand(1), params, dimension, depth + 1);
  if (!b)
    return std::nullopt;
  if (opcode == llvm::Instruction::Mul)
    return product(*a, *b);
  result = *a;
  for (const auto& [terms, factor] : *b)
    add(result, terms, opcode == llvm::Instruction::Add ? factor : -factor);
  return result.size() > kMaxProducts ? std::nullopt : std::optional(result);
}

} // namespace

std::optional<AffineId> affine_id(const llvm::Value& value, const WorkItemParams& params,
                                  unsigned dimension) {
  auto sum = affine_sum(value, params, dimension, 0);
  if (!sum)
    return std::nullopt;
  AffineId result;
  const auto take_factor = [&](const std::vector<IdTerm>& terms) {
    const auto found = sum->extract(terms);
    return found ? static_cast<std::int64_t>(found.mapped()) : 0;
  };
  result.constant = take_factor({});
  result.factor = take_factor({{IdTerm::Kind::local_id, 0}});
  for (const auto& [terms, factor] : *sum)
    if (terms.front().kind == IdTerm::Kind::local_id) // terms are sorted: the local id is first
      return std::nullopt;
  result.start = std::move(*sum);
  return result;
}

bool is_plain_id(const llvm::Value& value, const WorkItemParams& params) {
  const auto id = affine_id(value, params);
  if (!id || id->constant != 0 || id->factor != 1)
    return false;
  const std::vector<IdTerm> start{{IdTerm::Kind::group, offsetof(abi::Group, group_id)},
                                  {IdTerm::Kind::launch, offsetof(abi::Launch, local_size)}};
  const std::vector<IdTerm> offset{{IdTerm::Kind::launch, offsetof(abi::Launch, global_offset)}};
  return llvm::all_of(id->start, [&](const auto& product) {
    return product.second == 1 && (product.first == start || product.first == offset);
  });
}

} // namespace heddle::compiler
