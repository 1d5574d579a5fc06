// Hidden parameters that carry the identity of a work-item to the functions that need it.
#pragma once

#include "compiler/interface/kernel_abi.h"
#include "compiler/passes/kernel.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

// Functions that are split at barriers (split_at_barriers.h) take some parameters more, behind the
// state.
inline constexpr const char* kStepAttribute = "heddle-step";
inline constexpr unsigned kStepParameters = 4;

// The last four parameters of a function that has state: the group (abi::Group) and the local id.
struct WorkItemState {
  llvm::Argument* group = nullptr;
  llvm::Argument* local_id[3] = {};
};

// Gives hidden parameters to every kernel body and to every function that, itself or through what
// it calls, uses a work-item function, a barrier, printf, a __local or a program-scope variable.
// Uses of such variables in constant expressions become instructions.
void add_work_item_state(llvm::Module& module, Kernels& kernels);

bool has_work_item_state(const llvm::Function& function);
// Of a function that has it.
WorkItemState work_item_state(llvm::Function& function);

} // namespace heddle::compiler
