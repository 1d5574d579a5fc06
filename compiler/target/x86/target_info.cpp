// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/target_info.h"

#include "compiler/target/x86/features.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

namespace heddle::compiler {

TargetInfo::TargetInfo(const llvm::TargetMachine& target, const CpuCosts& costs)
    : subtarget(target.getMCSubtargetInfo()) {
  const x86::Features has(*subtarget);
  const bool is_zen = target.getTargetCPU().starts_with("znver");
  const bool is_zen_5 = has.has_avx512 && target.getTargetCPU() == "znver5";
  vector_bits = has.has_avx512 ? 512 : has.has_avx2 ? 256 : 128;
  vector_registers = has.has_avx512 ? 32 : 16;
  declared_vector_bits = has.has_avx512 ? 512 : 0;
  has_half_conversions = has.has_f16c;
  has_half_arithmetic = has.has_avx512_fp16 && has.has_avx512_short_vectors;
  has_rounding_fma = has.has_avx512;
  has_masked_accesses = has.has_avx2;
  has_masked_short_accesses = has.has_avx512_words && has.has_avx512_short_vectors;
  has_gathers = has.has_avx512;
  has_mask_registers = has.has_avx512;
  masked_permutes = (has.has_byte_permute ? 1 : 0) | (has.has_avx512_words ? 2 : 0) |
                    (has.has_avx512 ? 4 | 8 : 0);
  permutes = {has.has_avx512 ? 512U : has.has_avx2 ? 256U : 0U, true};
  has_slow_gathers = has_gathers && costs.slow_gathers.value_or(is_zen);
  has_slow_scatters = has_gathers && costs.slow_scatters.value_or(is_zen);
  loads_three_words = has.has_avx512 ? has_slow_gathers : has.has_avx2;
  has_nontemporal_stores = has.has_avx2;
  integer_latency = is_zen_5 ? 2 : 1;
  vector_throughput = is_zen_5 || !has.has_avx512 ? 2 : 1;
  has_slow_update_copies = costs.slow_updates.value_or(is_zen);
}

} // namespace heddle::compiler
