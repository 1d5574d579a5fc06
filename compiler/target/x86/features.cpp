// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/x86/features.h"

#include "llvm/MC/MCSubtargetInfo.h"

namespace heddle::compiler::x86 {

Features::Features(const llvm::MCSubtargetInfo& subtarget)
    : has_f16c(subtarget.checkFeatures("+f16c")),
      has_avx512_fp16(subtarget.checkFeatures("+avx512fp16")),
      has_avx2(subtarget.checkFeatures("+avx2")), has_avx512(subtarget.checkFeatures("+avx512f")),
      has_avx512_short_vectors(subtarget.checkFeatures("+avx512vl")),
      has_avx512_words(subtarget.checkFeatures("+avx512bw")),
      has_avx512_doublewords(subtarget.checkFeatures("+avx512dq")),
      has_vnni(subtarget.checkFeatures("+avx512vnni")),
      has_byte_permute(subtarget.checkFeatures("+avx512vbmi")) {}

} // namespace heddle::compiler::x86
