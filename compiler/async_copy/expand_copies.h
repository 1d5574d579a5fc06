// Async copies of known sizes without a call.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

inline constexpr llvm::StringLiteral kCopyBytes = "__heddle_call_once_copy_bytes";
// In bytes. Above it memcpy, which has more to choose from, is as fast (SHORT_COPY in
// copy_lines.h); loops that ask for what comes next are so a little longer.
inline constexpr std::uint64_t kMaxInlineCopyBytes = 16384, kMaxPrefetchCopyBytes = 24576;

// Calls of __heddle_call_once_copy_bytes (builtins/copy_lines.h) with a known number of bytes that
// are no more than a line or two become llvm.memcpy, which code generation makes moves of. Comes
// behind vectorisation, which would take kernels with memcpy for ones that fill registers by
// themselves.
class ExpandSmallCopiesPass : public llvm::PassInfoMixin<ExpandSmallCopiesPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

// Other calls, and those of kCopyAndFetch, with a known number of bytes up to some KiB become moves
// of lines, and loops of them. A call makes the kernel keep what it needs next on its stack, and
// what is loaded from there behind a hundred stores waits for them: their addresses look alike in
// the bits that the CPU compares first. Comes behind InsertTilePrefetchPass, which knows copies by
// their calls, and behind all that might make something else of the loop. Larger ones are memcpy,
// called from the kernel. Small versions of strided copies (specialize_copies.h) are inlined.
class ExpandCopyLoopsPass : public llvm::PassInfoMixin<ExpandCopyLoopsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
