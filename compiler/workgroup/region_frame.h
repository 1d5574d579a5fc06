// What the passes that cut kernels at barriers share.
#pragma once

#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Type.h"

#include <algorithm>

namespace heddle::compiler {

constexpr auto kFrameAlign = llvm::Align::Constant<64>();

// The memory in which a sub-group keeps what it needs behind a barrier.
class RegionFrame {
 public:
  explicit RegionFrame(const llvm::DataLayout& layout) : layout_(layout) {}

  // The offset of a new place.
  std::uint64_t add(llvm::Type* type, llvm::Align align) {
    end_ = llvm::alignTo(end_, std::min(align, kFrameAlign));
    const auto at = end_;
    end_ += layout_.getTypeAllocSize(type).getFixedValue();
    return at;
  }
  std::uint64_t bytes() const { return llvm::alignTo(end_, kFrameAlign); }

 private:
  const llvm::DataLayout& layout_;
  std::uint64_t end_ = 8; // the next step stands first (region_loops)
};

// A barrier.
struct SuspendPoint {
  unsigned number;          // of the step that comes next
  llvm::BasicBlock* before; // ends with the barrier
  llvm::BasicBlock* after;  // where the next step begins
};

} // namespace heddle::compiler
