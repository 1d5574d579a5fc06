// Where the contents of a tile that is read in place lie.
#pragma once

#include "compiler/async_copy/local_buffer_uses.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include <memory>

namespace heddle::compiler {

// For each place of a tile the address that its contents are to be read from: that which they
// would have been copied from, or its own.
class LocalBufferForwarding {
 public:
  virtual ~LocalBufferForwarding() = default;
  // At the kernel's begin: nothing was copied yet. Once, before any change.
  virtual void begin() = 0;
  // In place of the copy: it is left out, and said so, if `in_place` (a bit, known from the begin
  // on) is set and the source lies as well as the tile.
  virtual void change(const LocalBufferUses::Copy& copy, llvm::Value* in_place) = 0;
  // The address (of any address space) of what the place contains now.
  virtual llvm::Value* find(llvm::IRBuilder<>& builder, llvm::Value& place) = 0;
  // When all is changed.
  virtual void finish() {}
};

// As values of the work-item, if all work-items come to the same copies in the same order, of which
// nothing is known but in the work-item itself; null if that is not sure.
std::unique_ptr<LocalBufferForwarding> forward_through_registers(llvm::Function& body,
                                                                 const LocalBufferUses& tile,
                                                                 llvm::DominatorTree& dominators,
                                                                 llvm::LoopInfo& loops);

// As words in local memory that the work-item which makes the copies writes: from `words` on (an
// address made behind the tile's), each so many bytes.
constexpr std::uint64_t kContentsBytes = 8;
std::unique_ptr<LocalBufferForwarding> forward_through_local_memory(const LocalBufferUses& tile,
                                                                    llvm::Instruction& words);

// (to, from, bytes, whether it is left out, where a word goes, the word): stands for a copy until
// lower_elided_copies(). The place for the word may be null.
constexpr llvm::StringLiteral kCopyUnlessInPlace = "__heddle_call_once_copy_unless_in_place";

// The copies become a choice. Behind the vectoriser, which takes them for copies.
class LowerElidedCopiesPass : public llvm::PassInfoMixin<LowerElidedCopiesPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
