// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elides async copies to local memory: reads of the copy become reads of its source.
#pragma once

#include "compiler/ir/kernel.h"
#include "compiler/ir/kernel_pass.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// A local buffer that only async copies of one global argument fill is a second copy of data that
// is in the CPU's caches already. If the kernel does not write to memory that the argument may
// overlap, reads of the buffer are forwarded to the source (local_buffer_forwarding.h). Whether
// arguments overlap is known at launch only (abi::Launch::arguments_overlap): if they do, the
// copies are made.
//
// Requires that each use of the buffer is a copy of constant size to a slot, or a read within the
// bytes of the copies; and that nobody else writes the source meanwhile. Another command or the
// host that does so races with the kernel unless both synchronize with atomics, so kernels with
// atomics are left alone.
//
// For the body of a kernel whose calls were inlined and whose loops are in simplified form. Runs
// after AllocateLocalVariablesPass, and before LowerLocalVariablesPass and vectorization. Sets
// metadata.has_elided_copies if it elided a copy.
//
//   async_work_group_copy(tile, src + n, 256, 0); ...; x = tile[i]       x = src[n + i]
class ElideLocalCopiesPass : public KernelPass<ElideLocalCopiesPass> {
 public:
  using KernelPass::KernelPass;
  llvm::PreservedAnalyses run_on_kernel(Kernel& kernel, llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
