// Square roots of many doubles.
#pragma once

#include "compiler/ir/target_info.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

// A CPU's divider takes a square root of eight doubles every 16 cycles or more, while its
// multipliers stand idle. Where a vector fills two registers or more, every other one is computed
// by multiplication, to the same bits. CPUs without AVX-512 keep the instruction.
void expand_sqrt_f64(llvm::Module& module, const TargetInfo& target);

} // namespace heddle::compiler
