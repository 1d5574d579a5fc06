// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/target_info.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

namespace heddle::compiler {

TargetInfo::TargetInfo(const llvm::TargetMachine& target) {
  const auto has = [&](llvm::StringRef feature) {
    return target.getMCSubtargetInfo()->checkFeatures(feature);
  };
  has_f16c = has("+f16c");
  has_half_arithmetic = has("+avx512fp16") && has("+avx512vl");
  has_avx2 = has("+avx2");
  has_avx512 = has("+avx512f");
  has_avx512_short_vectors = has("+avx512vl");
  has_avx512_words = has("+avx512bw");
  has_avx512_doublewords = has("+avx512dq");
  has_vnni = has("+avx512vnni");
  has_byte_permute = has("+avx512vbmi");
  vector_bits = has_avx512 ? 512 : has_avx2 ? 256 : 128;
  vector_registers = has_avx512 ? 32 : 16;
  const bool is_zen_5 = has_avx512 && target.getTargetCPU() == "znver5";
  integer_latency = is_zen_5 ? 2 : 1;
  vector_throughput = is_zen_5 || !has_avx512 ? 2 : 1;
  has_slow_update_copies = target.getTargetCPU().starts_with("znver");
  has_slow_gathers = has_avx512 && target.getTargetCPU().starts_with("znver");
  has_slow_line_crossing = has_avx512 && target.getTargetCPU().starts_with("znver");
}

} // namespace heddle::compiler
