// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sets of instructions that the passes of this folder know.
#pragma once

#include "compiler/target/target_info.h"

namespace heddle::compiler::x86 {

struct Features {
  explicit Features(const llvm::MCSubtargetInfo& subtarget);
  explicit Features(const TargetInfo& target) : Features(*target.subtarget) {}

  bool has_f16c;        // conversions of half vectors
  bool has_avx512_fp16; // arithmetic of halves
  bool has_avx2;
  // AVX-512: masks for every instruction, gathers and scatters of elements of 32 and 64 bits...
  bool has_avx512;
  bool has_avx512_short_vectors; // VL: the same for vectors of 128 and 256 bits
  bool has_avx512_words;         // BW: masks and permutes of elements of 8 and 16 bits
  bool has_avx512_doublewords;   // DQ: range, reduce, 64-bit multiplication
  bool has_vnni;                 // dot products of bytes
  bool has_byte_permute;         // VBMI: permutes of bytes across a register
};

} // namespace heddle::compiler::x86
