// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Properties of the CPU that kernels are compiled for.
#pragma once

#include <cstdint>

namespace llvm {
class TargetMachine;
}

namespace heddle::compiler {

// Read once from the subtarget, so that passes do not depend on LLVM's feature names.
//
// TargetTransformInfo does not replace it: its register width is that of one function's attributes
// and follows the preference of Intel CPUs for 256 bits, while kernels use full registers; and it
// has no query for byte permutes or for masks.
struct TargetInfo {
  explicit TargetInfo(const llvm::TargetMachine& target);

  unsigned vector_bits = 128; // of a vector register
  unsigned vector_registers = 16;
  bool has_f16c = false;            // conversions of half vectors
  bool has_half_arithmetic = false; // AVX-512 FP16, for vectors of every size
  bool has_avx2 = false;
  // AVX-512: masks for every instruction, gathers and scatters of elements of 32 and 64 bits...
  bool has_avx512 = false;
  bool has_avx512_short_vectors = false; // VL: the same for vectors of 128 and 256 bits
  bool has_avx512_words = false;         // BW: masks and permutes of elements of 8 and 16 bits
  bool has_avx512_doublewords = false;   // DQ: range, reduce, 64-bit multiplication
  bool has_vnni = false;                 // dot products of bytes
  bool has_byte_permute = false;         // VBMI: permutes of bytes across a register
  // The cycles until the result of an operation on a vector of integers is there; and how many
  // instructions on vectors start at once beside other CPUs, integers beside floats, too.
  unsigned integer_latency = 1;
  unsigned vector_throughput = 1;
  // Loads that cross a cache line take twice as long: Zen with registers as wide as a line.
  bool has_slow_line_crossing = false;

  // Gathers take longer than a load for each lane: Zen's are microcode.
  bool has_slow_gathers = false;
  // Copies of an instruction that updates memory, which may be at equal addresses, take up to
  // twenty times as long as a loop: Zen predicts for each of them whether it waits for those
  // before.
  bool has_slow_update_copies = false;

  // Whether masked stores and two-register permutes of elements of `bytes` bytes are instructions.
  bool has_masked_permute(unsigned bytes) const {
    return bytes == 1 ? has_byte_permute : bytes == 2 ? has_avx512_words : has_avx512;
  }
};

} // namespace heddle::compiler
