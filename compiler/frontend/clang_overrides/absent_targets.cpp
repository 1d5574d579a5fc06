// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's code for the builtin functions of Arm and BPF processors, which is not linked: a third of
// a MiB of tables that are relocated whenever the library is opened. Kernels go through Clang as
// SPIR and never get there.
#include <cstdlib>

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): names of the linker
#define HEDDLE_ABSENT(member)                                                                      \
  extern "C" void _ZN5clang7CodeGen15CodeGenFunction##member() { std::abort(); }

HEDDLE_ABSENT(18EmitARMBuiltinExprEjPKNS_8CallExprENS0_15ReturnValueSlotEN4llvm6Triple8ArchTypeE)
HEDDLE_ABSENT(22EmitAArch64BuiltinExprEjPKNS_8CallExprEN4llvm6Triple8ArchTypeE)
HEDDLE_ABSENT(18EmitBPFBuiltinExprEjPKNS_8CallExprE)
HEDDLE_ABSENT(18EmitAArch64CpuInitEv)
HEDDLE_ABSENT(22EmitAArch64CpuSupportsEN4llvm8ArrayRefINS2_9StringRefEEE)
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
