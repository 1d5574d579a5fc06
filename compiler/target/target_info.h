// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Properties of the CPU that kernels are compiled for.
#pragma once

#include "compiler/interface/cpu_costs.h"

#include <cstdint>

namespace llvm {
class MCSubtargetInfo;
class TargetMachine;
} // namespace llvm

namespace heddle::compiler {

// How lanes are permuted by numbers that are known at run time.
struct LanePermutes {
  // The register of instructions that permute words of 32 bits; 0: there are none.
  unsigned register_bits = 0;
  // Code generation finds them for vectors of one register.
  bool are_selected = false;
};

// Read once from the subtarget, so that passes do not depend on LLVM's feature names. The
// constructor is in the target's folder.
//
// TargetTransformInfo does not replace it: its register width is that of one function's attributes
// and follows the preference of Intel CPUs for 256 bits, while kernels use full registers; and it
// has no query for byte permutes or for masks.
struct TargetInfo {
  // `costs` are measured; what they do not say follows from the CPU's name.
  explicit TargetInfo(const llvm::TargetMachine& target, const CpuCosts& costs = {});

  unsigned vector_bits = 128; // of a vector register
  unsigned vector_registers = 16;
  // What functions have to say they use, or else get shorter registers; 0: nothing.
  unsigned declared_vector_bits = 0;
  bool has_half_conversions = false; // of vectors
  bool has_half_arithmetic = false;  // for vectors of every size
  bool has_rounding_fma = false;     // fused multiply-add of floats, rounded in a given direction
  // Masked loads and stores of elements of 32 and 64 bits, and of all sizes.
  bool has_masked_accesses = false;
  bool has_masked_short_accesses = false;
  bool has_gathers = false; // and scatters, of elements of 32 and 64 bits
  // Masks have registers of their own, and every instruction takes one.
  bool has_mask_registers = false;
  // The sizes of elements in bytes, added up, whose masked stores and two-register permutes are
  // instructions.
  unsigned masked_permutes = 0;
  LanePermutes permutes;
  // Three adjacent words of each lane are best loaded at once where lanes' addresses are not
  // consecutive.
  bool loads_three_words = false;
  bool has_nontemporal_stores = false; // of vector registers
  // The cycles until the result of an operation on a vector of integers is there; and how many
  // instructions on vectors start at once beside other CPUs, integers beside floats, too.
  unsigned integer_latency = 1;
  unsigned vector_throughput = 1;
  // What an iteration of the loop over sub-groups executes besides their code (the position that
  // faults are told with, the counter, the branch) and takes longer by; 0: it runs beside that.
  unsigned loop_instructions = 0;

  // Gathers take longer than a load for each lane: Zen's are microcode.
  bool has_slow_gathers = false;
  bool has_slow_scatters = false; // likewise, than a store for each lane
  // Copies of an instruction that updates memory, which may be at equal addresses, take up to
  // twenty times as long as a loop: Zen predicts for each of them whether it waits for those
  // before.
  bool has_slow_update_copies = false;

  // For the target's own passes.
  const llvm::MCSubtargetInfo* subtarget;

  bool has_masked_permute(unsigned bytes) const { return (masked_permutes & bytes) != 0; }
};

} // namespace heddle::compiler
