// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=memory: offsets in variables that are known to be inside.
#pragma once

#include "compiler/ir/kernel.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/ConstantRange.h"

#include <cstdint>

namespace heddle::compiler {

// By the counts of loops, by conditions on the way to the access, and by local ids, which are below
// the local size: that is told to the analyses in the function while the object lives.
class KnownOffsets {
 public:
  // `function` is the kernel's body; null: it is none.
  KnownOffsets(llvm::Function& function, const Kernel* kernel, llvm::AssumptionCache& assumptions,
               llvm::ScalarEvolution& scev);
  KnownOffsets(const KnownOffsets&) = delete;
  KnownOffsets& operator=(const KnownOffsets&) = delete;
  ~KnownOffsets();

  // Whether so many bytes at the offset are among the `object_bytes`, whenever the instruction
  // executes.
  bool are_inside(llvm::Value& offset, llvm::Value& bytes, std::uint64_t object_bytes,
                  llvm::Instruction& instruction);

 private:
  llvm::ConstantRange range_of(llvm::Value& value, llvm::Instruction& instruction);

  llvm::Function& function_;
  llvm::ScalarEvolution& scev_;
  llvm::LazyValueInfo values_;
  llvm::DenseMap<const llvm::Value*, llvm::ConstantRange> phis_; // whose ranges are being found
  unsigned operands_ = 0;                                        // looked at for an offset
};

} // namespace heddle::compiler
