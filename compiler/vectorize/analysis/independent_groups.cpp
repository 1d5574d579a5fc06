// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/independent_groups.h"

#include "compiler/ir/bounds_check.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {
namespace {

// Groups that wait for each other, as through pipes, must not become lanes of one sub-group.
bool may_wait_for_other_groups(const llvm::Function& body) {
  return llvm::any_of(llvm::instructions(body), [](const llvm::Instruction& instruction) {
    if (llvm::isa<llvm::CallBase>(instruction))
      return !llvm::isa<llvm::IntrinsicInst>(instruction) && !is_bounds_check(instruction) &&
             instruction.mayReadOrWriteMemory();
    return instruction.isAtomic() || instruction.isVolatile();
  });
}

// Whether the kernel calls operations of sub-groups, whose results depend on the group.
bool uses_subgroup_operations(const llvm::Function& body) {
  return llvm::any_of(llvm::instructions(body), [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call != nullptr && subgroup_intrinsic(*call);
  });
}

} // namespace

bool has_independent_groups(const Kernel& kernel) {
  const auto& body = *kernel.body;
  const bool has_local_memory =
      kernel.metadata.local_bytes != 0 ||
      llvm::any_of(kernel.metadata.arguments, [](const KernelArgument& argument) {
        return argument.kind == ArgumentKind::local_pointer;
      });
  return !kernel.metadata.has_barrier && !has_local_memory && !uses_subgroup_operations(body) &&
         !may_wait_for_other_groups(body);
}

} // namespace heddle::compiler
