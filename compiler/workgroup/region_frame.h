// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the passes that split kernels at barriers share.
#pragma once

#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Type.h"

#include <algorithm>

namespace heddle::compiler {

constexpr auto kFrameAlign = llvm::Align::Constant<64>();

// Lays out the memory in which a sub-group keeps what it needs after a barrier.
class RegionFrame {
 public:
  explicit RegionFrame(const llvm::DataLayout& layout) : layout_(layout) {}

  // The offset in bytes of a new slot.
  std::uint64_t add(llvm::Type* type, llvm::Align align) {
    end_ = llvm::alignTo(end_, std::min(align, kFrameAlign));
    const auto offset = end_;
    end_ += layout_.getTypeAllocSize(type).getFixedValue();
    return offset;
  }
  std::uint64_t bytes() const { return llvm::alignTo(end_, kFrameAlign); }

 private:
  const llvm::DataLayout& layout_;
  std::uint64_t end_ = 8; // the number of the sub-group's next region comes first (region_runner)
};

// A barrier at which a variant is split.
struct RegionBoundary {
  unsigned region;         // the number of the region after the barrier
  llvm::BasicBlock* exit;  // the block that ends at the barrier
  llvm::BasicBlock* entry; // the block after the barrier
};

} // namespace heddle::compiler
