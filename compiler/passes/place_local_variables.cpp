#include "compiler/passes/place_local_variables.h"

#include "compiler/passes/reachable.h"
#include "compiler/passes/replace_variable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

constexpr std::uint64_t kLine = 64; // of the cache

// Replaces the variable in the code by its place in the group's local memory.
void replace(llvm::GlobalVariable& variable, std::uint64_t offset) {
  replace_in_code(variable, [offset](AbiAccess& access, llvm::Value* group) {
    auto* base = access.load(group, offsetof(abi::Group, local_memory), access.local_pointer());
    return access.field(base, offset);
  });
}

// Answers where it ends, which is where the kernels' metadata get it from.
std::uint64_t place(llvm::GlobalVariable& variable, std::uint64_t end,
                    llvm::ArrayRef<Kernel*> kernels) {
  const auto& layout = variable.getParent()->getDataLayout();
  auto* type = variable.getValueType();
  const std::uint64_t bytes = layout.getTypeAllocSize(type);
  auto alignment = std::max(variable.getAlign().valueOrOne(), layout.getABITypeAlign(type));
  if (bytes >= kLine)
    alignment = std::max(alignment, llvm::Align(kLine)); // vectors of it are then in one line each
  const auto offset = llvm::alignTo(end, alignment);
  replace(variable, offset);
  // "FUNCTION.NAME"; Heddle's own are nobody's to name.
  const auto name = variable.getName();
  if (!name.starts_with("heddle."))
    for (auto* kernel : kernels)
      kernel->metadata.variables.push_back({name.split('.').second.str(), offset, bytes, true});
  return offset + bytes;
}

} // namespace

void place_local_variables(llvm::Module& module, Kernels& kernels) {
  llvm::SmallVector<llvm::GlobalVariable*, 8> variables;
  for (auto& variable : module.globals())
    if (variable.getAddressSpace() == 3)
      variables.push_back(&variable);
  if (variables.empty())
    return;

  // Which kernels reach which variable; in the module's order, so that layouts are reproducible.
  llvm::DenseMap<llvm::GlobalVariable*, llvm::SmallVector<Kernel*, 2>> users;
  for (auto& kernel : kernels) {
    const auto functions = reachable_from(*kernel.body);
    for (auto* variable : variables)
      if (llvm::any_of(variable->users(), [&](llvm::User* user) {
            auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
            return instruction != nullptr && functions.contains(instruction->getFunction());
          }))
        users[variable].push_back(&kernel);
  }
  std::uint64_t shared_end = 0;
  for (auto* variable : variables)
    if (users[variable].size() > 1)
      shared_end = place(*variable, shared_end, users[variable]);
  for (auto* variable : variables) {
    const auto& reaching = users[variable];
    if (reaching.size() > 1) {
      for (auto* kernel : reaching)
        kernel->metadata.local_bytes = shared_end;
    }
  }
  for (auto* variable : variables)
    if (const auto& reaching = users[variable]; reaching.size() == 1) {
      auto& bytes = reaching.front()->metadata.local_bytes;
      bytes = place(*variable, bytes, reaching);
    }
  for (auto* variable : variables) {
    variable->replaceAllUsesWith(llvm::PoisonValue::get(variable->getType()));
    variable->eraseFromParent();
  }
}

} // namespace heddle::compiler
