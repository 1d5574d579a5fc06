// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Phis of halves whose values are known as floats.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler {

// Halves, and the floats that they are.
using KnownFloats = llvm::DenseMap<llvm::Value*, llvm::Value*>;

// Makes phis of floats from phis of halves that are used as floats. Their incoming values are then
// converted where they are defined, unless they are known as floats: a maximum that a loop keeps is
// converted only behind the loop, and registers of a sum need not be joined and split. `to_float`
// converts and adds to `known`, which has the conversions of the phis, too; these become unused.
bool widen_phis(llvm::Function& function, KnownFloats& known, llvm::IRBuilder<>& builder,
                llvm::function_ref<llvm::Value*(llvm::Value*)> to_float, bool has_conversions);

} // namespace heddle::compiler
