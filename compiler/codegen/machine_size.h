// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates the size of machine code.
#pragma once

#include "compiler/target/target_info.h"
#include "llvm/IR/Function.h"

#include <cstdint>

namespace heddle::compiler {

// An estimate of the number of machine instructions: each IR instruction counts once for each
// register that its vector fills.
std::uint64_t machine_size(const llvm::Function& function, const TargetInfo& target);

} // namespace heddle::compiler
