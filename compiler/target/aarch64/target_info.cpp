// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/target_info.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

namespace heddle::compiler {

// NEON. Conversions of halves belong to it; arithmetic came with armv8.2-a.
TargetInfo::TargetInfo(const llvm::TargetMachine& target) : subtarget(target.getMCSubtargetInfo()) {
  vector_bits = 128;
  vector_registers = 32;
  has_half_conversions = true;
  has_half_arithmetic = subtarget->checkFeatures("+fullfp16");
  permutes = {128, false};
  integer_latency = 2; // of Neoverse N1 to V2
  vector_throughput = 2;
}

} // namespace heddle::compiler
