// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/target_info.h"

#include "compiler/target/aarch64/vector_length.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

#include <algorithm>

namespace heddle::compiler {
namespace {

// Kernels use no more of longer registers.
constexpr unsigned kMaxBits = 512;

} // namespace

// NEON, or SVE with registers of the length that this machine has. Conversions of halves belong to
// both; NEON's arithmetic of halves came with armv8.2-a.
TargetInfo::TargetInfo(const llvm::TargetMachine& target, const CpuCosts& costs)
    : subtarget(target.getMCSubtargetInfo()) {
  const unsigned scalable = subtarget->checkFeatures("+sve") ? aarch64::scalable_bits() : 0;
  vector_bits = std::clamp(scalable, aarch64::kGranuleBits, kMaxBits);
  vector_registers = 32;
  declared_vector_bits = scalable;
  has_half_conversions = true;
  has_half_arithmetic = subtarget->checkFeatures("+fullfp16");
  // LLVM splits those of several registers into scalar ones if these are as long as NEON's.
  has_masked_accesses = has_masked_short_accesses = has_gathers = scalable > aarch64::kGranuleBits;
  // Tables are whole registers.
  permutes = {vector_bits == scalable ? vector_bits : aarch64::kGranuleBits, false};
  integer_latency = 2; // of Neoverse N1 to V2
  vector_throughput = 2;
  loop_instructions = 4;
  has_slow_gathers = has_gathers && costs.slow_gathers.value_or(false);
  has_slow_scatters = has_gathers && costs.slow_scatters.value_or(false);
  has_slow_update_copies = costs.slow_updates.value_or(false);
}

} // namespace heddle::compiler
