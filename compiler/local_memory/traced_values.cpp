// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/local_memory/traced_values.h"

#include "compiler/interface/kernel_abi.h"
#include "compiler/ir/local_argument.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {
namespace {

using llvm::dyn_cast;
using llvm::isa;

constexpr unsigned kMaxBits = 64;
constexpr unsigned kWorkerArgument = 3; // of abi::KernelFunction

std::optional<std::int64_t> integer_of(const llvm::Constant* constant, unsigned lane) {
  if (constant != nullptr && constant->getType()->isVectorTy())
    constant = constant->getAggregateElement(lane);
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant);
  return number != nullptr && number->getBitWidth() <= kMaxBits
             ? std::optional(number->getSExtValue())
             : std::nullopt;
}

} // namespace

bool is_frames_of_worker(const llvm::LoadInst& load) {
  llvm::APInt offset(kMaxBits, 0);
  const auto* worker =
      dyn_cast<llvm::Argument>(load.getPointerOperand()->stripAndAccumulateConstantOffsets(
          load.getModule()->getDataLayout(), offset, true));
  return load.hasMetadata(llvm::LLVMContext::MD_invariant_load) && worker != nullptr &&
         worker->getArgNo() == kWorkerArgument && offset == offsetof(abi::Worker, frames);
}

// Of the beginning of local memory, of an argument in it, or of the frames; null: it is none.
llvm::Value* TracedValues::root_of(llvm::Value& value) const {
  if (const auto* load = dyn_cast<llvm::LoadInst>(&value)) {
    if (!load->getType()->isPointerTy() || !load->hasMetadata(llvm::LLVMContext::MD_invariant_load))
      return nullptr;
    if (is_local_pointer(value))
      return &value;
    return is_frames_of_worker(*load) ? frames_ : nullptr;
  }
  const auto* gep = dyn_cast<llvm::GetElementPtrInst>(&value);
  return gep != nullptr && is_local_argument(*gep) ? &value : nullptr;
}

llvm::Value* TracedValues::value_of(llvm::Value* value) {
  if (isa<llvm::Constant>(value) || isa<llvm::Argument>(value) || isa<llvm::MetadataAsValue>(value))
    return value;
  if (const auto found = values_.find(value); found != values_.end())
    return found->second;
  const auto* instruction = dyn_cast<llvm::Instruction>(value);
  if (instruction != nullptr && !addresses_.contains(value) &&
      !executed_.contains(instruction->getParent()) &&
      dominators_.dominates(instruction, begin_->getTerminator()))
    return value;
  is_valid_ = false;
  return llvm::PoisonValue::get(value->getType());
}

const TracedAddress* TracedValues::address_of(llvm::Value* value) {
  if (!value->getType()->isPtrOrPtrVectorTy())
    return nullptr;
  if (const auto found = addresses_.find(value); found != addresses_.end())
    return &found->second;
  if (values_.contains(value))
    return nullptr;
  if (auto* root = root_of(*value))
    return &(addresses_[value] = {root, {0}});
  // Computed before.
  auto* gep = dyn_cast<llvm::GetElementPtrInst>(value);
  if (gep == nullptr || executed_.contains(gep->getParent()) || !gep->hasAllConstantIndices())
    return nullptr;
  const auto* base = address_of(gep->getPointerOperand());
  auto address = base != nullptr ? index(*gep, *base) : std::nullopt;
  return address ? &(addresses_[value] = *std::move(address)) : nullptr;
}

bool TracedValues::has_address(llvm::Instruction& instruction) {
  return llvm::any_of(instruction.operand_values(),
                      [&](llvm::Value* operand) { return address_of(operand) != nullptr; });
}

void TracedValues::set(const llvm::Value& instruction, llvm::Value* value) {
  addresses_.erase(&instruction);
  values_[&instruction] = value;
}

void TracedValues::set(const llvm::Value& instruction, TracedAddress address) {
  values_.erase(&instruction);
  addresses_[&instruction] = std::move(address);
}

