// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/stack_sizes.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace heddle::compiler {
namespace {

constexpr std::uint64_t kCallBytes = 64;            // return address, saved registers, alignment
constexpr std::uint64_t kHeadroomBytes = 16 * 1024; // libm and the runtime's functions

// Bytes of the deepest chain of calls; nothing if it is unbounded.
class DeepestChain {
 public:
  explicit DeepestChain(const FrameSizes& frames) : frames_(frames) {}

  std::optional<std::uint64_t> from(const llvm::Function& function) {
    const auto [entry, is_new] = known_.try_emplace(&function, kActive);
    if (!is_new)
      return entry->second == kActive ? std::nullopt : std::optional(entry->second);
    std::uint64_t deepest = 0;
    for (const auto& instruction : llvm::instructions(function)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const auto* callee = call != nullptr ? call->getCalledFunction() : nullptr;
      if (callee == nullptr || callee->isDeclaration())
        continue;
      const auto below = from(*callee);
      if (!below)
        return std::nullopt;
      deepest = std::max(deepest, *below);
    }
    const auto total = deepest + frames_.lookup(&function) + kCallBytes;
    known_[&function] = total;
    return total;
  }

 private:
  static constexpr std::uint64_t kActive = ~std::uint64_t{0};
  const FrameSizes& frames_;
  llvm::DenseMap<const llvm::Function*, std::uint64_t> known_;
};

} // namespace

void set_stack_sizes(Kernel& kernel, const FrameSizes& frames) {
  const auto& own = kernel.fiber_entry != nullptr ? *kernel.fiber_entry : *kernel.entry;
  const auto chain = DeepestChain(frames).from(own);
  const auto frame = chain ? *chain : frames.lookup(&own);
  const auto items = kernel.metadata.vector_width;
  kernel.report.stack_bytes = frame;
  kernel.metadata.private_bytes = (frame + kernel.metadata.frame_bytes + items - 1) / items;
  kernel.metadata.stack_bytes = chain ? *chain + kHeadroomBytes : 0;
}

} // namespace heddle::compiler
