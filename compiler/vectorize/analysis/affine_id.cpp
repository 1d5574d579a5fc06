#include "compiler/vectorize/analysis/affine_id.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>

namespace heddle::compiler {
namespace {

constexpr unsigned kDeepest = 8;
constexpr std::size_t kMostProducts = 8;
constexpr std::size_t kMostFactors = 3;

// The term for a load of a size, id or offset from the group or its launch.
std::optional<IdTerm> shared_word(const llvm::LoadInst& load, const WorkItemParams& state) {
  const auto& layout = load.getModule()->getDataLayout();
  llvm::APInt offset(64, 0);
  const auto* base =
      load.getPointerOperand()->stripAndAccumulateInBoundsConstantOffsets(layout, offset);
  if (base == state.group && offset.uge(offsetof(abi::Group, group_id)))
    return IdTerm{IdTerm::Kind::group, offset.getZExtValue()};
  const auto* launch = llvm::dyn_cast<llvm::LoadInst>(base);
  if (launch != nullptr && launch->getPointerOperand() == state.group &&
      offset.uge(offsetof(abi::Launch, global_size)))
    return IdTerm{IdTerm::Kind::launch, offset.getZExtValue()};
  return std::nullopt;
}

void add(IdSum& sum, const std::vector<IdTerm>& words, std::uint64_t factor) {
  const auto place = sum.try_emplace(words, 0).first;
  place->second += factor;
  if (place->second == 0)
    sum.erase(place);
}

std::optional<IdSum> product(const IdSum& a, const IdSum& b) {
  IdSum result;
  for (const auto& [first, first_factor] : a)
    for (const auto& [second, second_factor] : b) {
      auto words = first;
      words.insert(words.end(), second.begin(), second.end());
      std::sort(words.begin(), words.end());
      if (words.size() > kMostFactors)
        return std::nullopt;
      add(result, words, first_factor * second_factor);
    }
  return result.size() > kMostProducts ? std::nullopt : std::optional(result);
}

std::optional<IdSum> sum_of(const llvm::Value& value, const WorkItemParams& state,
                            unsigned dimension, unsigned depth) {
  if (&value == state.local_id[dimension])
    return IdSum{{{{IdTerm::Kind::local_id, 0}}, 1}};
  if (!value.getType()->isIntegerTy(64) || depth > kDeepest)
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
    const auto word = shared_word(*load, state);
    if (!word)
      return std::nullopt;
    add(result, {*word}, 1);
    return result;
  }
  const auto opcode = instruction->getOpcode();
  if (opcode != llvm::Instruction::Add && opcode != llvm::Instruction::Sub &&
      opcode != llvm::Instruction::Mul && opcode != llvm::Instruction::Shl)
    return std::nullopt;
  const auto a = sum_of(*instruction->getOperand(0), state, dimension, depth + 1);
  if (!a)
    return std::nullopt;
  if (opcode == llvm::Instruction::Shl) {
    const auto* by = llvm::dyn_cast<llvm::ConstantInt>(instruction->getOperand(1));
    if (by == nullptr || by->getValue().uge(64))
      return std::nullopt;
    add(result, {}, std::uint64_t{1} << by->getZExtValue());
    return product(*a, result);
  }
  const auto b = sum_of(*instruction->getOperand(1), state, dimension, depth + 1);
  if (!b)
    return std::nullopt;
  if (opcode == llvm::Instruction::Mul)
    return product(*a, *b);
  result = *a;
  for (const auto& [words, factor] : *b)
    add(result, words, opcode == llvm::Instruction::Add ? factor : -factor);
  return result.size() > kMostProducts ? std::nullopt : std::optional(result);
}

} // namespace

std::optional<AffineId> affine_id(const llvm::Value& value, const WorkItemParams& state,
                                  unsigned dimension) {
  auto sum = sum_of(value, state, dimension, 0);
  if (!sum)
    return std::nullopt;
  AffineId result;
  const auto take = [&](const std::vector<IdTerm>& words) {
    const auto found = sum->extract(words);
    return found ? static_cast<std::int64_t>(found.mapped()) : 0;
  };
  result.constant = take({});
  result.factor = take({{IdTerm::Kind::local_id, 0}});
  for (const auto& [words, factor] : *sum)
    if (words.front().kind == IdTerm::Kind::local_id) // terms are sorted: the local id is first
      return std::nullopt;
  result.start = std::move(*sum);
  return result;
}

bool is_plain_id(const llvm::Value& value, const WorkItemParams& state) {
  const auto id = affine_id(value, state);
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
