#include "compiler/passes/address_space_alias.h"

namespace heddle::compiler {
namespace {

enum class Memory : std::uint8_t { of_item, of_buffers, of_group, any };

// The private address space has Heddle's own data of the launch and the group, too. Nothing is cast
// between it, global and local memory: other analyses look through casts and ask about what is
// behind them.
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

llvm::AnalysisKey AddressSpaceAlias::Key;

llvm::AliasResult AddressSpaceAliasResult::alias(const llvm::MemoryLocation& a,
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
