// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forwards reads of a local buffer to the memory that it was copied from.
#pragma once

#include "compiler/async_copy/local_buffer_uses.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

#include <memory>

namespace heddle::compiler {

// Tracks, for each slot of a buffer, the address of its contents: the source of the last copy if
// that was elided, else the slot itself.
class LocalBufferForwarding {
 public:
  virtual ~LocalBufferForwarding() = default;
  // Emits the state at the kernel's start, before the first copy. Called once, before any
  // replace_copy().
  virtual void initialize() = 0;
  // Replaces the copy by one that is made unless it is elided: if `may_elide` (an i1 that is
  // computed at the kernel's start) is set and the source is aligned to cache lines, or as the
  // buffer is.
  virtual void replace_copy(const LocalBufferUses::Copy& copy, llvm::Value* may_elide) = 0;
  // Emits the address, in any address space, of what the slot contains now.
  virtual llvm::Value* emit_contents(llvm::IRBuilder<>& builder, llvm::Value& slot) = 0;
  // Called after all reads and copies were replaced.
  virtual void finalize() {}
};

// Keeps the addresses in values of the work-item. Requires that all work-items reach the same
// copies in the same order, with sources that are uniform; null if that is not certain.
std::unique_ptr<LocalBufferForwarding> forward_in_registers(llvm::Function& body,
                                                            const LocalBufferUses& buffer,
                                                            llvm::DominatorTree& dominators,
                                                            llvm::LoopInfo& loops);

// Keeps the addresses in local memory: the work-item that makes a copy stores them. `state` is the
// address of kForwardingStateBytes for each slot and must follow the definition of the buffer.
constexpr std::uint64_t kForwardingStateBytes = 8;
std::unique_ptr<LocalBufferForwarding> forward_in_memory(const LocalBufferUses& buffer,
                                                         llvm::Instruction& state);

} // namespace heddle::compiler
