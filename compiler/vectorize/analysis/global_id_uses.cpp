// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/global_id_uses.h"

#include "compiler/interface/kernel_abi.h"
#include "compiler/vectorize/analysis/affine_id.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

GlobalIdUses::GlobalIdUses(const WorkItemParams& params, std::uint64_t known_size,
                           unsigned dimension)
    : params_(params), known_size_(known_size), dimension_(dimension),
      offset_(dimension * sizeof(std::uint64_t)) {}

bool GlobalIdUses::has_global_ids_only() const {
  return llvm::all_of(params_.local_id[dimension_]->users(), [&](const llvm::User* user) {
    const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(user);
    return sum != nullptr && sum->getOpcode() == llvm::Instruction::Add && is_global_id(*sum);
  });
}

bool GlobalIdUses::hides_group() const {
  return llvm::all_of(params_.group->users(), [&](const llvm::User* user) {
    if (llvm::isa<llvm::LoadInst>(user))
      return true; // of the pointer to the launch
    const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
    llvm::APInt offset(64, 0);
    if (address == nullptr ||
        !address->accumulateConstantOffset(address->getModule()->getDataLayout(), offset))
      return false;
    return llvm::all_of(address->users(), [&](const llvm::User* access) {
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(access);
      return load != nullptr && is_allowed(*load, offset.getZExtValue());
    });
  });
}

bool GlobalIdUses::is_allowed(const llvm::LoadInst& load, std::uint64_t offset) const {
  const auto is_of = [&](std::uint64_t first) {
    return offset >= first && offset < first + 3 * sizeof(std::uint64_t);
  };
  if (offset == offsetof(abi::Group, group_id) + offset_)
    return llvm::all_of(load.users(),
                        [&](const llvm::User* user) { return is_operand_of_global_ids(*user); });
  return offset == offsetof(abi::Group, launch) || offset == offsetof(abi::Group, worker) ||
         is_of(offsetof(abi::Group, group_id)) ||
         (is_of(offsetof(abi::Group, local_size)) &&
          offset != offsetof(abi::Group, local_size) + offset_);
}

bool GlobalIdUses::is_operand_of_global_ids(const llvm::User& user) const {
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&user);
  if (operation == nullptr)
    return false;
  const auto id = affine_id(*operation, params_, dimension_);
  if (!id)
    return false;
  if (id->factor != 0)
    return is_global_id(*operation);
  return llvm::all_of(operation->users(),
                      [&](const llvm::User* next) { return is_operand_of_global_ids(*next); });
}

bool GlobalIdUses::is_global_id(const llvm::BinaryOperator& sum) const {
  const auto id = affine_id(sum, params_, dimension_);
  const IdTerm group{IdTerm::Kind::group, offsetof(abi::Group, group_id) + offset_};
  const IdTerm size{IdTerm::Kind::launch, offsetof(abi::Launch, local_size) + offset_};
  const IdTerm offset{IdTerm::Kind::launch, offsetof(abi::Launch, global_offset) + offset_};
  if (!id || id->factor != 1)
    return false;
  auto start = id->start;
  const auto from_offset = start.find({offset});
  if (from_offset != start.end() && from_offset->second == 1)
    start.erase(from_offset);
  return start == IdSum{{{group, size}, 1}} ||
         (known_size_ != 0 && start == IdSum{{{group}, known_size_}});
}

bool GlobalIdUses::is_group_id(const llvm::LoadInst& load) const {
  return loads(load, offsetof(abi::Group, group_id) + offset_);
}

bool GlobalIdUses::is_local_size(const llvm::LoadInst& load) const {
  return loads(load, offsetof(abi::Group, local_size) + offset_);
}

bool GlobalIdUses::loads(const llvm::LoadInst& load, std::uint64_t offset) const {
  llvm::APInt found(64, 0);
  const auto* base = load.getPointerOperand()->stripAndAccumulateInBoundsConstantOffsets(
      load.getModule()->getDataLayout(), found);
  return base == params_.group && found == offset;
}

} // namespace heddle::compiler
