// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointer arguments of launches whose memory does not overlap.
#pragma once

#include "compiler/ir/kernel_pass.h"

namespace heddle::compiler {

// Marks the pointer arguments of a kernel as noalias, which is what `restrict` says, and sets
// KernelMetadata::written_arguments, by which the runtime finds out whether a launch keeps the
// promise. With Specialization::has_disjoint_arguments, where the kernel has a loop, or loads
// from one pointer behind a store to another one, writes to a pointer to global memory, and has
// another one or an image, which may be made from a buffer.
//
// Nothing is assumed of two images: their texels are accessed through pointers from descriptors,
// of which noalias arguments say only that they lead elsewhere.
//
// Only if all pointers that the kernel uses come from its arguments: one that is read from memory
// (SVM) may point anywhere.
//
// Where the kernel sees what other work-items wrote, behind a barrier, the pointers to which it
// writes are not marked. A kernel with images is left alone there, and unless it writes to a
// pointer in a loop.
//
// For the bodies of kernels whose calls have been inlined, before they are optimized.
//
//   define void @k.body(ptr addrspace(1) %a,       define void @k.body(ptr addrspace(1) noalias %a,
//                       ptr addrspace(1) %b)                           ptr addrspace(1) noalias %b)
class AssumeDisjointArgumentsPass : public KernelPass<AssumeDisjointArgumentsPass> {
 public:
  using KernelPass::KernelPass;
  llvm::PreservedAnalyses run_on_kernel(Kernel& kernel, llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
