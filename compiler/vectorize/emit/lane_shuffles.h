// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles between vectors of lanes, and vectors in the layout of memory.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler {

// parts[0][0], parts[1][0], ..., parts[0][1], ...: each lane's components together, as in memory.
llvm::Value* interleave(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> parts);
// The same of three vectors, as three of their length.
llvm::SmallVector<llvm::Value*, 3> interleave_three(llvm::IRBuilderBase& builder,
                                                    llvm::ArrayRef<llvm::Value*> parts);
// `count` elements: offset, offset + stride, offset + 2 * stride, ...
llvm::Value* deinterleave(llvm::IRBuilderBase& builder, llvm::Value* vector, unsigned count,
                          unsigned stride, unsigned offset);
// a[0], b[0], a[1], b[1], ...
llvm::Value* interleave_pair(llvm::IRBuilderBase& builder, llvm::Value* a, llvm::Value* b);
// Elements first to first + count - 1.
llvm::Value* extract_subvector(llvm::IRBuilderBase& builder, llvm::Value* vector, unsigned first,
                               unsigned count);

// From one vector of `count` components per lane (a power of two) to one vector of all lanes per
// component.
void transpose_to_components(llvm::IRBuilderBase& builder,
                             llvm::SmallVectorImpl<llvm::Value*>& parts, unsigned count);
// The inverse, for `width` lanes.
void transpose_to_lanes(llvm::IRBuilderBase& builder, llvm::SmallVectorImpl<llvm::Value*>& parts,
                        unsigned width);

} // namespace heddle::compiler
