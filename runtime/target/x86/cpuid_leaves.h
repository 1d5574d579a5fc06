// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processor's description of itself.
#pragma once

namespace heddle {

struct CpuidRegisters {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
};

// Sub-leaf 0 of one of the leaves that the runtime uses (cpuid_leaves.cpp); zeros if the processor
// does not have it. Each is read once: in a virtual machine that takes some ten microseconds.
const CpuidRegisters& cpuid(unsigned leaf);

} // namespace heddle
