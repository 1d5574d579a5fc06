// How much code a function becomes.
#pragma once

#include "compiler/ir/target_info.h"
#include "llvm/IR/Function.h"

#include <cstdint>

namespace heddle::compiler {

// About how many machine instructions: each of LLVM's as many times as its vectors fill registers.
std::uint64_t machine_size(const llvm::Function& function, const TargetInfo& target);

} // namespace heddle::compiler