std::optional<TracedAddress> TracedValues::index(llvm::GetElementPtrInst& gep,
                                                 const TracedAddress& base) {
  const auto* vector = dyn_cast<llvm::FixedVectorType>(gep.getType());
  const unsigned lanes = vector != nullptr ? vector->getNumElements() : 1;
  TracedAddress address = base;
  if (address.offsets.size() == 1)
    address.offsets.resize(lanes, address.offsets.front());
  for (auto step = llvm::gep_type_begin(gep); step != llvm::gep_type_end(gep); ++step) {
    const auto* constant = dyn_cast<llvm::Constant>(value_of(step.getOperand()));
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const auto number = integer_of(constant, lane);
      if (!number)
        return std::nullopt;
      if (auto* type = step.getStructTypeOrNull())
        address.offsets[lane] +=
            static_cast<std::int64_t>(layout_.getStructLayout(type)
                                          ->getElementOffset(static_cast<unsigned>(*number))
                                          .getFixedValue());
      else
        address.offsets[lane] +=
            *number *
            static_cast<std::int64_t>(step.getSequentialElementStride(layout_).getFixedValue());
    }
  }
  return address;
}

bool TracedValues::shuffle(const llvm::ShuffleVectorInst& shuffle) {
  const auto* first = address_of(shuffle.getOperand(0));
  if (first == nullptr)
    return false;
  TracedAddress address{first->root, {}};
  for (const auto lane : shuffle.getShuffleMask()) {
    if (lane >= static_cast<int>(first->offsets.size()))
      return false;
    address.offsets.push_back(first->offsets[lane < 0 ? 0 : static_cast<size_t>(lane)]);
  }
  set(shuffle, std::move(address));
  return true;
}

bool TracedValues::compare(const llvm::ICmpInst& compare) {
  const auto* first = address_of(compare.getOperand(0));
  const auto* second = address_of(compare.getOperand(1));
  if (!compare.isEquality() || first == nullptr || second == nullptr || first->root != second->root)
    return false;
  const bool is_equal = compare.getPredicate() == llvm::ICmpInst::ICMP_EQ;
  llvm::SmallVector<llvm::Constant*, 64> bits;
  for (const auto& [one, other] : llvm::zip_equal(first->offsets, second->offsets))
    bits.push_back(llvm::ConstantInt::getBool(compare.getContext(), (one == other) == is_equal));
  set(compare, compare.getType()->isVectorTy() ? llvm::ConstantVector::get(bits) : bits.front());
  return true;
}

bool TracedValues::execute_address(llvm::Instruction& instruction) {
  if (const auto* shuffled = dyn_cast<llvm::ShuffleVectorInst>(&instruction))
    return shuffle(*shuffled);
  if (const auto* compared = dyn_cast<llvm::ICmpInst>(&instruction))
    return compare(*compared);
  if (auto* select = dyn_cast<llvm::SelectInst>(&instruction)) {
    const auto* condition = dyn_cast<llvm::ConstantInt>(value_of(select->getCondition()));
    const auto* chosen =
        condition == nullptr
            ? nullptr
            : address_of(condition->isOne() ? select->getTrueValue() : select->getFalseValue());
    if (chosen == nullptr)
      return false;
    set(instruction, TracedAddress(*chosen));
    return true;
  }
  if (auto* insert = dyn_cast<llvm::InsertElementInst>(&instruction)) { // of a splat
    const auto* inserted = address_of(insert->getOperand(1));
    const auto* type = dyn_cast<llvm::FixedVectorType>(insert->getType());
    if (inserted == nullptr || type == nullptr || !isa<llvm::UndefValue>(insert->getOperand(0)))
      return false;
    TracedAddress address{inserted->root, {}};
    address.offsets.resize(type->getNumElements(), inserted->offsets.front());
    set(instruction, std::move(address));
    return true;
  }
  const auto* first = address_of(instruction.getOperand(0));
  if (first == nullptr)
    return false;
  if (auto* gep = dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    auto address = index(*gep, *first);
    if (!address)
      return false;
    set(instruction, *std::move(address));
    return true;
  }
  if (auto* extract = dyn_cast<llvm::ExtractElementInst>(&instruction)) {
    const auto lane = integer_of(dyn_cast<llvm::Constant>(value_of(extract->getIndexOperand())), 0);
    if (!lane || static_cast<size_t>(*lane) >= first->offsets.size())
      return false;
    set(instruction, TracedAddress{first->root, {first->offsets[static_cast<size_t>(*lane)]}});
    return true;
  }
  if (!isa<llvm::FreezeInst>(instruction))
    return false;
  set(instruction, TracedAddress(*first));
  return true;
}

} // namespace heddle::compiler
