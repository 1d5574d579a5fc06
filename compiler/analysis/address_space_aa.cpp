// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/address_space_aa.h"

#include "compiler/ir/address_space.h"
#include "llvm/Analysis/ValueTracking.h"

namespace heddle::compiler {
namespace {

enum class Memory : std::uint8_t { of_item, of_buffers, of_group, any };

// The private address space also has the compiler's own structures, the launch and the group.
// Pointers between it, global and local memory are never cast to each other: other analyses look
// through casts and query the underlying pointers.
Memory memory_of(const llvm::Value& pointer) {
  switch (pointer.getType()->getPointerAddressSpace()) {
  case 0:
    return Memory::of_item;
  case 1: // global
  case 2: // constant
    return Memory::of_buffers;
  case 3: // local
    return Memory::of_group;
  default:
    return Memory::any;
  }
}

} // namespace

unsigned underlying_address_spaces(const llvm::Value& pointer) {
  constexpr unsigned kAny = (1U << kGeneric) - 1;
  llvm::SmallVector<const llvm::Value*, 2> bases{&pointer};
  if (pointer.getType()->getPointerAddressSpace() >= kGeneric) {
    bases.clear();
    llvm::getUnderlyingObjects(&pointer, bases, nullptr, 0);
  }
  unsigned spaces = 0;
  for (const auto* base : bases) {
    const auto space = base->getType()->getPointerAddressSpace();
    spaces |= space < kGeneric ? 1U << space : kAny;
  }
  return spaces;
}

llvm::AnalysisKey AddressSpaceAA::Key;

llvm::AliasResult AddressSpaceAAResult::alias(const llvm::MemoryLocation& a,
                                              const llvm::MemoryLocation& b,
                                              llvm::AAQueryInfo& query,
                                              const llvm::Instruction* context) {
  const auto one = memory_of(*a.Ptr);
  const auto other = memory_of(*b.Ptr);
  if (one != other && one != Memory::any && other != Memory::any)
    return llvm::AliasResult::NoAlias;
  return AAResultBase::alias(a, b, query, context);
}

} // namespace heddle::compiler
