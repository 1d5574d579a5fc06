// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The length of SVE's registers, which differs between CPUs.
#pragma once

namespace heddle::compiler::aarch64 {

// Of which registers are multiples; the length of NEON's.
constexpr unsigned kGranuleBits = 128;

// In bits, as the system has set it for this process when it is first asked for; 0: no SVE, or a
// length that is no power of two, which code generation does not take (and new CPUs do not have).
unsigned scalable_bits();

} // namespace heddle::compiler::aarch64
