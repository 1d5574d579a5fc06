// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processor's description of itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::processor {

std::string name();           // without padding
std::string vendor();         // "GenuineIntel", "AuthenticAMD", "Arm", ...
std::uint32_t vendor_id();    // PCI's; 0 if it has none
std::uint32_t identity();     // of the model, in the processor's own coding; 0 if it does not tell
std::uint32_t highest_mhz();  // 0 if it does not tell
std::uint32_t vector_bytes(); // of the widest SIMD register that the system enables
bool has_byte_dot_products();
bool has_constant_cycles(); // cycle_count() (instructions.h) is of the same speed at all times

// Newer processors of a maker have higher ones.
struct Version {
  unsigned major, minor, patch;
};
Version version();

// All on which code for exactly this processor depends, without loading LLVM.
std::vector<std::byte> code_identity();

// A set of instructions that HEDDLE_CPU names.
struct Level {
  const char* name;
  const char* instructions; // "AVX2"
  bool is_slow = false;     // in comparison with the next one
};
std::span<const Level> levels(); // from the least that Heddle needs
// How many of them the processor and the operating system have.
std::size_t level_count();

// Those that matter to kernels, as /proc/cpuinfo names them.
std::vector<std::string> features();

} // namespace heddle::processor
